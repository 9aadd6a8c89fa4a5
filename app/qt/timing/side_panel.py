"""Right side of the timing workspace: progress, what to measure, shares of the library as bars, and the points.

Each ticked variant has a bar; each library has its group.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.results.curves import Provenance
from app.core.results.library_percent import LibraryPercent, PercentGroup
from app.core.results.quantities import ABOUT, percent_text
from app.core.session.session import Session
from app.core.timing.model import TimingModel, about_seconds, baseline_of, quantity_of
from app.qt.base.binding import bind
from app.qt.base.commands import Command
from app.qt.base.look import Look
from app.qt.base.refresh import ASKED_MEASURING_MS, ASKED_MS, Refresh
from app.qt.charts.style import line_style, paint_marker
from app.qt.timing.actions import ChoosePath, LimitsOf, TimingActions
from app.qt.timing.inputs import InputsSection
from app.qt.timing.points_table import PointsModel, PointsTable
from app.qt.timing.progress import ProgressSection
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.pointing import Pointing
from app.qt.widgets.rung_names import rung_name
from app.qt.widgets.stops import order_stops
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Variant
from kernels.catalogue.case import Case

_ROW, _HEAD, _GAP = 25, 42, 10
_BAR, _MARKER, _BEHIND_MARKER = 11, 11.0, 20.0
_MOST_NAME = 0.5
_LONGEST_PERCENT = 300.0
"""Longest bar: where a disturbed library is too slow, all others would have no length. What is longer ends in a point."""
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


LIBRARY = message("A library is a kernel that others wrote and tuned: NumPy on the CPU, cuBLAS on the GPU. Its speed is 100 %.")
COPY = message("The copy turns nothing: every element is read and written once, in the order of memory. Its speed is 100 %.")


class PercentSection(QWidget):
    """Section of the shares of the library: a heading, and the groups."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.bars = PercentBars(look)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 10)
        column.setSpacing(4)
        self._title = label(look, "", "section")
        column.addWidget(self._title)
        self.about = label(look, "", "small", rank=3)
        self.about.setWordWrap(True)
        column.addWidget(self.about)
        column.addWidget(self.bars)
        self.unsaid = label(look, WHY_UNSAID, "small", rank=3)
        self.unsaid.setWordWrap(True)
        column.addWidget(self.unsaid)

    def show_shares(self, groups: tuple[PercentGroup, ...]) -> None:
        """Show the shares, or nothing at all where no library was timed."""
        if groups:
            copied = groups[0].library.operation is Operation.TRANSPOSE
            self._title.setText(self._look.text(share_title(groups[0].library.operation)))
            self.about.setText(self._look.text(COPY if copied else LIBRARY))
            self.unsaid.setVisible(any(_said(group, each) == UNSAID for group in groups for each in group.shares))
        self.setVisible(bool(groups))
        self.bars.show_shares(groups)


def share_title(operation: Operation) -> Message:
    """What speeds are shares of: the library's, for transpositions the copy's."""
    return message("Share of the copy") if operation is Operation.TRANSPOSE else message("Share of the library")


