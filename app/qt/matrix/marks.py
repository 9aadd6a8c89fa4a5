"""Marks over the elements: names, ticks, the rectangles of the tile step with their guides, and the access of the step in violet.

Of an access it is shown what is read, where it lands, the way between, and the data under way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QEasingCurve, QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from app.core.base.picture_parts import Tick
from app.core.cpu_view.frame import LANDS_AT, Frame, LoopFrame, Touch
from app.core.cpu_view.tile_steps import Box
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.matrix.cells import DIGITS_FROM, digits_font, fitting_text, readable_on
from app.qt.matrix.geometry import EDGE, Layout, MatrixBox
from kernels.base.messages import Message, message
from kernels.cpusim.trace import READ

TILE_LINE = 2.0
_FROM_LENS = 8.0
"""Between a lens and the tag beside it: the lens has a frame."""


def paint_name(painter: QPainter, name: str, colour: QColor, place: MatrixBox, look: Look, size: Message | None = None) -> None:
    """The matrix's name and size above it, with its scale where there is room, on a ground of their own where a path passes behind. What is
    no matrix has a `size` of its own."""
    theme = look.theme
    base = place.origin - QPointF(0, 9)
    advance = QFontMetricsF(theme.font("sentence")).horizontalAdvance(name)
    metrics = QFontMetricsF(theme.font("small"))
    text = look.text(size or message("{rows} × {columns}", rows=place.shape[0], columns=place.shape[1]))
    if place.factor > 1:
        scaled = text + "   " + look.text(message("1 pixel = {factor} × {factor}", factor=place.factor))
        text = scaled if advance + 8 + metrics.horizontalAdvance(scaled) <= place.area.width() + EDGE else text
    width = advance + 8 + metrics.horizontalAdvance(text)
    painter.fillRect(QRectF(base.x() - 2, base.y() - 14, width + 6, 19), theme.bg2)
    painter.setFont(theme.font("sentence"))
    painter.setPen(colour)
    painter.drawText(base, name)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    painter.drawText(base + QPointF(advance + 8, 0), text)


def loop_ticks(loop: LoopFrame | None, end: int) -> tuple[Tick, ...]:
    """A label for each index of the loop that counts along an edge of `end` elements."""
    if loop is None:
        return ()
    stops = (*loop.values[1:], end)
    pairs = zip(loop.values, stops, strict=True)
    return tuple(Tick(f"{loop.name} = {value}", value, stop, value == loop.current) for value, stop in pairs)


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


def paint_guides(painter: QPainter, tiles: Mapping[str, Box], layout: Layout, theme: Theme) -> None:
    """Dotted lines from the tile of A and the tile of B to the tile of C; for a transposition from a tile to its mirror image."""
    rects = {name: layout.matrices[name].rect(tile) for name, tile in tiles.items()}
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


def paint_added(painter: QPainter, tile: Box | None, added: tuple[int, int], place: MatrixBox, look: Look) -> None:
    """How many tile steps have been added to the tile of C, on a tag at its lower edge.

    In the last row of tiles it stands at the upper edge; in a tile that is as high as C, where the name stands there, inside of it.
    """
    if tile is None or added[1] <= 1:
        return
    text, size = _tag_of(added, look)
    rect = place.rect(tile)
    last = place.area.right() - size.width()
    left = max(min(rect.center().x() - size.width() / 2, last), min(place.area.left(), last))
    below = rect.bottom() + 5 + size.height() <= place.area.bottom() + 2
    above = rect.top() - 6 - size.height() >= place.area.top()
    top = rect.bottom() + 5 if below else rect.top() - 6 - size.height() if above else rect.bottom() - 6 - size.height()
    _paint_tag(painter, QRectF(QPointF(left, top), size), text, look.theme)


def paint_added_at_lens(painter: QPainter, lens: QRectF, place: MatrixBox, added: tuple[int, int], look: Look) -> None:
    """Paint how many tile steps have been added, on a tag beside the lens in which the tile is drawn large."""
    if added[1] > 1:
        text, size = _tag_of(added, look)
        _paint_tag(painter, tag_at_lens(lens, place.area, size), text, look.theme)


def tag_at_lens(lens: QRectF, area: QRectF, size: QSizeF) -> QRectF:
    """The place of a tag above or below a lens, on the side of the matrix that has more room."""
    below = area.bottom() - lens.bottom() > lens.top() - area.top()
    top = lens.bottom() + _FROM_LENS if below else lens.top() - _FROM_LENS - size.height()
    left = min(max(lens.center().x() - size.width() / 2, area.left()), area.right() - size.width())
    return QRectF(QPointF(left, top), size)


def _tag_of(added: tuple[int, int], look: Look) -> tuple[str, QSizeF]:
    """What the tag says, and how large it is."""
    text = look.text(message("{done} of {total} steps added", done=added[0], total=added[1]))
    size = QFontMetricsF(look.theme.font("label")).size(0, text)
    return text, QSizeF(size.width() + 14, size.height() + 6)


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


NOW_LINE = 2.5
_HALO_LINE = 6.0
_ARROW = 8.0
_DASH = 6.0
_EASING = QEasingCurve(QEasingCurve.Type.InOutCubic)


def paint_access(painter: QPainter, frame: Frame, layout: Layout, theme: Theme) -> None:
    """Outline what the step touches, lead a path from each input read to its target, and draw the data at this fraction of the way."""
    target = None if frame.target is None else layout.matrices["C"].rect(frame.target)
    sources = [touch for touch in frame.touches if touch.kind == READ and touch.matrix != "C"]
    if target is not None:
        for touch in sources:
            paint_path(painter, way(layout.matrices[touch.matrix].rect(touch.box), target, layout.turn), theme, held=touch.held)
    for touch in frame.touches:
        paint_outline(painter, layout.matrices[touch.matrix].rect(touch.box), theme, dashed=touch.held)
    if target is not None:
        paint_outline(painter, target, theme, dashed=frame.pending, extra=pulse(frame.fraction))
        for touch in sources:
            if _travels(touch) and 0 < frame.fraction < LANDS_AT:
                _paint_ghost(painter, frame, touch, layout, target, theme)


def way(source: QRectF, target: QRectF, turn: float) -> QPainterPath:
    """Return the path from what is read to where it lands: straight where they share a row or a column, else turning at x = `turn`."""
    path = QPainterPath()
    if _overlap(source.left(), source.right(), target.left(), target.right()):
        path.moveTo(source.center().x(), source.bottom())
        path.lineTo(source.center().x(), target.top())
    elif _overlap(source.top(), source.bottom(), target.top(), target.bottom()):
        path.moveTo(source.right(), source.center().y())
        path.lineTo(target.left(), source.center().y())
    else:
        path.moveTo(source.right(), source.center().y())
        path.lineTo(turn, source.center().y())
        path.lineTo(turn, target.center().y())
        path.lineTo(target.left(), target.center().y())
    return path


def _travels(touch: Touch) -> bool:
    """Elements and pieces of rows or columns do; what is held is there already, and whole blocks go in no order that could be seen."""
    return not touch.held and 1 in touch.box[2:]


def _overlap(first: float, last: float, other_first: float, other_last: float) -> bool:
    return first < other_last and other_first < last


def pulse(fraction: float) -> float:
    """How much wider the target's outline is while its value changes."""
    landed = (fraction - LANDS_AT) / (1 - LANDS_AT)
    return 2.5 * math.sin(math.pi * landed) if landed > 0 else 0.0


