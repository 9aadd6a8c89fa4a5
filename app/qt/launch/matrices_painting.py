"""The whole picture of the matrices, put together from its painters."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from app.core.frames_groups import Box
from app.core.launch.arrays import boxes_of
from app.core.launch.matrices import OUTPUT, ArrayFrame, Matrices, MatricesFrame
from app.core.stage_model import LaunchPicture
from app.qt.launch.matrices_access import AccessPainter
from app.qt.launch.matrices_caption import paint_caption
from app.qt.launch.matrices_cells import ArrayCells
from app.qt.launch.matrices_layout import Lens, lenses
from app.qt.look import Look
from app.qt.stage.geometry import Layout, MatrixPlace
from app.qt.stage.marks import (
    paint_added,
    paint_added_at_lens,
    paint_column_ticks,
    paint_guides,
    paint_name,
    paint_row_ticks,
    paint_tiles,
)

_MOST_LIT = 256


class MatricesPainter:
    """Draws frames of one launch; what it remembers only saves time."""

    def __init__(self, matrices: Matrices, look: Look) -> None:
        self.matrices = matrices
        self._look = look
        self._cells = ArrayCells(matrices, look.theme)
        self._backdrop: tuple[object, QPixmap] | None = None

    def paint(self, painter: QPainter, picture: LaunchPicture, layout: Layout, size: QSizeF) -> None:
        """Draw the arrays with their marks, the access of the step, and the caption."""
        frame, theme = picture.frame, self._look.theme
        shown = self.matrices.at(frame)
        close = dict(lenses(layout, shown.matrices, painter.device().devicePixelRatio()))
        self._paint_backdrop(painter, picture, shown, layout, size)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        for matrix in shown.matrices:
            self._paint_array(painter, picture, matrix, layout.matrices[matrix.name])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tiles = {matrix.name: matrix.tile for matrix in shown.matrices if matrix.tile is not None}
        if self.matrices.crossed or self.matrices.mirrored:
            paint_guides(painter, self._guided(tiles), layout, theme)
        paint_tiles(painter, tiles, layout, theme)
        for matrix in shown.matrices:
            self._paint_ahead(painter, matrix, layout.matrices[matrix.name])
            if matrix.name in close:
                self._paint_lens(painter, picture, matrix, layout.matrices[matrix.name], close[matrix.name])
        AccessPainter(layout, close, self._look, size).paint(painter, shown, frame.fraction)
        self._paint_lit(painter, picture, shown, layout, close)
        self._paint_added(painter, shown, layout, close)
        for matrix in shown.matrices:
            paint_name(painter, matrix.title, theme.matrix(matrix.name)[0], layout.matrices[matrix.name], self._look)

    def _guided(self, tiles: dict[str, Box]) -> dict[str, Box]:
        """Those whose edges go on to C: the rows of a matrix that was turned run along k, not along the rows of C."""
        return {name: tile for name, tile in tiles.items() if name != "A" or not self.matrices.turned}

    def _paint_backdrop(self, painter: QPainter, picture: LaunchPicture, shown: MatricesFrame, layout: Layout, size: QSizeF) -> None:
        """Caption and ticks, which stay for a tile step."""
        ratio, theme = painter.device().devicePixelRatio(), self._look.theme
        key = layout, size, ratio, picture.frame.band.block, picture.frame.tile, picture.story.title, picture.story.equation
        if self._backdrop is None or self._backdrop[0] != key:
            pixmap = QPixmap(QSizeF(size.width() * ratio, size.height() * ratio).toSize())
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(theme.bg2)
            below = QPainter(pixmap)
            below.setRenderHint(QPainter.RenderHint.Antialiasing)
            for matrix in shown.matrices:
                place, colour = layout.matrices[matrix.name], theme.matrix(matrix.name)[0]
                paint_row_ticks(below, matrix.ticks[0], place, colour, theme)
                paint_column_ticks(below, matrix.ticks[1], place, colour, theme)
            paint_caption(below, picture, shown.traffic, layout.corner, self._look)
            below.end()
            self._backdrop = key, pixmap
        painter.drawPixmap(QPointF(0, 0), self._backdrop[1])

    def _paint_array(self, painter: QPainter, picture: LaunchPicture, matrix: ArrayFrame, place: MatrixPlace) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._cells.paint(painter, matrix, picture.frame, Box(0, 0, *matrix.shape), place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_ahead(self, painter: QPainter, matrix: ArrayFrame, place: MatrixPlace) -> None:
        """What is read for a later tile step: dashed."""
        if matrix.ahead is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.theme.matrix(matrix.name)[0], 1.5, Qt.PenStyle.DashLine))
            painter.drawRect(place.rect(matrix.ahead).adjusted(-1, -1, 0, 0))

    def _paint_lens(self, painter: QPainter, picture: LaunchPicture, matrix: ArrayFrame, place: MatrixPlace, lens: Lens) -> None:
        """The window large, and two hairlines from what it shows to it."""
        theme, area, small = self._look.theme, lens.place.area, place.rect(lens.window)
        painter.setPen(QPen(theme.line2, 1))
        right, below = area.left() > small.left(), area.top() > small.top()
        near = area.left() if right else area.right()
        own = small.right() if right else small.left()
        pairs = ((small.top(), area.top()), (small.bottom(), area.bottom()))
        painter.drawLines([QLineF(own, a, near, b) for a, b in (pairs if below else reversed(pairs))])
        painter.fillRect(area.adjusted(-3, -3, 3, 3), theme.bg2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._cells.paint(painter, matrix, picture.frame, lens.window, lens.place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area.adjusted(-2, -2, 1, 1))
        if matrix.tile is not None and not (tile := lens.rect(matrix.tile)).isEmpty():
            painter.setPen(QPen(theme.matrix(matrix.name)[0], 2))
            painter.drawRect(tile.adjusted(-1, -1, 0, 0))

    def _paint_added(self, painter: QPainter, shown: MatricesFrame, layout: Layout, close: dict[str, Lens]) -> None:
        """On the tile of C, beside the lens where there is one."""
        tile = next((matrix.tile for matrix in shown.matrices if matrix.name == OUTPUT), None)
        if OUTPUT in close and tile is not None:
            paint_added_at_lens(painter, close[OUTPUT].place.area, layout.matrices[OUTPUT], shown.added, self._look)
        elif OUTPUT in layout.matrices:
            paint_added(painter, tile, shown.added, layout.matrices[OUTPUT], self._look)

    def _paint_lit(self, painter: QPainter, picture: LaunchPicture, shown: MatricesFrame, layout: Layout, close: dict[str, Lens]) -> None:
        """What belongs to the selection, in ink on a ground that sets it off."""
        theme, lit = self._look.theme, picture.highlight
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for matrix in shown.matrices if lit else ():
            for box in boxes_of(self.matrices.lit(lit.elements, picture.frame, lit.lanes, matrix.array), matrix.array.columns)[:_MOST_LIT]:
                lens = close.get(matrix.name)
                rects = [layout.matrices[matrix.name].rect(box), *([lens.rect(box)] if lens else [])]
                for rect in rects:
                    if not rect.isEmpty():
                        _outline(painter, rect, theme.bg2, 4.0)
                        _outline(painter, rect, theme.ink, 2.0)


def _outline(painter: QPainter, rect: QRectF, colour: QColor, width: float) -> None:
    painter.setPen(QPen(colour, width))
    painter.drawRect(rect.adjusted(-1, -1, 0, 0))