class PercentBars(Zoomed):
    """Painted bars with names before and numbers behind them, below the library that is their 100 %."""

    pointed = Signal(str)
    """The id of the variant under the mouse, "" for none."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._groups: tuple[PercentGroup, ...] = ()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(look.text(share_title(Operation.MATMUL)))

    def sizeHint(self) -> QSize:
        bottom = max((place.bottom() for *_, place in self.rows()), default=0.0)
        return self.grown(QSize(260, round(bottom)))

    def rows(self) -> Iterator[tuple[PercentGroup, LibraryPercent | None, QRectF]]:
        """Yield each row with its place; a group's first one is of its library and has no share."""
        top = 0.0
        for group in self._groups:
            yield group, None, QRectF(0, top, self.width(), _HEAD)
            top += _HEAD
            for share in group.shares:
                if share.key.variant is not group.library:
                    yield group, share, QRectF(0, top, self.width(), _ROW)
                    top += _ROW
            top += _GAP

    def show_shares(self, groups: tuple[PercentGroup, ...]) -> None:
        """Replace the bars."""
        if groups == self._groups:
            return
        self._groups = groups
        if groups:
            self.setAccessibleName(self._look.text(share_title(groups[0].library.operation)))
        said = (
            f"{self._name(group.library)} = 100 %, {self._look.text(_source(group))}"
            if share is None
            else f"{self._name(share.key.variant)} {_said(group, share)}"
            for group, share, _ in self.rows()
        )
        self.setAccessibleDescription("\n".join(said))
        about = any(each.share.about for group in groups for each in group.shares if _said(group, each) != UNSAID)
        self.setToolTip(self._look.text(ABOUT) if about else "")
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        names, numbers = (QFontMetricsF(self._look.theme.font(role)) for role in ("body", "section"))
        shares = [share for group in self._groups for share in group.shares]
        widest = max((names.horizontalAdvance(self._name(share.key.variant)) for share in shares), default=0.0)
        left = min(widest + _BEHIND_MARKER, self.width() * _MOST_NAME) + 12
        said = [percent_text(100.0), *(_said(group, each) for group in self._groups for each in group.shares)]
        right = self.width() - max(map(numbers.horizontalAdvance, said)) - 8
        for group, share, row in self.rows():
            if share is None:
                self._paint_head(painter, group, row)
            else:
                self._paint_bar(painter, group, share, row, QRectF(left, row.center().y() - _BAR / 2, right - left, _BAR))
        painter.end()

    @property
    def full(self) -> float:
        """The percentage that is as long as there is room, in all groups the same."""
        percents = [share.share.percent for group in self._groups for share in group.shares if _said(group, share) != UNSAID]
        return min(max(100.0, *percents, 0.0), _LONGEST_PERCENT)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = next(((group, share) for group, share, row in self.rows() if row.contains(event.position())), None)
        variant = None if found is None else found[0].library if found[1] is None else found[1].key.variant
        self.pointed.emit("" if variant is None else variant.id)

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit("")
        super().leaveEvent(event)

    def _paint_head(self, painter: QPainter, group: PercentGroup, row: QRectF) -> None:
        """The library, that it is 100 %, and below it of when and where the times are."""
        theme, upper = self._look.theme, QRectF(row.left(), row.top(), row.width(), row.height() / 2)
        self._paint_name(painter, group.library, group.provenance, upper, row.width() * 0.8, "section")
        painter.drawText(upper, _RIGHT, percent_text(100.0))
        font = theme.font("caption")
        painter.setFont(font)
        painter.setPen(theme.t3)
        room = QRectF(_BEHIND_MARKER, upper.bottom(), row.width() - _BEHIND_MARKER, row.height() / 2 - 2)
        text = QFontMetricsF(font).elidedText(self._look.text(_source(group)), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _LEFT, text)

    def _paint_bar(self, painter: QPainter, group: PercentGroup, share: LibraryPercent, row: QRectF, bar: QRectF) -> None:
        """The bar, and across it where the library's speed is."""
        theme, full, said = self._look.theme, self.full, _said(group, share)
        percent = 0.0 if said == UNSAID else share.share.percent
        style = line_style(theme, share.key.variant, share.key.provenance)
        painter.fillRect(bar, theme.cell)
        shown = QRectF(bar.left(), bar.top(), bar.width() * min(percent / full, 1.0), bar.height())
        if percent > full:
            shown.setRight(bar.right() - bar.height())
            tips = (shown.topRight(), QPointF(bar.right(), bar.center().y()), shown.bottomRight())
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.colour)
            painter.drawPolygon(QPolygonF(tips))
        painter.fillRect(shown, style.colour)
        library = bar.left() + bar.width() * 100.0 / full
        painter.setPen(QPen(theme.t3, 1))
        painter.drawLine(QPointF(library, bar.top() - 3), QPointF(library, bar.bottom() + 3))
        self._paint_name(painter, share.key.variant, share.key.provenance, row, bar.left() - 8, "body")
        painter.setFont(theme.font("section"))
        painter.drawText(row, _RIGHT, said)

    def _paint_name(self, painter: QPainter, variant: Variant, provenance: Provenance, row: QRectF, right: float, role: str) -> None:
        """The variant with its marker, left of `right`."""
        theme, font = self._look.theme, self._look.theme.font(role)
        paint_marker(painter, line_style(theme, variant, provenance), QPointF(row.left() + 8, row.center().y()), _MARKER)
        if QFontMetricsF(font).horizontalAdvance(self._name(variant)) > right - _BEHIND_MARKER:
            font = theme.font("small")  # rather small than cut
        painter.setFont(font)
        painter.setPen(theme.t1)
        name = rung_name(self._look, self._name(variant), font, right - _BEHIND_MARKER)
        painter.drawText(row.adjusted(_BEHIND_MARKER, 0, 0, 0), _LEFT, name)

    def _name(self, variant: Variant) -> str:
        return self._look.text(variant.title)