def paint_path(painter: QPainter, path: QPainterPath, theme: Theme, *, held: bool) -> None:
    """Draw a path whose parts are level or upright: as bars, which take a tenth of the time that strokes do."""
    halo = QColor(theme.bg2)
    halo.setAlphaF(0.75)
    for bar in _bars(path, _HALO_LINE):
        painter.fillRect(bar, halo)
    for bar in _bars(path, NOW_LINE):
        for dash in _dashes(bar) if held else (bar,):
            painter.fillRect(dash, theme.now)
    _paint_arrow(painter, path, theme)


def _bars(path: QPainterPath, width: float) -> list[QRectF]:
    """A rectangle along each part of a path; at a corner both cover it."""
    points = [QPointF(path.elementAt(number).x, path.elementAt(number).y) for number in range(path.elementCount())]
    bars, half = [], width / 2
    for number, (one, other) in enumerate(pairwise(points)):
        bar = QRectF(one, other).normalized()
        before, after = (half if inner else 0.0 for inner in (number > 0, number < len(points) - 2))
        level = bar.width() >= bar.height()
        forward = other.x() >= one.x() if level else other.y() >= one.y()
        first, last = (before, after) if forward else (after, before)
        bars.append(bar.adjusted(-first, -half, last, half) if level else bar.adjusted(-half, -first, half, last))
    return bars


