"""Marks over the elements: names, ticks, the rectangles of the tile step with their guides, and what belongs to the selection."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.core.base.picture_parts import Tick
from app.core.frames.matrix import Arrangement, Box, MatrixFrame
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.matrix.geometry import EDGE, NAME_DISTANCE, Layout, Lens, MatrixBox
from kernels.base.messages import Message, message

TILE_LINE = 2.0
_MOST_CROSSED, _CROSS = 1024, 5.0
"""Elements that are crossed out one by one, and how wide they must be drawn."""
_FROM_NAME = 10.0
"""Between a name and the tag behind it."""


def paint_name(
    painter: QPainter, name: str, colour: QColor, place: MatrixBox, look: Look, size: Message | None = None, until: float = math.inf,
    behind: float = 0.0,
) -> float:  # fmt: skip
    """Paint the matrix's name and size above it, with its scale where there is room, on a ground of their own where a path passes behind.

    What is no matrix has a `size` of its own. All ends before `until`, where the next name begins: over a narrow matrix they begin left of
    it. The scale leaves room for what is so wide `behind` it. Returns where they end.
    """
    theme = look.theme
    base = place.origin - QPointF(0, 9)
    advance = QFontMetricsF(theme.font("sentence")).horizontalAdvance(name)
    metrics = QFontMetricsF(theme.font("small"))
    text = look.text(size or message("{rows} × {columns}", rows=place.shape[0], columns=place.shape[1]))
    if place.factor > 1:
        scaled = text + "   " + look.text(message("1 cell = {factor} × {factor}", factor=place.factor))
        text = scaled if advance + 8 + metrics.horizontalAdvance(scaled) + behind <= place.area.width() + EDGE else text
    width = advance + 8 + metrics.horizontalAdvance(text)
    base.setX(max(min(base.x(), until - width - NAME_DISTANCE), 2.0))
    painter.fillRect(QRectF(base.x() - 2, base.y() - 14, width + 6, 19), theme.bg2)
    painter.setFont(theme.font("sentence"))
    painter.setPen(colour)
    painter.drawText(base, name)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    painter.drawText(base + QPointF(advance + 8, 0), text)
    return float(base.x() + width)


def paint_row_ticks(painter: QPainter, ticks: Sequence[Tick], place: MatrixBox, colour: QColor, theme: Theme) -> None:
    """Labels along the left edge: the present one stands out, others where there is room."""
    area, height = place.area, QFontMetricsF(theme.font("caption")).height()
    for tick, centre in _with_room(ticks, place, [height] * len(ticks)):
        rect = QRectF(area.left() - 62, area.top() + centre - 10, 55, 20)
        _paint_tick(painter, rect, tick, colour, theme, Qt.AlignmentFlag.AlignRight)


def paint_column_ticks(painter: QPainter, ticks: Sequence[Tick], place: MatrixBox, colour: QColor, theme: Theme) -> None:
    """Paint ticks of columns along the lower edge of a matrix, as many as have room."""
    area, metrics = place.area, QFontMetricsF(theme.font("label"))
    widths = [metrics.horizontalAdvance(tick.text) + 8 for tick in ticks]
    for tick, centre in _with_room(ticks, place, widths):
        rect = QRectF(area.left() + centre - 40, area.bottom() + 4, 80, 18)
        _paint_tick(painter, rect, tick, colour, theme, Qt.AlignmentFlag.AlignHCenter)


def paint_guides(painter: QPainter, tiles: Mapping[str, Box], layout: Layout, arrangement: Arrangement, theme: Theme) -> None:
    """Dotted lines from the tile of A and the tile of B to the tile of C; for a transposition from a tile to its mirror image.

    None from a matrix that was turned: its rows run along k, not along those of C.
    """
    if not (arrangement.crossed or arrangement.mirrored):
        return
    rects = {name: layout.matrices[name].rect(tile) for name, tile in tiles.items() if name != "A" or not arrangement.turned}
    if "C" not in rects:
        return
    c = rects["C"]
    lines: dict[str, list[QLineF]] = {}
    if "B" in rects:
        b = rects["B"]
        lines["B"] = [QLineF(x, b.bottom(), x, c.top()) for x in (b.left(), b.right())]
        if "A" in rects:
            lines["A"] = [QLineF(rects["A"].right(), y, c.left(), y) for y in (rects["A"].top(), rects["A"].bottom())]
    elif "A" in rects:
        lines["A"] = [QLineF(rects["A"].topRight(), c.topLeft()), QLineF(rects["A"].bottomRight(), c.bottomLeft())]
    for name, drawn in lines.items():
        pen = QPen(theme.matrix(name)[1], 1.5, Qt.PenStyle.DotLine)
        painter.setPen(pen)
        painter.drawLines(drawn)


def paint_tiles(painter: QPainter, tiles: Mapping[str, Box], layout: Layout, theme: Theme) -> None:
    """Paint the outline of the tile of each matrix."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, tile in tiles.items():
        pen = QPen(theme.matrix(name)[0], TILE_LINE)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(layout.matrices[name].rect(tile).adjusted(-1, -1, 0, 0))


