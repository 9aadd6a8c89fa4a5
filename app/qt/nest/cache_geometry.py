"""Where the parts of the cache view stand: the grid of sets and ways, the legend, and the bars of the other levels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

MOST_COLUMNS = 64
LEFT, TOP, EDGE = 30.0, 18.0, 14.0
LEGEND, BAR, NOTE = 22.0, 22.0, 20.0
_MOST_CELL = (190.0, 64.0)
_NARROW = 330.0
"""Below this width the legend and the note take more lines, if the view is higher than that."""


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """`grid` has a column for each set, or for `sets` of them, and a row for each way."""

    grid: QRectF
    columns: int
    ways: int
    sets: int
    """Sets that a column stands for; with more than one its rows have no meaning."""
    legend: QRectF
    bars: tuple[QRectF, ...]
    note: QRectF

    @property
    def cell(self) -> tuple[float, float]:
        return self.grid.width() / self.columns, self.grid.height() / self.ways

    def rect(self, place: int, way: int) -> QRectF:
        """The cell of a way of a set; where a column stands for several sets, that column."""
        width, height = self.cell
        left = self.grid.left() + place // self.sets * width
        if self.sets > 1 or way < 0:
            return QRectF(left, self.grid.top(), width, self.grid.height())
        return QRectF(left, self.grid.top() + way * height, width, height)

    def column(self, place: int) -> QRectF:
        """All ways of a set."""
        return self.rect(place, -1)

    def place_at(self, point: QPointF) -> tuple[int, int] | None:
        """Set and way under a point, the first set of a column that stands for several; None outside of the grid."""
        if not self.grid.contains(point):
            return None
        width, height = self.cell
        column = min(int((point.x() - self.grid.left()) / width), self.columns - 1)
        return column * self.sets, min(int((point.y() - self.grid.top()) / height), self.ways - 1)


def lay_out_cache(area: QRectF, sets: int, ways: int, others: int) -> CacheLayout:
    """Divide `area` for a level of so many sets and ways, with bars for so many other levels below. What has no room is left empty."""
    together = math.ceil(sets / MOST_COLUMNS)
    columns = math.ceil(sets / together)
    narrow = area.width() < _NARROW and area.height() > _NARROW
    legend_height, note_height = (2 * LEGEND, 3 * NOTE) if narrow else (LEGEND, NOTE)
    below = legend_height + note_height + BAR * others + 6
    height = min(area.height() - TOP - below, ways * _MOST_CELL[1])
    width = min(area.width() - LEFT - EDGE, columns * _MOST_CELL[0])
    cell = width / columns if together > 1 or columns > width / 4 else math.floor(width / columns)
    row = max(math.floor(height / ways), 2)
    grid = QRectF(area.left() + LEFT, area.top() + TOP, cell * columns, row * ways)
    y = grid.bottom() + 6
    whole = area.width() - EDGE - LEFT
    legend = QRectF(grid.left(), y, whole, legend_height)
    bars = tuple(QRectF(area.left() + 4, legend.bottom() + number * BAR, area.width() - EDGE - 4, BAR) for number in range(others))
    note = QRectF(grid.left(), legend.bottom() + others * BAR, whole, note_height)
    return CacheLayout(grid, columns, ways, together, legend, bars, note)