def _dashes(bar: QRectF) -> list[QRectF]:
    """Pieces of a bar."""
    level = bar.width() >= bar.height()
    size = bar.width() if level else bar.height()
    starts = [_DASH * number for number in range(0, math.ceil(size / _DASH), 2)]
    lengths = [min(_DASH, size - start) for start in starts]
    if level:
        return [QRectF(bar.left() + start, bar.top(), length, bar.height()) for start, length in zip(starts, lengths, strict=True)]
    return [QRectF(bar.left(), bar.top() + start, bar.width(), length) for start, length in zip(starts, lengths, strict=True)]


def _paint_arrow(painter: QPainter, path: QPainterPath, theme: Theme) -> None:
    if path.length() < 1.5 * _ARROW:
        return
    end, angle = path.pointAtPercent(1), math.radians(path.angleAtPercent(1))
    along, across = QPointF(math.cos(angle), -math.sin(angle)), QPointF(math.sin(angle), math.cos(angle))
    base = end - along * _ARROW
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.now)
    painter.drawPolygon(QPolygonF([end, base + across * _ARROW * 0.6, base - across * _ARROW * 0.6]))


def paint_outline(painter: QPainter, rect: QRectF, theme: Theme, *, dashed: bool, extra: float = 0.0) -> None:
    pen = QPen(theme.now, NOW_LINE + extra, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(-1, -1, 0, 0))


def _paint_ghost(painter: QPainter, frame: Frame, touch: Touch, layout: Layout, target: QRectF, theme: Theme) -> None:
    """A copy of the elements on their way; near the target it fades into it."""
    place = layout.matrices[touch.matrix]
    source = place.rect(touch.box)
    done = _EASING.valueForProgress(frame.fraction / LANDS_AT)
    centre = source.center() + (target.center() - source.center()) * done
    path = way(source, target, layout.turn)
    if path.elementCount() > 2:
        centre = path.pointAtPercent(done)
    size = QSizeF(max(source.width(), 8.0), max(source.height(), 8.0))
    ghost = QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size)
    fill = theme.matrix(touch.matrix)[0]
    painter.save()
    painter.setOpacity(painter.opacity() * min(1.0, 4 * (1 - done) + 0.25))
    painter.setPen(QPen(theme.now, NOW_LINE))
    painter.setBrush(fill)
    painter.drawRect(ghost)
    if place.cell >= DIGITS_FROM and touch.box.rows * touch.box.columns == 1:
        font = digits_font(theme, place.cell)
        value = float(frame.matrix(touch.matrix).values[touch.box.row, touch.box.column])
        painter.setFont(font)
        painter.setPen(readable_on(fill, theme))
        painter.drawText(ghost, Qt.AlignmentFlag.AlignCenter, fitting_text(value, QFontMetricsF(font), place.cell - 1))
    painter.restore()
