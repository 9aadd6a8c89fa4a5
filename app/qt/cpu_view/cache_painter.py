"""Painter of a cache as sets by ways, with what the step looked up, a legend, and bars of the other levels.

The hue of a line says which matrix it is of, its shade how long ago it was used; a name or a mark says it too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from app.core.cpu_view.addresses import short_name
from app.core.cpu_view.cache_counters import Ints
from app.core.cpu_view.caches import CacheFrame, Lookup, StageCaches
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.base.vector import is_vector
from app.qt.matrix.cells import readable_on
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

MOST_COLUMNS = 64
LEFT, TOP, EDGE = 40.0, 18.0, 14.0
LEGEND, BAR, NOTE = 22.0, 22.0, 20.0
_MOST_CELL = (190.0, 64.0)
_NARROW = 330.0
"""Below this width the legend and the note take more lines, if the view is higher than that."""


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """Layout of a level: `grid` has a column for each set, or for `sets` of them, and a row for each way."""

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
        """Return the place of all ways of a set."""
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


AGES = 4


def age_step(age: int, ways: int) -> int:
    """Return the step of age, from 0 (used last) to AGES - 1 (leaves next), of a line that `age` others of its set were used after."""
    return min(age * AGES // max(ways, 1), AGES - 1)


def line_colour(name: str, step: int, theme: Theme) -> QColor:
    """The fill of a line of a matrix in one of the steps of age."""
    return _shades(*(colour.rgb() for colour in theme.matrix(name)))[step]


@lru_cache(maxsize=64)
def _shades(*tones: int) -> tuple[QColor, ...]:
    """Painters ask for each line of each frame; there are few matrices."""
    strong, middle, tint = map(QColor, tones)
    return mixed(strong, middle, 0.7), middle, mixed(middle, tint, 0.5), tint


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """`share` of one colour, the rest of another."""
    rest = 1 - share
    return QColor.fromRgbF(
        share * one.redF() + rest * other.redF(), share * one.greenF() + rest * other.greenF(), share * one.blueF() + rest * other.blueF()
    )


def paint_mark(painter: QPainter, name: str, cell: QRectF, ink: QColor) -> None:
    """Where no name fits: nothing for A, a bar below for B, a bar at the left for C, both for any other array."""
    thick = 1.0 if min(cell.width(), cell.height()) < 8 else 2.0
    if name != "A" and name != "C":
        painter.fillRect(QRectF(cell.left(), cell.bottom() - thick, cell.width(), thick), ink)
    if name != "A" and name != "B":
        painter.fillRect(QRectF(cell.left(), cell.top(), thick, cell.height()), ink)


_LETTER = (8.0, 10.0)
"""The smallest cell with room for the matrix's name."""
_TAG_HEIGHT, _TAG_PAD = 16.0, 12.0
_TAGGED = 32.0
"""The lowest cell with room for a name, and on its edge for a tag."""
_BESIDE = 8.0
_RING = 2.0
_WHOLE_FROM = 28.0
"""The width of a cell in which a line may have its whole name."""
_EMPTY, _NOT_DRAWN = -1, -2


def fetched_text(miss: Lookup) -> Message:
    """What the tag says of a line that was fetched: the way that it was put in."""
    return message("miss, way {way}", way=miss.way) if miss.way >= 0 else message("miss, not kept")


def tag_place(layout: CacheLayout, place: int, way: int, width: float, right: float) -> QRectF | None:
    """Where a tag of this width covers no name: on the edge of its row, beside a cell without one or beside the grid; None where nowhere.

    Nothing is drawn beyond `right`.
    """
    cell, grid = layout.rect(place, way), layout.grid
    named = layout.sets == 1 and cell.width() >= _LETTER[0] and cell.height() >= _LETTER[1]
    if named and cell.height() >= _TAGGED:
        edge = cell.top() if way and way + 1 == layout.ways else cell.bottom()
        left = min(max(cell.center().x() - width / 2, grid.left()), max(right - width, 0.0))
        return QRectF(left, edge - _TAG_HEIGHT / 2, width, _TAG_HEIGHT)
    left = (grid if named else cell).right() + _BESIDE
    if left + width > right:
        if named:
            return None
        left = cell.left() - _BESIDE - width
    return QRectF(left, cell.center().y() - _TAG_HEIGHT / 2, width, _TAG_HEIGHT)


