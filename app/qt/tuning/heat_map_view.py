"""The heat map: a cell for each pair of values, with its number; what cannot work is hatched, the fastest framed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.core.tuning.heat_map import Cell, CellKind, HeatMap, Place
from app.core.tuning.page_words import cell_words
from app.core.value_names import value_text
from app.qt.look import Look
from app.qt.tuning.cell_painter import paint_cell, paint_scale
from app.qt.widgets.zoomed import Zoomed
from kernels.messages import message
from kernels.spec import Parameter

_TITLE, _VALUES, _SCALE, _GAP, _EDGE = 26.0, 26.0, 44.0, 3.0, 4.0
_WIDEST_CELL, _HIGHEST_CELL = 240.0, 130.0
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class HeatMapView(Zoomed):
    """Values of y grow upwards. A click on a cell, or Enter, says `chosen` with its `Cell`; the arrows walk from cell to cell."""

    chosen = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._map: HeatMap | None = None
        self._library_ms: float | None = None
        self._cursor: Place | None = None
        self.setAccessibleName(look.text(message("Heat map of the settings")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    @property
    def picture(self) -> HeatMap | None:
        """What is shown."""
        return self._map

    def sizeHint(self) -> QSize:
        return self.grown(QSize(640, 420))

    def minimumSizeHint(self) -> QSize:
        return self.grown(QSize(300, 160))

    def show_map(self, picture: HeatMap | None, library_ms: float | None) -> None:
        """Draw another map."""
        self._map, self._library_ms = picture, library_ms
        if picture is None or self._cursor not in picture.cells:
            self._cursor = None if picture is None else picture.best or next(iter(picture.cells), None)
        self._describe()
        self.update()

    def place_of(self, place: Place) -> QRectF:
        """Where a cell is drawn."""
        assert self._map is not None
        area, columns, rows = self._area(), self._map.columns, self._map.rows
        width, height = self._cell_size()
        column, row = columns.index(place[0]), len(rows) - 1 - rows.index(place[1])
        return QRectF(area.left() + column * width, area.top() + row * height, width - _GAP, height - _GAP)

    def cell_at(self, spot: QPointF) -> Place | None:
        """The cell under a point."""
        places = self._map.cells if self._map is not None else ()
        return next((place for place in places if self.place_of(place).contains(spot)), None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._map is None:
            return
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, cell in self._map.cells.items():
            best = place == self._map.best
            paint_cell(painter, self._look, cell, self.place_of(place), self._map.range, self._library_ms, best=best)
        if self.hasFocus() and self._cursor is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.theme.now, 2, Qt.PenStyle.DashLine))
            painter.drawRect(self.place_of(self._cursor).adjusted(6, 6, -6, -6))
        self._paint_axes(painter, self._map)
        if self._map.range is not None:
            paint_scale(painter, self._look, self._map, self._scale_place())
        painter.end()

    def _paint_axes(self, painter: QPainter, picture: HeatMap) -> None:
        theme, area = self._look.theme, self._area()
        painter.setPen(theme.t1)
        painter.setFont(theme.font("sentence"))
        for value in picture.columns:
            cell = self.place_of((value, picture.rows[0]))
            below = QRectF(cell.left(), area.bottom(), cell.width(), _VALUES)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._written(picture.x, value))
        for value in picture.rows if picture.y is not None else ():
            cell = self.place_of((picture.columns[0], value))
            beside = QRectF(0, cell.top(), area.left() - 8, cell.height())
            assert picture.y is not None
            painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._written(picture.y, value))
        painter.setPen(theme.t2)
        painter.setFont(theme.font("step"))
        foot = QRectF(area.left(), area.bottom() + _VALUES, area.width(), _TITLE)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, f"{self._look.text(picture.x.title)} ({picture.x.name}) →")
        if picture.y is not None:
            head = QRectF(_EDGE, 0, self.width(), _TITLE)
            painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, f"↑ {self._look.text(picture.y.title)} ({picture.y.name})")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.cell_at(event.position())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._cursor = place
            self._choose()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._cursor is not None and self._map is not None:
            column = self._map.columns.index(self._cursor[0]) + step[0]
            row = self._map.rows.index(self._cursor[1]) + step[1]
            if 0 <= column < len(self._map.columns) and 0 <= row < len(self._map.rows):
                self._cursor = (self._map.columns[column], self._map.rows[row])
                self._describe()
                self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            place = self.cell_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if place is None else self.words_of(place), self)
            return True
        return super().event(event)

    def words_of(self, place: Place) -> str:
        """What is said of a cell."""
        assert self._map is not None
        cell: Cell = self._map.cells[place]
        return self._look.text(cell_words(cell, best=place == self._map.best))

    def _choose(self) -> None:
        if self._map is not None and self._cursor is not None and self._map.cells[self._cursor].kind is not CellKind.REFUSED:
            self.chosen.emit(self._map.cells[self._cursor])

    def _describe(self) -> None:
        self.setAccessibleDescription("" if self._map is None or self._cursor is None else self.words_of(self._cursor))

    def _written(self, parameter: Parameter, value: int) -> str:
        return self._look.text(value_text(parameter, value))

    def _left(self) -> float:
        if self._map is None or self._map.y is None:
            return _EDGE
        metrics = QFontMetricsF(self._look.theme.font("sentence"))
        return _EDGE + 16 + max(metrics.horizontalAdvance(self._written(self._map.y, value)) for value in self._map.rows)

    def _area(self) -> QRectF:
        """The cells; not larger than they need be."""
        assert self._map is not None
        width, height = self._cell_size()
        head = _TITLE if self._map.y is not None else 0.0
        return QRectF(self._left(), head, width * len(self._map.columns), height * len(self._map.rows))

    def _cell_size(self) -> tuple[float, float]:
        assert self._map is not None
        head = _TITLE if self._map.y is not None else 0.0
        width = (self.width() - self._left() - _EDGE) / len(self._map.columns)
        height = (self.height() - head - _VALUES - _TITLE - _SCALE) / len(self._map.rows)
        return min(width, _WIDEST_CELL), min(height, _HIGHEST_CELL)

    def _scale_place(self) -> QRectF:
        area = self._area()
        return QRectF(area.left(), area.bottom() + _VALUES + _TITLE, max(area.width(), 260.0), _SCALE)