UNSAID = "?"
WHY_UNSAID = message("?: faster than a library that was itself disturbed, which says nothing. Measure once more.")


def _said(group: PercentGroup, share: LibraryPercent) -> str:
    """A share as text; not one of more than all of a library whose own time was disturbed."""
    return UNSAID if group.uneven and share.share.percent > 100 else share.share.text


def _source(group: PercentGroup) -> Message:
    """Return at which n, and where the times are from; of an uneven one first of all that it is."""
    return message("disturbed or scatters; {source}", source=_place(group)) if group.uneven else _place(group)


def _place(group: PercentGroup) -> Message:
    if group.provenance is Provenance.MEASURED:
        return message("n = {n}, measured here", n=group.n)
    return message("n = {n}, recorded on {machine}", n=group.n, machine=group.machine)


MINIMUM_WIDTH, WIDTH = 340, 452
_AFTER_CHARTS_MS = 160
"""From a change to the tables: the charts, drawn INTERVAL_MS after it, have been painted by then; the event loop comes round in between."""


class TimingSide(QScrollArea):
    """Scrolls where the window is too low; the points take what height is left."""

    def __init__(
        self, look: Look, session: Session, model: TimingModel, actions: TimingActions, limits: LimitsOf, choose_path: ChoosePath
    ) -> None:
        super().__init__()
        self._look = look
        self._session = session
        self._model = model
        self._actions = actions
        self._choose_path = choose_path
        self.progress = ProgressSection(look, model, actions)
        self.inputs = InputsSection(look, session, actions, limits)
        self.shares = PercentSection(look)
        self.shares.bars.pointed.connect(lambda variant_id: setattr(model.pointed, "value", variant_id))
        self.points = PointsModel(look, model.results, session.timing.value)
        self.table = PointsTable(look, self.points)
        self._point_from_table()
        self._checked = label(look, "", "caption", rank=3)
        self.exports = {suffix: self._export_button(suffix) for suffix in ("csv", "json")}
        self.export_reason = reason_label(look)
        self._arrange()
        self._asked: tuple[object, ...] = ()
        self._measuring = False
        self._refresh = Refresh(self.redraw, self, _AFTER_CHARTS_MS)
        self._questions = Refresh(self._ask, self)
        bind(self, model.shares, self.shares.show_shares)
        bind(self, session.timing, self._refresh.soon)
        bind(self, model.revision, self._refresh.soon)
        bind(self, model.progress, self._refresh.soon)
        bind(self, model.under_way, self._begin)
        bind(self, model.shown, self._refresh.soon)
        bind(self, model.quantity, self._refresh.soon)
        bind(self, model.baseline, self._refresh.soon)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 800)

    def _begin(self, under_way: tuple[Case | None, ...]) -> None:
        if under_way and not self._measuring:
            self.inputs.forget_reasons()
        self._measuring = bool(under_way)

    def redraw(self) -> None:
        """Show shares and points of the present choice."""
        choice = self._session.timing.value
        model, progress = self._model, self._model.progress.value
        seldom = model.under_way.value and self._asked[1:] == (choice, model.staged.value, model.shown.value)
        self._questions.within(ASKED_MEASURING_MS if seldom else ASKED_MS)
        self.inputs.show_duration(0.0 if model.under_way.value else about_seconds(choice, model.results, progress))
        running = tuple(queue for queue in progress.queues if queue.point is not None) if progress else ()
        told = (quantity_of(model, choice), baseline_of(choice, choice.axis, model.baseline.value))
        self.points.show_points(running, model.results, choice, told)
        correct = self.points.correct
        text = message("✓ {count} correct, checked against float64", count=correct)
        self._checked.setText(self._look.text(text) if correct else "")
        for button in self.exports.values():
            button.setEnabled(not choice.ticked.isdisjoint(model.results.variants(Provenance.MEASURED)))

    def _ask(self) -> None:
        choice = self._session.timing.value
        asked = (self._model.revision.value, choice, self._model.staged.value, self._model.shown.value)
        if asked != self._asked:
            self._asked = asked
            self._model.ask_shares(choice)

    def add_button(self, icon: str, command: Command) -> None:
        """Something else that is made of the points; it stands before their tables."""
        button = QPushButton(self._look.icon(icon), self._look.text(command.title))
        button.setFont(self._look.theme.font("small"))
        button.clicked.connect(command.run)
        self._heading.insertWidget(1, button)
        self._buttons.insert(0, button)
        self._order_stops()

    def _order_stops(self) -> None:
        """Let Tab come to the buttons, from left to right, before it comes to the table below them."""
        order_stops((*self._buttons, self.table))

    def _point_from_table(self) -> None:
        """Let the charts show which line the row under the mouse, or under the keyboard, belongs to."""
        pointed, table = self._model.pointed, self.table
        table.setMouseTracking(True)
        table.entered.connect(lambda index: setattr(pointed, "value", self.points.variant_at(index.row())))
        table.selectionModel().currentRowChanged.connect(lambda row, _before: setattr(pointed, "value", self.points.variant_at(row.row())))
        for part in (table, table.viewport()):
            Pointing(part, lambda pointing: None if pointing else setattr(pointed, "value", ""))

    def _arrange(self) -> None:
        self.setMinimumWidth(self._look.px(MINIMUM_WIDTH))
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        inner.setProperty("surface", "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(0)
        for section in (self.progress, self.inputs, self.shares):
            column.addWidget(section)
            section.setProperty("rule", "bottom")
            section.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._heading = heading = QHBoxLayout()
        heading.setContentsMargins(0, 10, 0, 0)
        heading.setSpacing(8)
        heading.addWidget(label(self._look, message("Points"), "section"), 1)
        self._buttons = list(self.exports.values())
        for button in self._buttons:
            heading.addWidget(button)
        column.addLayout(heading)
        column.addWidget(self._checked)
        column.addWidget(self.export_reason)
        column.addWidget(self.table, 1)
        self.setWidget(inner)
        self._order_stops()

    def _export_button(self, suffix: str) -> QPushButton:
        button = QPushButton(self._look.icon("download"), suffix.upper())
        button.setFont(self._look.theme.font("small"))
        button.setToolTip(self._look.text(message("Write all measured points to a {format} file", format=suffix.upper())))
        button.clicked.connect(lambda: self._export(suffix))
        return button

    def _export(self, suffix: str) -> None:
        path = self._choose_path(suffix)
        if path is not None:
            show_reason(self.export_reason, self._look, path if isinstance(path, Message) else self._actions.export(path))
