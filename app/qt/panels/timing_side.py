"""The right side of the timing workspace: progress, what to measure, shares of the library, and the points."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.curves import Provenance
from app.core.session import Session
from app.core.timing import TimingModel, baseline_of
from app.qt.binding import bind
from app.qt.commands import Command
from app.qt.look import Look
from app.qt.panels.timing_actions import ChoosePath, LimitsOf, TimingActions
from app.qt.panels.timing_inputs import InputsSection
from app.qt.panels.timing_points import PointsModel, PointsTable
from app.qt.panels.timing_progress import ProgressSection
from app.qt.panels.timing_refresh import ASKED_MS, Refresh
from app.qt.panels.timing_shares import SharesSection
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.pointing import Pointing
from kernels.messages import message

MINIMUM_WIDTH, WIDTH = 340, 452


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
        self.shares = SharesSection(look)
        self.shares.bars.pointed.connect(lambda variant_id: setattr(model.pointed, "value", variant_id))
        self.points = PointsModel(look, model.results, session.timing.value)
        self.table = PointsTable(look, self.points)
        self._point_from_table()
        self._checked = label(look, "", "caption", rank=3)
        self.exports = {suffix: self._export_button(suffix) for suffix in ("csv", "json")}
        self.export_reason = reason_label(look)
        self._arrange()
        self._asked: tuple[object, ...] = ()
        self._refresh = Refresh(self.redraw, self)
        self._questions = Refresh(self._ask, self, ASKED_MS)
        bind(self, model.shares, self.shares.show_shares)
        bind(self, session.timing, self._refresh.soon)
        bind(self, model.revision, self._refresh.soon)
        bind(self, model.progress, self._refresh.soon)
        bind(self, model.quantity, self._refresh.soon)
        bind(self, model.baseline, self._refresh.soon)
        self.redraw()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 800)

    def redraw(self) -> None:
        """Show shares and points of the present choice."""
        choice = self._session.timing.value
        model, progress = self._model, self._model.progress.value
        self._questions.soon()
        running = tuple(lane for lane in progress.lanes if lane.point is not None) if progress else ()
        told = (model.quantity.value, baseline_of(choice, choice.axis, model.baseline.value))
        self.points.show_points(running, model.results, choice, told)
        correct = self.points.correct
        text = message("✓ {count} correct, checked against float64", count=correct)
        self._checked.setText(self._look.text(text) if correct else "")
        for button in self.exports.values():
            button.setEnabled(not choice.ticked.isdisjoint(model.results.variants(Provenance.MEASURED)))

    def _ask(self) -> None:
        choice = self._session.timing.value
        asked = (self._model.revision.value, choice, self._model.staged.value)
        if asked != self._asked:
            self._asked = asked
            self._model.ask_shares(choice)

    def add_button(self, icon: str, command: Command) -> None:
        """Something else that is made of the points; it stands before their tables."""
        button = QPushButton(self._look.icon(icon), self._look.text(command.title))
        button.setFont(self._look.theme.font("small"))
        button.clicked.connect(command.run)
        self._heading.insertWidget(1, button)

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
        for button in self.exports.values():
            heading.addWidget(button)
        column.addLayout(heading)
        column.addWidget(self._checked)
        column.addWidget(self.export_reason)
        column.addWidget(self.table, 1)
        self.setWidget(inner)

    def _export_button(self, suffix: str) -> QPushButton:
        button = QPushButton(self._look.icon("download"), suffix.upper())
        button.setFont(self._look.theme.font("small"))
        button.setToolTip(self._look.text(message("Write all measured points to a {format} file", format=suffix.upper())))
        button.clicked.connect(lambda: self._export(suffix))
        return button

    def _export(self, suffix: str) -> None:
        path = self._choose_path(suffix)
        if path is not None:
            show_reason(self.export_reason, self._look, self._actions.export(path))
