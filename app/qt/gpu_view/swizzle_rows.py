"""Painter of what lies where in a layout of a tile: rows of banks in words and by colour, those that come into sight drawn together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.qt.base.look import Look
from app.qt.base.theme import Theme, sized
from app.qt.gpu_view.drawing import FigureRow, Pictures
from app.qt.gpu_view.swizzle_geometry import AXIS, GUTTER, LayoutGrid
from kernels.analysis.banks import BANKS
from kernels.base.messages import message

LEFT, CENTRE, RIGHT = (side | Qt.AlignmentFlag.AlignVCenter for side in (
    Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight))  # fmt: skip
_AXIS_EVERY = 4
_SMALLEST, LEGIBLE = 8, 10
"""Sizes of type; in a hall the second one is read from the back."""
_NUMBER_FROM, BOTH_FROM = 13.0, 30.0
"""Widths of a place with room for one number, and for two."""
_MOST_FIGURES = 32
Held = Sequence[tuple[float, list[int], list[int]]]
"""The tops of rows, and of each place in them which line and piece of the tile lies there."""


class RowsPainter:
    """Each row is kept as a picture: when others come into sight, those that stay are not drawn anew."""

    def __init__(self, look: Look, kept: Pictures) -> None:
        self._look, self._kept = look, kept
        self._figures = lru_cache(maxsize=_MOST_FIGURES)(_figures)

    def paint(self, painter: QPainter, grid: LayoutGrid, ratio: float) -> None:
        """What lies where, parted where rows are left out. Beside it the rows' numbers, above it those of the banks."""
        length, left, top = grid.area.width(), grid.area.left() - GUTTER, grid.axis + AXIS
        width = GUTTER + length + 1
        axis = partial(_paint_axis, width=length, look=self._look)
        self._kept.draw(painter, QPointF(left, grid.axis), ("axis", width), QSizeF(width, AXIS), ratio, axis)
        rows = [(QPointF(left, top + number * grid.row), (grid.side.held[row], grid.unit)) for number, row in enumerate(grid.rows)]
        self._kept.draw_all(painter, rows, QSizeF(width, grid.row), ratio, partial(self._paint_rows, grid=grid))
        painter.setPen(QPen(self._look.theme.line2, 1, Qt.PenStyle.DotLine))
        for number, (before, row) in enumerate(zip(grid.rows, grid.rows[1:], strict=False), 1):
            if row != before + 1:
                between = top + number * grid.row
                painter.drawLine(QPointF(grid.area.left(), between), QPointF(grid.area.left() + length, between))

    def _paint_rows(self, painter: QPainter, rows: Sequence[tuple[float, int]], grid: LayoutGrid) -> None:
        """Rows at these tops. First all places, then all words: to change pens takes longer than to draw."""
        side, theme = grid.side, self._look.theme
        held = [(top, side.line[grid.rows[row]].tolist(), side.chunk[grid.rows[row]].tolist()) for top, row in rows]
        _paint_units(painter, held, grid, theme)
        if grid.row >= 11:
            painter.setPen(theme.t2)
            self._write_units(painter, held, grid)
        if grid.row >= 12:
            painter.setPen(theme.t3)
            self._write_numbers(painter, held, grid)

    def _write_numbers(self, painter: QPainter, held: Held, grid: LayoutGrid) -> None:
        """The line of the tile beside a row, where it holds no other."""
        figures = self._figures("caption", self._look.theme.font("caption").pixelSize(), None, ((0.0, 0.0, GUTTER - 5, grid.row),), RIGHT)
        found = ((top, {each for each in lines if each >= 0}) for top, lines, _ in held)
        figures.write(painter, [(top, [str(line) for line in lines]) for top, lines in found if len(lines) == 1])

    def _write_units(self, painter: QPainter, held: Held, grid: LayoutGrid) -> None:
        """What stands in the places, as large as a row has room for."""
        size, places = max(0.62 * grid.row, min(0.8 * grid.row, LEGIBLE)), tuple(place.getRect() for place in _places(grid))
        rows: dict[int, list[tuple[float, list[str]]]] = {}
        for top, lines, chunks in held:
            texts = [unit_text(*each, grid.unit) if each[0] >= 0 else "" for each in zip(lines, chunks, strict=True)]
            rows.setdefault(fitted(size, texts, grid.unit - 3, QFont.Weight.Normal).pixelSize(), []).append((top, texts))
        for pixels, these in rows.items():
            self._figures("label", pixels, QFont.Weight.Normal, places, CENTRE).write(painter, these)


def _figures(role: str, pixels: int, weight: int | None, places: tuple[tuple[float, ...], ...], flags: Qt.AlignmentFlag) -> FigureRow:
    return FigureRow(sized(role, pixels, weight), [QRectF(*place) for place in places], flags)


def _paint_axis(painter: QPainter, width: float, look: Look) -> None:
    """The numbers of the banks."""
    bank = width / BANKS
    painter.setFont(look.theme.font("caption"))
    painter.setPen(look.theme.t3)
    for number in range(0, BANKS, _AXIS_EVERY):
        painter.drawText(QRectF(GUTTER + number * bank, 0, bank * _AXIS_EVERY, AXIS), LEFT, str(number))
    painter.drawText(QRectF(0, 0, GUTTER - 4, AXIS), RIGHT, look.text(message("bank")))


def _places(grid: LayoutGrid) -> list[QRectF]:
    """Of a row at the top."""
    return [QRectF(GUTTER + number * grid.unit, 0, grid.unit - 1, grid.row - 1) for number in range(grid.side.line.shape[1])]


def _paint_units(painter: QPainter, held: Held, grid: LayoutGrid, theme: Theme) -> None:
    """Places in the colours of what lies there, or empty."""
    places, fills = _places(grid), [tint for tint, _ in theme.warps]
    painter.setPen(QPen(theme.line, 1))
    painter.setBrush(Qt.BrushStyle.BDiagPattern)
    for top, lines, chunks in held:
        for place, line, chunk in zip(places, lines, chunks, strict=True):
            if line >= 0:
                painter.fillRect(place.translated(0, top), fills[chunk % len(fills)])
            else:
                painter.drawRect(place.translated(0, top).adjusted(0, 0, -1, -1))


def tints(theme: Theme, chunk: int) -> tuple[QColor, QColor]:
    """The colours of a piece: where it lies, and where it is asked for."""
    return theme.warps[chunk % len(theme.warps)]


def unit_text(line: int, chunk: int, width: float) -> str:
    """Row and piece, or the piece alone, or nothing: what there is room for."""
    return f"{line}:{chunk}" if width >= BOTH_FROM else str(chunk) if width >= _NUMBER_FROM else ""


def fitted(size: float, texts: Sequence[str], room: float, weight: int) -> QFont:
    """Type of a size, or so much smaller that the longest of the texts has room."""
    pixels, longest = max(_SMALLEST, min(16, round(size))), max(texts, key=len, default="")
    while pixels > _SMALLEST and QFontMetricsF(sized("label", pixels, weight)).horizontalAdvance(longest) > room:
        pixels -= 1
    return sized("label", pixels, weight)
