"""The table of measured points, the newest first; above them what cannot run, with its reason as a sentence."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.core.results.curves import Provenance
from app.core.results.known_results import Change, Results
from app.core.results.labels import name_of, quantity_text
from app.core.results.measuring import QueueProgress
from app.core.results.point_list import PointList, Refusal
from app.core.results.quantities import ABOUT, Baseline, Quantity, Smallest, share_of_library
from app.core.results.relative_times import Medians, told_of
from app.core.session.session import TimingChoice
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.charts.style import line_style, paint_marker
from app.qt.widgets.terms import term_tip
from kernels.base.messages import Message, message
from kernels.catalogue.catalogue import by_id
from kernels.measure.results import Status
from kernels.measure.rows import Row, unevenness

Index = QModelIndex | QPersistentModelIndex
_CHECK, _CROSS, _UNEVEN = "✓", "✕", "≈"
Told = tuple[Quantity, Baseline]
"""What the chart's column says."""
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TEXT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
COLUMNS = 5
VARIANT, N, TIME, QUANTITY, ERROR = range(COLUMNS)
_WIDEST = {N: "1024", TIME: "0.0000", QUANTITY: "≈ 00.0", ERROR: "0.0e-0 ✓"}
"""What the columns of numbers have room for at least, besides their titles."""
_ROLES = frozenset((
    Qt.ItemDataRole.TextAlignmentRole, Qt.ItemDataRole.ForegroundRole, Qt.ItemDataRole.DecorationRole,
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole,
))  # fmt: skip
_PADDING = 12
_MARKER, _SHARPNESS = 14, 2
"""Side of a marker before a name, and pixels of its picture along each of them."""
_ROOM_FOR_MARKERS = 110
"""Width of the column of names from which on there is room for markers too."""
AT_FIRST = 500
"""Rows with a time that the table holds before anybody scrolls to its end."""
_ROW = 26
REASON = TIME
"""A row without a time says why from this column on."""