def paint_ahead(painter: QPainter, matrix: MatrixFrame, place: MatrixBox, theme: Theme) -> None:
    """Paint dashed what is read for a later tile step."""
    if matrix.ahead is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.matrix(matrix.name)[0], 1.5, Qt.PenStyle.DashLine))
        painter.drawRect(place.rect(matrix.ahead).adjusted(-1, -1, 0, 0))


def paint_lit(painter: QPainter, matrix: MatrixFrame, place: MatrixBox, lens: Lens | None, theme: Theme) -> None:
    """Paint what belongs to the selection, in ink on a ground that sets it off."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for box in matrix.lit:
        for rect in (place.rect(box), lens.rect(box) if lens is not None else QRectF()):
            if not rect.isEmpty():
                for colour, width in ((theme.bg2, 4.0), (theme.ink, 2.0)):
                    painter.setPen(QPen(colour, width))
                    painter.drawRect(rect.adjusted(-1, -1, 0, 0))


def paint_wrong(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    """Cross out what holds a wrong value, in red on a ground that sets it off."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for rect in rects:
        for colour, width in ((theme.bg2, 3.5), (theme.bad, 1.5)):
            painter.setPen(QPen(colour, width))
            painter.drawRect(rect)
            painter.drawLine(QLineF(rect.topLeft(), rect.bottomRight()))
            painter.drawLine(QLineF(rect.topRight(), rect.bottomLeft()))