class CacheLines:
    """Draws the lines of a level into an image, and of the next frame those that have changed."""

    def __init__(self, look: Look) -> None:
        self._theme = look.theme
        self._kept: tuple[object, QImage] | None = None
        self._drawn = np.zeros((0, 0, 0), np.int64)

    def paint(self, painter: QPainter, caches: StageCaches, frame: CacheFrame, layout: CacheLayout, ratio: float) -> None:
        """What each way of each set holds, and how long ago it was used; `ratio` device pixels are one of the view."""
        if is_vector(painter):
            painter.fillRect(layout.grid, self._theme.line)
            self._paint_cells(painter, caches, frame, layout, np.argwhere(np.ones_like(frame.content.line)))
            return
        key, shown = (caches, frame.level, layout.grid, ratio), _state(frame)
        if self._kept is None or self._kept[0] != key:
            self._kept, self._drawn = (key, self._empty(layout.grid, ratio)), np.full_like(shown, _NOT_DRAWN)
        image, changed = self._kept[1], np.argwhere((shown != self._drawn).any(axis=0))
        if len(changed):
            own = QPainter(image)
            self._paint_cells(own, caches, frame, layout, changed)
            own.end()
            self._drawn = shown
        painter.drawImage(QPointF(0, 0), image)

    def _empty(self, grid: QRectF, ratio: float) -> QImage:
        """An image from the corner of the view to that of the grid, so that its pixels are those of the view at any ratio."""
        image = QImage(math.ceil(grid.right() * ratio), math.ceil(grid.bottom() * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(self._theme.bg2)
        own = QPainter(image)
        own.fillRect(grid, self._theme.line)
        own.end()
        return image

    def _paint_cells(self, painter: QPainter, caches: StageCaches, frame: CacheFrame, layout: CacheLayout, cells: Ints) -> None:
        theme, content, ways = self._theme, frame.content, frame.level.ways
        width, height = layout.cell
        gap = 1.0 if min(width, height) >= 6 else 0.5
        font = self._name_font(width, height)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        for place, way in cells.tolist():
            cell, line = layout.rect(place, way).adjusted(0, 0, -gap, -gap), int(content.line[place, way])
            if line < 0:
                painter.fillRect(cell, theme.bg2)
                continue
            name = caches.history.arrays[content.array[place, way]]
            fill = line_colour(name, age_step(int(content.age[place, way]), ways), theme)
            painter.fillRect(cell, fill)
            whole = caches.addresses.line_name(line, frame.level.line) if cell.width() > _WHOLE_FROM else name
            _paint_name(painter, name, whole, cell, readable_on(fill, theme), metrics)

    def _name_font(self, width: float, height: float) -> QFont:
        font = self._theme.font("small")
        font.setPixelSize(max(8, min(12, round(height * 0.6), round(width * 0.9))))
        return font


def _state(frame: CacheFrame) -> Ints:
    """All that the picture of each way of each set depends on."""
    content = frame.content
    ages = np.minimum(content.age * AGES // max(frame.level.ways, 1), AGES - 1)
    return np.where(content.line < 0, _EMPTY, np.stack((content.line, content.array, ages)))


def _paint_name(painter: QPainter, name: str, whole: str, cell: QRectF, ink: QColor, metrics: QFontMetricsF) -> None:
    """Paint what the line holds, or the name of its matrix, or its mark."""
    if cell.width() < _LETTER[0] or cell.height() < _LETTER[1]:
        paint_mark(painter, name, cell, ink)
        return
    painter.setPen(ink)
    lines = name_in_cell(name, whole, cell, metrics)
    top = cell.center().y() - len(lines) * metrics.height() / 2
    for number, line in enumerate(lines):
        place = QRectF(cell.left(), top + number * metrics.height(), cell.width(), metrics.height())
        painter.drawText(place if len(lines) > 1 else cell, Qt.AlignmentFlag.AlignCenter, line)


def name_in_cell(name: str, whole: str, cell: QRectF, metrics: QFontMetricsF) -> tuple[str, ...]:
    """As much of a line's name as a cell has room for, in two lines where it is high enough for a tag beside them. One that goes on in the
    next row is not named as one of its first row alone."""
    short, border = short_name(name), "].." if "].." in whole else "]["
    row, found, columns = whole.partition(border)
    brief = whole.partition("]")[0] + "]" if "]" in whole else short + whole.removeprefix(name)
    two_lines = ((row + border[0], border[1:] + columns),) if found and cell.height() >= 2 * metrics.height() + _TAG_HEIGHT else ()
    rows = ((brief + ".." + columns.partition("]")[0] + "]",), (brief + "..",)) if border == "].." else ((brief,),)
    texts = ((whole,), *two_lines, *rows, (short,))
    return next((each for each in texts if max(map(metrics.horizontalAdvance, each)) <= cell.width() - 4), (short[:1],))


class CachePainter:
    """Draws one frame in one layout, over the lines."""

    def __init__(self, painter: QPainter, look: Look, caches: StageCaches, frame: CacheFrame, layout: CacheLayout) -> None:
        self._painter = painter
        self._look = look
        self._theme = look.theme
        self._frame = frame
        self._layout = layout
        self._arrays = caches.history.arrays

    def paint(self) -> None:
        """The shares where there is no room for lines, the numbers of sets and ways, and the rings of the step."""
        if self._layout.sets > 1:
            self._paint_shares()
        self._paint_numbers()
        self._paint_lookups(self._frame.lookups)

    def _paint_shares(self) -> None:
        """Columns of several sets: from below how many of their ways each array has."""
        painter, layout, content = self._painter, self._layout, self._frame.content
        columns, together = layout.columns, layout.sets
        padded = np.full((columns * together, content.array.shape[1]), -1, np.int64)
        padded[: len(content.array)] = content.array
        by_column = padded.reshape(columns, -1)
        painter.fillRect(layout.grid, self._theme.bg2)
        width = layout.cell[0]
        for column, arrays in enumerate(by_column):
            bottom = layout.grid.bottom()
            counts = np.bincount(arrays[arrays >= 0], minlength=len(self._arrays))
            for number, name in enumerate(self._arrays):
                height = layout.grid.height() * float(counts[number]) / by_column.shape[1]
                if height > 0:
                    bar = QRectF(layout.grid.left() + column * width, bottom - height, max(width - 1, 1), height)
                    painter.fillRect(bar, line_colour(name, 1, self._theme))
                    paint_mark(painter, name, bar, self._theme.bg2)
                    bottom -= height
        painter.setPen(self._theme.line)
        painter.drawRect(layout.grid)

    def _paint_numbers(self) -> None:
        """The numbers of the sets above, of the ways at the left, as many as there is room for."""
        painter, layout, theme = self._painter, self._layout, self._theme
        width, height = layout.cell
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.t3)
        every = next(step for step in (1, 2, 4, 8, 16, 32, 64) if width * step >= 26 or step == 64)
        for column in range(0, layout.columns, every):
            label = QRectF(layout.grid.left() + column * width, layout.grid.top() - 17, max(width, 26), 16)
            align = Qt.AlignmentFlag.AlignHCenter if every == 1 else Qt.AlignmentFlag.AlignLeft
            painter.drawText(label, align | Qt.AlignmentFlag.AlignVCenter, str(column * layout.sets))
        painter.drawText(
            QRectF(layout.grid.left() - LEFT, layout.grid.top() - 17, LEFT - 6, 16),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._look.text(message("set")),
        )  # fmt: skip
        if layout.sets > 1:
            return
        skip = next(step for step in (1, 2, 4, 8, 16) if height * step >= 14 or step == 16)
        for way in range(0, layout.ways, skip):
            row = QRectF(layout.grid.left() - LEFT, layout.grid.top() + way * height, LEFT - 6, max(height, 14))
            said = str(way) if way else self._look.text(message("way {way}", way=way))
            painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, said)

    def _paint_lookups(self, lookups: Sequence[Lookup]) -> None:
        """Paint the lookups: each set is outlined; what was there has a violet ring, what was fetched a crimson one with its way."""
        painter, theme, layout = self._painter, self._theme, self._layout
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.now, 1.5))
        for place in {each.set for each in lookups}:
            painter.drawRect(layout.column(place).adjusted(-1.5, -1.5, 0.5, 0.5))
        missed = [each for each in lookups if not each.hit]
        rings = {(each.set, each.way): each.hit for each in lookups if each.hit} | {(each.set, each.way): False for each in missed}
        for (place, way), hit in rings.items():
            painter.setPen(QPen(theme.now if hit else theme.bad, _RING if hit else _RING + 0.5))
            painter.drawRect(layout.rect(place, way).adjusted(0.5, 0.5, -1.5, -1.5))
        if missed:
            self._paint_tag(missed[0])

    def _paint_tag(self, miss: Lookup) -> None:
        """Paint, for the first line that was fetched, the way that it was put in; the ring says it where a tag would cover a name."""
        painter, theme = self._painter, self._theme
        text = self._look.text(fetched_text(miss))
        font = theme.font("label")
        width = QFontMetricsF(font).horizontalAdvance(text) + _TAG_PAD
        cell = self._layout.rect(miss.set, miss.way)
        tag = tag_place(self._layout, miss.set, miss.way, width, painter.window().width())
        if tag is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.bad, 1))
        for near, far in ((tag.left(), cell.right()), (cell.left(), tag.right())):
            if near - far > _BESIDE / 2:
                painter.drawLine(QPointF(far, tag.center().y()), QPointF(near, tag.center().y()))
        painter.setBrush(theme.bg1)
        painter.drawRoundedRect(tag, 6, 6)
        painter.setFont(font)
        painter.setPen(theme.bad)
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