class PointsModel(QAbstractTableModel):
    """Running points first, then what cannot run, then results: variant, n, milliseconds, the chart's quantity, relative error with a
    check mark. Cells are worked out when they are seen."""

    def __init__(self, look: Look, results: Results, choice: TimingChoice) -> None:
        super().__init__()
        self._look = look
        self._choice = choice
        self._points = PointList(results, choice)
        self._running: tuple[QueueProgress, ...] = ()
        self._told: Told = (Quantity.RATE, Smallest(choice.axis))
        self._medians = Medians(results)
        self._refusals = self._points.refusals
        self._fetched = min(AT_FIRST, len(self._points))
        self.marked = True
        """Whether names begin with the markers of their curves."""
        self._markers: dict[str, QPixmap] = {}

    def show_points(self, running: tuple[QueueProgress, ...], results: Results, choice: TimingChoice, told: Told) -> None:
        """Follow the results: new ones are rows that are inserted."""
        told = (Quantity.RATE if told[0] is Quantity.TIME else told[0], told[1])  # a time has a column of its own
        if not self._points.follows(results, choice):
            self.beginResetModel()
            self._points = PointList(results, choice)
            self._refusals = self._points.refusals
            self._choice, self._told, self._medians, self._running = choice, told, Medians(results), running
            self._fetched = min(AT_FIRST, len(self._points))
            self.endResetModel()
            return
        changes = self._points.missed()
        for change in changes:
            self._follow(change)
        if self._points.refusals != self._refusals or len(running) != len(self._running):
            self._show_top(running)
        elif running != self._running:
            self._running = running
            self.dataChanged.emit(self.index(0, 0), self.index(len(running) - 1, COLUMNS - 1))
        other = told != self._told
        if changes or other:
            self._told, self._medians = told, Medians(results)
        if other:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, QUANTITY, QUANTITY)
        if other or (changes and told[0] is not Quantity.RATE):  # a rate is told of its own row alone
            self.dataChanged.emit(self.index(0, QUANTITY), self.index(self.rowCount() - 1, QUANTITY))

    @property
    def correct(self) -> int:
        """How many points have a verified time."""
        return len(self._points)

    @property
    def top(self) -> int:
        """How many rows at the top have one sentence in their last columns."""
        return len(self._running) + len(self._refusals)

    def _follow(self, change: Change) -> None:
        """Let a new row take the place of the one of its point that was before."""
        earlier, row = change.earlier, change.row
        place = None if earlier is None or not earlier.verified else self._points.place_of(earlier)
        if place is not None and place < self._fetched:
            self.beginRemoveRows(QModelIndex(), self.top + place, self.top + place)
            self._points.remove(place)
            self._fetched -= 1
            self.endRemoveRows()
        elif place is not None:
            self._points.remove(place)
        elif earlier is not None:
            self._points.refuse(earlier, refused=False)
        if not row.verified:
            self._points.refuse(row, refused=True)
            return
        place = self._points.place_for(row)
        if place > self._fetched:
            self._points.insert(row)
            return
        self.beginInsertRows(QModelIndex(), self.top + place, self.top + place)
        self._points.insert(row)
        self._fetched += 1
        self.endInsertRows()

    def _show_top(self, running: tuple[QueueProgress, ...]) -> None:
        """Replace the rows above the times."""
        if self.top:
            self.beginRemoveRows(QModelIndex(), 0, self.top - 1)
            self._running, self._refusals = (), ()
            self.endRemoveRows()
        count = len(running) + len(self._points.refusals)
        if count:
            self.beginInsertRows(QModelIndex(), 0, count - 1)
            self._running, self._refusals = running, self._points.refusals
            self.endInsertRows()

    def cell(self, row: int, column: int) -> tuple[str, QPixmap | None]:
        """The text of a row with a time, and the marker before it."""
        timed = self._points.timed(row - self.top)
        return self._text(timed, column), self._marker(timed.variant_id) if column == VARIANT and self.marked else None

    def variant_at(self, row: int) -> str:
        """The id of the variant whose time a row shows, "" for any other row."""
        return self._points.timed(row - self.top).variant_id if self.top <= row < self.rowCount() else ""

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else self.top + self._fetched

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._fetched < len(self._points)

    def fetchMore(self, _parent: Index) -> None:
        """The table asks for older points when it is at its end: that it holds few rows keeps inserting one quick."""
        more = min(AT_FIRST, len(self._points) - self._fetched)
        self.beginInsertRows(QModelIndex(), self.rowCount(), self.rowCount() + more - 1)
        self._fetched += more
        self.endInsertRows()

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else COLUMNS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _TEXT if section == VARIANT else _NUMBER
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            told = quantity_text(self._told[0], self._choice.operation)
            said = (message("variant"), message("n"), message("ms"), told, message("rel. error"))[section]
            return self._look.text(said) if role == Qt.ItemDataRole.DisplayRole else term_tip(self._look, said)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in _ROLES:  # a painted cell asks for seven
            return None
        row, column, theme = index.row(), index.column(), self._look.theme
        running, refused = row < len(self._running), len(self._running) <= row < self.top
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _TEXT if column == VARIANT or (column == REASON and row < self.top) else _NUMBER
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.now_text if running else theme.bad if refused else theme.t1
        if role == Qt.ItemDataRole.DecorationRole:
            return self.cell(row, column)[1] if column == VARIANT and row >= self.top else None
        if running:
            return self._running_text(row, column)
        if refused:
            return self._refused_text(self._refusals[row - len(self._running)], column)
        timed = self._points.timed(row - self.top)
        tip = self._tip(timed, column) if role == Qt.ItemDataRole.ToolTipRole else None
        return self._text(timed, column) if tip is None else self._look.text(tip)

    def _marker(self, variant_id: str) -> QPixmap:
        """The marker that the variant's points have in charts."""
        if variant_id not in self._markers:
            side = self._look.px(_MARKER)
            drawn = QPixmap(side * _SHARPNESS, side * _SHARPNESS)
            drawn.setDevicePixelRatio(_SHARPNESS)
            drawn.fill(Qt.GlobalColor.transparent)
            with QPainter(drawn) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                style = line_style(self._look.theme, by_id(variant_id), Provenance.MEASURED)
                paint_marker(painter, style, QPointF(side / 2, side / 2), 0.7 * side)
            self._markers[variant_id] = drawn
        return self._markers[variant_id]

    def _running_text(self, row: int, column: int) -> str:
        queue = self._running[row]
        assert queue.point is not None
        if column == VARIANT:
            return self._look.text(name_of(queue.point.variant, queue.point.parameters))
        if column == N:
            return str(queue.point.problem.n)
        if column == REASON and queue.samples:
            return self._look.text(message("run {done} of {most}", done=queue.samples, most=queue.samples_at_most))
        return ""

    def _refused_text(self, refusal: Refusal, column: int) -> str:
        if column == VARIANT:
            return f"{_CROSS} {self._look.text(refusal.name)}"
        if column == N:
            return refusal.sizes
        return self._look.text(refusal.reason) if column == REASON else ""

    def _text(self, row: Row, column: int) -> str:
        number = self._look.translator.number
        if column == VARIANT:
            return self._look.text(name_of(row.variant, dict(row.setting)))
        if column == N:
            return str(row.problem.n)
        if column == TIME:
            mark = f"{_UNEVEN} " if row.uneven else ""
            return mark + number(row.median_ms or 0.0) + (" ×1" if row.status is Status.SINGLE else "")
        if column == QUANTITY:
            value = self._value(row)
            return (f"{_UNEVEN} " if self._about(row) else "") + number(value) if isinstance(value, float) else "—"
        return _CHECK if row.relative_error is None else f"{_short(row.relative_error)} {_CHECK}"

    def _tip(self, row: Row, column: int) -> Message | None:
        """What else is said of a cell: why it has no value, and who disturbed the times."""
        value = self._value(row) if column == QUANTITY else None
        if column == QUANTITY:
            return value if isinstance(value, Message) else ABOUT if self._about(row) else None
        return unevenness(row) if column in (VARIANT, TIME) else None

    def _about(self, row: Row) -> bool:
        """Whether its quantity is about so much: its own time was disturbed or scatters, or for a share the library's."""
        library = self._medians.results.library(Provenance.MEASURED, row) if self._told[0] is Quantity.PERCENT else None
        return row.uneven or (library is not None and share_of_library(row, library).about)

    def _value(self, row: Row) -> float | Message | None:
        return told_of(self._medians, *self._told, row)