def paint_old(painter: QPainter, rects: Sequence[QRectF], words: str, room: QRectF, theme: Theme) -> None:
    """Frame what is read older than it is, in broken red lines on a ground that sets them off, with a tag at the first."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for rect in rects:
        for colour, width, style in ((theme.bg2, 4.0, Qt.PenStyle.SolidLine), (theme.bad, 2.0, Qt.PenStyle.DashLine)):
            painter.setPen(QPen(colour, width, style))
            painter.drawRect(rect.adjusted(-1, -1, 1, 1))
    if not rects:
        return
    first, metrics = rects[0], QFontMetricsF(theme.font("label"))
    size = metrics.size(0, words)
    tag = QRectF(first.right() + 8, first.center().y() - size.height() / 2 - 3, size.width() + 14, size.height() + 6)
    if tag.right() > room.right() or len(rects) > 1:
        tag.moveTo(min(first.left(), room.right() - tag.width()), first.bottom() + 5)
    painter.setPen(QPen(theme.bad, 1.5))
    painter.setBrush(theme.bg1)
    painter.drawRoundedRect(tag, tag.height() / 2, tag.height() / 2)
    painter.setFont(theme.font("label"))
    painter.setPen(theme.bad)
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)


def wrong_rects(matrix: MatrixFrame, place: MatrixBox, lens: Lens | None) -> list[QRectF]:
    """Where wrong values are drawn: element by element where these can be told apart, else as a whole."""
    found: list[QRectF] = []
    for drawn in (place, lens):
        cells = (Box(box.row + row, box.column + column, 1, 1) for box in matrix.wrong for row, column in np.ndindex(box.rows, box.columns))
        alone = [drawn.rect(cell) for cell in islice(cells, _MOST_CROSSED + 1)] if drawn is not None else []
        told = len(alone) <= _MOST_CROSSED and all(rect.width() >= _CROSS for rect in alone if not rect.isEmpty())
        found += alone if told or drawn is None else [drawn.rect(box) for box in matrix.wrong]
    return [rect.adjusted(0.5, 0.5, -1, -1) for rect in found if not rect.isEmpty()]


def paint_added(
    painter: QPainter, tile: Box | None, added: tuple[int, int], place: MatrixBox, free: tuple[float, float], look: Look
) -> None:  # fmt: skip
    """How many tile steps have been added to the tile of C, on a tag behind the matrix's name, which leaves the row `free`.

    Where there is no room it stands below the tile, or above it, in a tile that is as high as C at its lower edge.
    """
    if tile is None or added[1] <= 1:
        return
    left, beside = free[0] + _FROM_NAME, free[1] - free[0] - _FROM_NAME - 1
    text, size = tag_of(added, look, min(beside, place.area.right() + EDGE - left))
    if size.width() <= beside:
        _paint_tag(painter, QRectF(QPointF(left, place.origin.y() - 3 - size.height()), size), text, look.theme)
        return
    text, size = tag_of(added, look, place.area.width())
    rect = place.rect(tile)
    last = place.area.right() - size.width()
    left = max(min(rect.center().x() - size.width() / 2, last), min(place.area.left(), last))
    below = rect.bottom() + 5 + size.height() <= place.area.bottom() + 2
    above = rect.top() - 6 - size.height() >= place.area.top()
    top = rect.bottom() + 5 if below else rect.top() - 6 - size.height() if above else rect.bottom() - 6 - size.height()
    _paint_tag(painter, QRectF(QPointF(left, top), size), text, look.theme)


def tag_of(added: tuple[int, int], look: Look, room: float) -> tuple[str, QSizeF]:
    """What the tag says, shorter where its matrix is no wider than `room`, and how large it is."""
    (done, total), metrics, around = added, QFontMetricsF(look.theme.font("label")), QSizeF(14, 6)
    whole = look.text(message("{done} of {total} steps added", done=done, total=total))
    if (size := metrics.size(0, whole) + around).width() <= room:
        return whole, size
    short = look.text(message("{done}/{total} added", done=done, total=total))
    return short, metrics.size(0, short) + around


def _paint_tag(painter: QPainter, tag: QRectF, text: str, theme: Theme) -> None:
    painter.setPen(QPen(theme.c, 1))
    painter.setBrush(theme.bg1)
    painter.drawRoundedRect(tag, tag.height() / 2, tag.height() / 2)
    painter.setFont(theme.font("label"))
    painter.setPen(theme.t1)
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


def _with_room(ticks: Sequence[Tick], place: MatrixBox, sizes: list[float]) -> list[tuple[Tick, float]]:
    """The present label, and every other one that touches none that is kept already; with its middle, in pixels along the edge."""
    centres = [(tick.first + tick.stop) / 2 / place.factor * place.cell for tick in ticks]
    order = sorted(range(len(ticks)), key=lambda number: (not ticks[number].present, number))
    kept: list[int] = []
    for number in order:
        if all(abs(centres[number] - centres[other]) >= (sizes[number] + sizes[other]) / 2 for other in kept):
            kept.append(number)
    return [(ticks[number], centres[number]) for number in kept]


def _paint_tick(painter: QPainter, rect: QRectF, tick: Tick, colour: QColor, theme: Theme, align: Qt.AlignmentFlag) -> None:
    painter.setFont(theme.font("label" if tick.present else "caption"))
    painter.setPen(colour if tick.present else theme.t3)
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, tick.text)
