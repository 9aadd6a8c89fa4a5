"""The table of measured points, newest first; a point without a time gives its reason as a sentence."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.core.measuring import LaneProgress
from app.core.point_column import PointColumn
from app.core.quantity_words import quantity_text
from app.core.series_names import name_of
from app.qt.look import Look
from app.qt.widgets.terms import term_tip
from kernels.measure.results import Result, Status
from kernels.messages import Message, message
from kernels.spec import Operation

Index = QModelIndex | QPersistentModelIndex
_CHECK, _CROSS = "✓", "✕"
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_TEXT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
VARIANT, N, TIME, RATE, ERROR = range(5)
_WIDEST = {N: "1024", TIME: "0.0000", RATE: "00000", ERROR: "0.0e-0 ✓"}
"""What the columns of numbers have room for at least, besides their titles."""
_PADDING = 12
_ROW = 26
REASON = TIME
"""A row without a time says why from this column on."""


class PointsModel(QAbstractTableModel):
    """Running points first, then results: variant, n, milliseconds, the chart's quantity, relative error with a check mark."""

    def __init__(self, look: Look, operation: Operation, column: PointColumn) -> None:
        super().__init__()
        self._look = look
        self._operation = operation
        self._column = column
        self._running: tuple[LaneProgress, ...] = ()
        self._results: tuple[Result, ...] = ()

    def show_points(
        self, running: tuple[LaneProgress, ...], results: tuple[Result, ...], operation: Operation, column: PointColumn
    ) -> None:
        """Replace the rows; `results` come newest first."""
        if (running, results, operation, column) == (self._running, self._results, self._operation, self._column):
            return
        self.beginResetModel()
        self._running, self._results, self._operation, self._column = running, results, operation, column
        self.endResetModel()

    @property
    def spanned(self) -> list[int]:
        """The rows whose last columns hold one sentence."""
        refused = [len(self._running) + row for row, result in enumerate(self._results) if not result.verified]
        return [*range(len(self._running)), *refused]

    def variant_at(self, row: int) -> str:
        """The id of the variant whose point a row is, "" where there is no such row."""
        points = [lane.point for lane in self._running if lane.point is not None] + [result.point for result in self._results]
        return points[row].variant_id if 0 <= row < len(points) else ""

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._running) + len(self._results)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else ERROR + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _TEXT if section == VARIANT else _NUMBER
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            told = quantity_text(self._column.shown, self._operation)
            said = (message("variant"), message("n"), message("ms"), told, message("rel. error"))[section]
            return self._look.text(said) if role == Qt.ItemDataRole.DisplayRole else term_tip(self._look, said)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = index.row(), index.column()
        running = row < len(self._running)
        if role == Qt.ItemDataRole.ToolTipRole and column == RATE and not running:
            value = self._column.value(self._results[row - len(self._running)])
            if isinstance(value, Message):
                return self._look.text(value)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._running_text(row, column) if running else self._text(self._results[row - len(self._running)], column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _TEXT if column == VARIANT or (column == REASON and row in self.spanned) else _NUMBER
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = self._look.theme
            if running:
                return theme.now_text
            return theme.t1 if self._results[row - len(self._running)].verified else theme.bad
        return None

    def _running_text(self, row: int, column: int) -> str:
        lane = self._running[row]
        assert lane.point is not None
        if column == VARIANT:
            return self._look.text(name_of(lane.point.variant, lane.point.parameters))
        if column == N:
            return str(lane.point.problem.n)
        if column == REASON and lane.samples:
            return self._look.text(message("run {done} of {most}", done=lane.samples, most=lane.samples_at_most))
        return ""

    def _text(self, result: Result, column: int) -> str:
        number = self._look.translator.number
        if column == VARIANT:
            name = self._look.text(name_of(result.point.variant, result.point.parameters))
            return name if result.verified else f"{_CROSS} {name}"
        if column == N:
            return str(result.point.problem.n)
        if not result.verified:
            return self._look.text(result.reason or message("No time.")) if column == REASON else ""
        if column == TIME:
            single = " ×1" if result.status is Status.SINGLE else ""
            return number(result.median_ms or 0.0) + single
        if column == RATE:
            value = self._column.value(result)
            return number(value) if isinstance(value, float) else "—"
        return _CHECK if result.relative_error is None else f"{_short(result.relative_error)} {_CHECK}"


def _short(error: float) -> str:
    """An error with two figures: 3.1e-7."""
    mantissa, _, exponent = f"{error:.1e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


class PointsTable(QTableView):
    """Shows a `PointsModel`; long reasons wrap over the columns that they have no numbers for."""

    def __init__(self, look: Look, model: PointsModel) -> None:
        super().__init__()
        self._points = model
        self.setModel(model)
        self.setFont(look.theme.font("small"))
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
        model.modelReset.connect(self._span_reasons)
        model.modelReset.connect(self._fit_columns)

    def showEvent(self, event: QShowEvent) -> None:
        """Only now the titles have the type of the style."""
        super().showEvent(event)
        self._fit_columns()

    def _span_reasons(self) -> None:
        self.clearSpans()
        for row in self._points.spanned:
            self.setSpan(row, REASON, 1, self._points.columnCount() - REASON)

    def _fit_columns(self) -> None:
        """Numbers take what they need, so that names have the rest."""
        titles, advance = self.horizontalHeader(), self.fontMetrics().horizontalAdvance
        spanned = set(self._points.spanned)
        timed = [row for row in range(self._points.rowCount()) if row not in spanned]
        for column, least in _WIDEST.items():
            shown = (
                [] if column == RATE else [self._points.index(row, column).data() for row in timed]
            )  # a rate is worked out when it is seen
            self.setColumnWidth(column, max(titles.sectionSizeHint(column), max(map(advance, (least, *shown))) + _PADDING))
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Rows are as high as their name and their reason need at the present width."""
        room = sum(self.columnWidth(column) for column in range(REASON, self._points.columnCount()))
        spanned = set(self._points.spanned)
        for row in range(self._points.rowCount()):
            needed = self._height(row, VARIANT, self.columnWidth(VARIANT))
            if row in spanned:
                needed = max(needed, self._height(row, REASON, room))
            if needed != self.rowHeight(row):
                self.setRowHeight(row, needed)

    def _height(self, row: int, column: int, room: int) -> int:
        text, metrics = self._points.index(row, column).data() or "", self.fontMetrics()
        if metrics.horizontalAdvance(text) + _PADDING <= room:
            return self._row
        return max(self._row, metrics.boundingRect(0, 0, max(room - _PADDING, 60), 1000, Qt.TextFlag.TextWordWrap, text).height() + 10)