def _short(error: float) -> str:
    """An error with two figures: 3.1e-7."""
    mantissa, _, exponent = f"{error:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


class _Cells(QStyledItemDelegate):
    """Says at once what the cell of a time has: asked for one thing after the other, Qt paints half as fast."""

    def __init__(self, table: PointsTable, model: PointsModel) -> None:
        super().__init__(table)
        self._model = model

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        if index.row() < self._model.top:
            super().initStyleOption(option, index)
            return
        text, marker = self._model.cell(index.row(), index.column())
        option.text = text
        option.displayAlignment = _TEXT if index.column() == VARIANT else _NUMBER
        option.features |= option.ViewItemFeature.HasDisplay
        if marker is not None:
            option.features |= option.ViewItemFeature.HasDecoration
            option.icon, option.decorationSize = QIcon(marker), marker.deviceIndependentSize().toSize()


class PointsTable(QTableView):
    """Shows a `PointsModel`; long reasons wrap over the columns that they have no numbers for."""

    def __init__(self, look: Look, model: PointsModel) -> None:
        super().__init__()
        self._points = model
        self._later = Refresh(self._fit_columns, self, 0)
        self.setModel(model)
        self.setFont(look.theme.font("small"))
        self.setItemDelegate(_Cells(self, model))
        self._marker, self._room_for_markers = look.px(_MARKER) + _PADDING // 2, look.px(_ROOM_FOR_MARKERS)
        self.setAccessibleName(look.text(message("Measured points")))
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._row = look.px(_ROW)
        self.setMinimumHeight(look.px(180))
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(look.px(24))
        self.verticalHeader().setDefaultSectionSize(self._row)
        header = self.horizontalHeader()
        header.setFont(look.theme.font("caption"))
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(30)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(VARIANT, QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(lambda section, _before, _now: self._fit_rows() if section == VARIANT else None)
        self._fit_columns()
        model.modelReset.connect(self._arrange)
        model.rowsInserted.connect(lambda _parent, first, _last: self._arrange() if first < model.top else self._later.soon())
        model.rowsRemoved.connect(lambda _parent, first, _last: self._arrange() if first <= model.top else self._later.soon())
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._later.soon())

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the columns, as only now the titles have the type of the style."""
        super().showEvent(event)
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.soon()

    def _arrange(self) -> None:
        """Let reasons stand across the columns that they have no numbers for."""
        self.clearSpans()
        for row in range(self._points.top):
            self.setSpan(row, REASON, 1, self._points.columnCount() - REASON)
        self._fit_columns()

    def _seen(self) -> range:
        """The rows that are in sight."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height())
        return range(max(first, 0), (last if last >= 0 else self._points.rowCount() - 1) + 1)

    def _fit_columns(self) -> None:
        """Numbers take what they need, so that names have the rest."""
        titles, advance = self.horizontalHeader(), self.fontMetrics().horizontalAdvance
        seen = [row for row in self._seen() if row >= self._points.top]
        for column, least in _WIDEST.items():
            shown = (
                [] if column == QUANTITY else [self._points.index(row, column).data() for row in seen]
            )  # a rate is worked out when it is seen
            needed = max(titles.sectionSizeHint(column), max(map(advance, (least, *shown))) + _PADDING)
            if needed != self.columnWidth(column):
                self.setColumnWidth(column, needed)
        self._points.marked = self.columnWidth(VARIANT) >= self._room_for_markers
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Rows in sight are as high as their name and their reason need at the present width: those too that come into sight by it."""
        room = sum(self.columnWidth(column) for column in range(REASON, self._points.columnCount()))
        for row in range(self._seen().start, self._points.rowCount()):
            if self.rowViewportPosition(row) > self.viewport().height():
                return
            before = self._marker if self._points.marked and row >= self._points.top else 0
            needed = self._height(row, VARIANT, self.columnWidth(VARIANT) - before)
            if row < self._points.top:
                needed = max(needed, self._height(row, REASON, room))
            if needed != self.rowHeight(row):
                self.setRowHeight(row, needed)

    def _height(self, row: int, column: int, room: int) -> int:
        text, metrics = self._points.index(row, column).data() or "", self.fontMetrics()
        if metrics.horizontalAdvance(text) + _PADDING <= room:
            return self._row
        return max(self._row, metrics.boundingRect(0, 0, max(room - _PADDING, 60), 1000, Qt.TextFlag.TextWordWrap, text).height() + 10)
