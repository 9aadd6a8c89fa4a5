"""What is drawn over the elements: names, ticks, the rectangles of the tile step and their guides."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from app.core.frames import Frame, LoopFrame, MatrixFrame
from app.qt.look import Look
from app.qt.stage.geometry import Layout, MatrixPlace
from app.qt.theme import Theme
from kernels.messages import message

TILE_LINE = 2.0


def paint_name(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, look: Look) -> None:
    """The matrix's name and size above it, on a ground of their own where a path passes behind."""
    theme = look.theme
    base = place.origin - QPointF(0, 9)
    advance = QFontMetricsF(theme.font("sentence")).horizontalAdvance(matrix.name)
    text = look.text(message("{rows} × {columns}", rows=matrix.shape[0], columns=matrix.shape[1]))
    if place.factor > 1:
        text += "   " + look.text(message("1 pixel = {factor} × {factor}", factor=place.factor))
    width = advance + 8 + QFontMetricsF(theme.font("small")).horizontalAdvance(text)
    painter.fillRect(QRectF(base.x() - 2, base.y() - 14, width + 6, 19), theme.bg2)
    painter.setFont(theme.font("sentence"))
    painter.setPen(theme.matrix(matrix.name)[0])
    painter.drawText(base, matrix.name)
    painter.setFont(theme.font("small"))
    painter.setPen(theme.t3)
    painter.drawText(base + QPointF(advance + 8, 0), text)


def paint_row_ticks(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    """The indices of the loop that counts along the left edge: the present one stands out, others where there is room."""
    loop = matrix.ticks[0]
    if loop is None:
        return
    area, height = place.area, QFontMetricsF(theme.font("caption")).height()
    for value, centre in _with_room(loop, _centres(loop, place, matrix.shape[0]), [height] * len(loop.values)):
        rect = QRectF(area.left() - 62, area.top() + centre - 10, 55, 20)
        _paint_tick(painter, rect, loop, value, matrix.name, theme, Qt.AlignmentFlag.AlignRight)


def paint_column_ticks(painter: QPainter, matrix: MatrixFrame, place: MatrixPlace, theme: Theme) -> None:
    """The same along the lower edge."""
    loop = matrix.ticks[1]
    if loop is None:
        return
    area, metrics = place.area, QFontMetricsF(theme.font("label"))
    widths = [metrics.horizontalAdvance(_tick_text(loop, value)) + 8 for value in loop.values]
    for value, centre in _with_room(loop, _centres(loop, place, matrix.shape[1]), widths):
        rect = QRectF(area.left() + centre - 40, area.bottom() + 4, 80, 18)
        _paint_tick(painter, rect, loop, value, matrix.name, theme, Qt.AlignmentFlag.AlignHCenter)


def paint_guides(painter: QPainter, frame: Frame, layout: Layout, theme: Theme) -> None:
    """Dotted lines from the tile of A and the tile of B to the tile of C; for a transposition from a tile to its mirror image."""
    rects = {m.name: layout.matrices[m.name].rect(m.tile) for m in frame.matrices if m.tile is not None}
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


def paint_tiles(painter: QPainter, frame: Frame, layout: Layout, theme: Theme) -> None:
    """The outline of the tile of each matrix."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for matrix in frame.matrices:
        if matrix.tile is not None:
            pen = QPen(theme.matrix(matrix.name)[0], TILE_LINE)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            painter.setPen(pen)
            painter.drawRect(layout.matrices[matrix.name].rect(matrix.tile).adjusted(-1, -1, 0, 0))


def paint_added(painter: QPainter, frame: Frame, layout: Layout, look: Look) -> None:
    """How many tile steps have been added to the tile of C, on a tag at its lower edge (at its upper edge in the last row of tiles)."""
    tile = frame.matrix("C").tile
    if tile is None or frame.added[1] <= 1:
        return
    theme, place = look.theme, layout.matrices["C"]
    text = look.text(message("{done} of {total} steps added", done=frame.added[0], total=frame.added[1]))
    font = theme.font("label")
    size = QFontMetricsF(font).size(0, text)
    width, height = size.width() + 14, size.height() + 6
    rect = place.rect(tile)
    left = min(max(rect.center().x() - width / 2, place.area.left()), max(place.area.right() - width, place.area.left()))
    below = rect.bottom() + 5 + height <= place.area.bottom() + 2
    tag = QRectF(left, rect.bottom() + 5 if below else rect.top() - 6 - height, width, height)
    painter.setPen(QPen(theme.c, 1))
    painter.setBrush(theme.bg1)
    painter.drawRoundedRect(tag, height / 2, height / 2)
    painter.setFont(font)
    painter.setPen(theme.t1)
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


def _centres(loop: LoopFrame, place: MatrixPlace, end: int) -> list[float]:
    """The middle, in pixels along the edge, of the elements between each index and the next."""
    stops = (*loop.values[1:], end)
    return [(value + stop) / 2 / place.factor * place.cell for value, stop in zip(loop.values, stops, strict=True)]


def _with_room(loop: LoopFrame, centres: list[float], sizes: list[float]) -> list[tuple[int, float]]:
    """The present index, and every other one whose label touches none that is kept already."""
    order = sorted(range(len(centres)), key=lambda number: (loop.values[number] != loop.current, number))
    kept: list[int] = []
    for number in order:
        if all(abs(centres[number] - centres[other]) >= (sizes[number] + sizes[other]) / 2 for other in kept):
            kept.append(number)
    return [(loop.values[number], centres[number]) for number in kept]


def _tick_text(loop: LoopFrame, value: int) -> str:
    return f"{loop.name} = {value}"


def _paint_tick(painter: QPainter, rect: QRectF, loop: LoopFrame, value: int, matrix: str, theme: Theme, align: Qt.AlignmentFlag) -> None:
    current = value == loop.current
    painter.setFont(theme.font("label" if current else "caption"))
    painter.setPen(theme.matrix(matrix)[0] if current else theme.t3)
    painter.drawText(rect, align | Qt.AlignmentFlag.AlignVCenter, _tick_text(loop, value))
