"""Painter of the whole picture of the matrices: cells, and in the free corner the tile step, what it computes and what tiles save.

Cells that change seldom are kept, the few that are different now are put over them. What has no room is left out.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from app.core.cpu_view.cell_roles import Roles
from app.core.cpu_view.tile_steps import Box
from app.core.gpu_view.arrays import ShownArray, boxes_of
from app.core.gpu_view.elements import CellRoles, Layers
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.matrices import OUTPUT, ArrayFrame, Matrices, MatricesFrame
from app.core.gpu_view.tiles import Traffic
from app.core.stage.model import GpuPicture
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.matrices_access import AccessPainter
from app.qt.gpu_view.matrices_layout import Lens, lenses
from app.qt.matrix.cells import DIGITS_FROM, GAPS_FROM, TILE_GAPS_FROM, CellLayers, paint_tile_gaps, tone_colours, tones
from app.qt.matrix.geometry import Layout, MatrixBox
from app.qt.matrix.marks import paint_added, paint_added_at_lens, paint_column_ticks, paint_guides, paint_name, paint_row_ticks, paint_tiles
from app.qt.matrix.painting import paint_equation, paint_text, text_height
from kernels.base.messages import Message, message
from kernels.simt.trace.contents import UNDEFINED

_BAR = 16.0
_WIDEST = 300.0


def paint_caption(painter: QPainter, picture: GpuPicture, traffic: Traffic | None, area: QRectF, look: Look) -> None:
    """Paint the caption from the top of `area`, as much as it has room for: title, equation, meter with its sentence."""
    theme, story = look.theme, picture.story
    large = area.width() >= 210
    y = paint_text(painter, look.text(story.title), area, area.top(), theme.font("view_caption" if large else "section"), theme.t1)
    y = paint_equation(painter, story.equation, area, y + 2, theme.font("sentence" if large else "label"), look)
    if traffic is not None:
        output = next(role.word for role in picture.index.roles.values() if role.letter == OUTPUT)
        _meter(painter, traffic, output, QRectF(area.left(), y + 12, area.width(), area.bottom() - y - 12), look)


def _meter(painter: QPainter, traffic: Traffic, output: str, area: QRectF, look: Look) -> None:
    theme = look.theme
    label = look.text(message("Global reads for this tile of {matrix}", matrix=output))
    words = look.text(traffic.words)
    small, strong = theme.font("small"), theme.font("section")
    heights = text_height(label, small, area.width()), 2 * (_BAR + 4) + 4, text_height(words, strong, area.width())
    y = area.top()
    if y + heights[2] > area.bottom():
        return
    if y + sum(heights) <= area.bottom():
        y = paint_text(painter, label, area, y, small, theme.t2) + 3
        y = _bars(painter, traffic, area, y, look) + 2
    paint_text(painter, words, area, y, strong, theme.t1)


def _bars(painter: QPainter, traffic: Traffic, area: QRectF, top: float, look: Look) -> float:
    """Two bars to the same scale: each multiplication reads for itself, and what this kernel reads."""
    theme, full, y = look.theme, min(area.width(), _WIDEST), top
    rows: tuple[tuple[Message, int, QColor, QColor], ...] = (
        (message("without tiles {count}", count=traffic.needed), traffic.needed, theme.bg3, theme.t1),
        (message("this kernel {count}", count=traffic.read), traffic.read, theme.ink, theme.ink_text),
    )
    font = theme.font("label")
    painter.setFont(font)
    for text, count, fill, ink in rows:
        bar = QRectF(area.left(), y, max(full * count / max(traffic.needed, traffic.read, 1), 3.0), _BAR)
        painter.fillRect(bar, fill)
        words = look.text(text)
        fits = QFontMetricsF(font).horizontalAdvance(words) + 12 <= bar.width()
        painter.setPen(ink if fits else theme.t1)
        left = bar.left() + 6 if fits else bar.right() + 6
        painter.drawText(QRectF(left, y, area.right() - left, _BAR), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        y += _BAR + 4
    return y


Where = tuple[ShownArray, Box, int]
_MOST_KEPT = 12
_MOST_GAPS = 64
"""Lines between tiles, in each direction, up to which they are drawn."""


class ArrayCells:
    """Draws windows of the arrays of one launch. The picture depends on what is asked for alone."""

    def __init__(self, matrices: Matrices, theme: Theme) -> None:
        self._matrices, self._theme = matrices, theme
        self._whole: dict[Where, _Cells] = {}
        self._parts: dict[Where, _Cells] = {}
        self._large = CellLayers(theme)

    def paint(self, painter: QPainter, shown: ArrayFrame, frame: Frame, window: Box, place: MatrixBox) -> None:
        """Draw the elements in a window, whose upper left corner is that of the place."""
        array = shown.array
        cells = self._cells((array, window, place.factor))
        layers = cells.roles.layers(frame, shown.now)
        if place.cell >= GAPS_FROM:
            self._large.paint_tones(painter, array.name, cells.tones(layers), self._values(array, frame, window, place.cell), place)
            return
        painter.drawImage(place.origin, cells.image(layers, place.cell, painter.device().devicePixelRatio()))
        if place.cell >= TILE_GAPS_FROM and shown.tile is not None and place.shape == array.shape:
            rows, columns = (range(step, size, step) for size, step in zip(array.shape, shown.tile[2:], strict=True))
            if max(len(rows), len(columns)) <= _MOST_GAPS:
                paint_tile_gaps(painter, rows, columns, place, self._theme)

    def _cells(self, where: Where) -> _Cells:
        """Return the cells of a window of an array. Those of whole arrays are kept, of parts the latest."""
        kept = self._whole if where[1][2:] == where[0].shape else self._parts
        if where not in kept:
            if len(kept) >= _MOST_KEPT:
                del kept[next(iter(kept))]
            kept[where] = _Cells(CellRoles(self._matrices.tiles, *where), tone_colours(where[0].name, self._theme))
        return kept[where]

    def _values(self, array: ShownArray, frame: Frame, window: Box, cell: float) -> npt.NDArray[np.float32]:
        """The values in a window at a moment, NaN where there is none or no room for digits."""
        if cell < DIGITS_FROM or not self._matrices.scalar(array):
            return np.full((window.rows, window.columns), np.nan, np.float32)
        rows, columns = np.indices((window.rows, window.columns))
        elements = (rows + window.row) * array.columns + columns + window.column
        seen = self._matrices.index.record.contents.window(array.allocation, elements, frame.moment, frame.band.block)
        return np.where(seen.state == UNDEFINED, np.nan, seen.values).astype(np.float32)


class _Cells:
    """Cells of one window of an array: its ground as tones and as pixels, made anew when it changes."""

    def __init__(self, roles: CellRoles, colours: list[int]) -> None:
        self.roles = roles
        self._colours = np.array(colours, np.uint32)
        self._ground: tuple[Hashable, Roles] | None = None
        self._pixels: tuple[Hashable, npt.NDArray[np.uint32]] | None = None
        self._drawn = np.zeros((0, 0), np.uint32)

    def tones(self, layers: Layers) -> Roles:
        """The tone of every cell."""
        grid = self._quiet(layers).copy()
        for cells, role in layers.changes:
            grid.reshape(-1)[cells] = role
        return grid

    def image(self, layers: Layers, cell: float, ratio: float) -> QImage:
        """The cells as device pixels, so that nothing is scaled when it is drawn. It sees memory that the next call changes."""
        side = round(cell * ratio)
        key = layers.key, side
        if self._pixels is None or self._pixels[0] != key:
            self._pixels = key, np.repeat(np.repeat(self._colours[self._quiet(layers)], side, axis=0), side, axis=1)
        if self._drawn.shape != self._pixels[1].shape:
            self._drawn = np.empty_like(self._pixels[1])
        np.copyto(self._drawn, self._pixels[1])
        rows, columns = self.roles.shape
        by_cell = self._drawn.reshape(rows, side, columns, side).swapaxes(1, 2)
        for cells, role in layers.changes:
            by_cell[cells // columns, cells % columns] = self._colours[role]
        image = QImage(self._drawn.data, columns * side, rows * side, 4 * columns * side, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return image

    def _quiet(self, layers: Layers) -> Roles:
        if self._ground is None or self._ground[0] != layers.key:
            self._ground = layers.key, tones(layers.ground)
        return self._ground[1]


_MOST_LIT = 256


class MatricesPainter:
    """Draws frames of one launch; what it remembers only saves time."""

    def __init__(self, matrices: Matrices, look: Look) -> None:
        self.matrices = matrices
        self._look = look
        self._cells = ArrayCells(matrices, look.theme)
        self._backdrop: tuple[object, QPixmap] | None = None

    def paint(self, painter: QPainter, picture: GpuPicture, layout: Layout, size: QSizeF) -> None:
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
            count = None if matrix.array.matrix else message("{count} elements", count=matrix.array.size)
            paint_name(painter, matrix.title, theme.matrix(matrix.name)[0], layout.matrices[matrix.name], self._look, count)

    def _guided(self, tiles: dict[str, Box]) -> dict[str, Box]:
        """Return the tiles whose edges go on to C: the rows of a matrix that was turned run along k, not along the rows of C."""
        return {name: tile for name, tile in tiles.items() if name != "A" or not self.matrices.turned}

    def _paint_backdrop(self, painter: QPainter, picture: GpuPicture, shown: MatricesFrame, layout: Layout, size: QSizeF) -> None:
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

    def _paint_array(self, painter: QPainter, picture: GpuPicture, matrix: ArrayFrame, place: MatrixBox) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._cells.paint(painter, matrix, picture.frame, Box(0, 0, *matrix.shape), place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_ahead(self, painter: QPainter, matrix: ArrayFrame, place: MatrixBox) -> None:
        """Paint dashed what is read for a later tile step."""
        if matrix.ahead is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.theme.matrix(matrix.name)[0], 1.5, Qt.PenStyle.DashLine))
            painter.drawRect(place.rect(matrix.ahead).adjusted(-1, -1, 0, 0))

    def _paint_lens(self, painter: QPainter, picture: GpuPicture, matrix: ArrayFrame, place: MatrixBox, lens: Lens) -> None:
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
        """Paint how many tile steps have been added, on the tile of C, or beside its lens where there is one."""
        tile = next((matrix.tile for matrix in shown.matrices if matrix.name == OUTPUT), None)
        if OUTPUT in close and tile is not None:
            paint_added_at_lens(painter, close[OUTPUT].place.area, layout.matrices[OUTPUT], shown.added, self._look)
        elif OUTPUT in layout.matrices:
            paint_added(painter, tile, shown.added, layout.matrices[OUTPUT], self._look)

    def _paint_lit(self, painter: QPainter, picture: GpuPicture, shown: MatricesFrame, layout: Layout, close: dict[str, Lens]) -> None:
        """Paint what belongs to the selection, in ink on a ground that sets it off."""
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
