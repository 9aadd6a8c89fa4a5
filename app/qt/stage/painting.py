"""The whole picture of the stage, put together from its painters."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.core.stage_model import Picture
from app.qt.look import Look
from app.qt.stage.access import paint_access
from app.qt.stage.caption import paint_caption
from app.qt.stage.cell_layers import CellLayers
from app.qt.stage.geometry import Layout
from app.qt.stage.loops import loops_height, paint_loops
from app.qt.stage.marks import loop_ticks, paint_added, paint_column_ticks, paint_guides, paint_name, paint_row_ticks, paint_tiles


def paint_picture(painter: QPainter, picture: Picture, layout: Layout, layers: CellLayers, look: Look) -> None:
    """Draw the matrices with their marks, the caption and the loops."""
    frame, theme = picture.frame, look.theme
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
    for matrix in frame.matrices:
        place = layout.matrices[matrix.name]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        layers.paint(painter, matrix, place)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        crossed = len(frame.matrices) == 3
        if matrix.name != "C" or not crossed:
            paint_row_ticks(painter, loop_ticks(matrix.ticks[0], matrix.shape[0]), place, theme.matrix(matrix.name)[0], theme)
        if matrix.name != "B":
            paint_column_ticks(painter, loop_ticks(matrix.ticks[1], matrix.shape[1]), place, theme.matrix(matrix.name)[0], theme)
    tiles = {matrix.name: matrix.tile for matrix in frame.matrices if matrix.tile is not None}
    paint_guides(painter, tiles, layout, theme)
    paint_tiles(painter, tiles, layout, theme)
    paint_access(painter, frame, layout, theme)
    paint_added(painter, tiles.get("C"), frame.added, layout.matrices["C"], look)
    for matrix in frame.matrices:
        paint_name(painter, matrix.name, theme.matrix(matrix.name)[0], layout.matrices[matrix.name], look)
    bottom = paint_caption(painter, picture, layout.corner, look)
    _paint_loops(painter, picture, layout, bottom, look)


def _paint_loops(painter: QPainter, picture: Picture, layout: Layout, caption_bottom: float, look: Look) -> None:
    """In their own place if the layout has one, else below the caption if they fit there."""
    calls, loops, corner = picture.frame.calls, picture.frame.loops, layout.corner
    if calls:
        loops = (*calls, *(loop for loop in loops if loop.current is not None))
    if layout.loops is not None:
        fits = loops_height(loops) <= layout.loops.height()
        paint_loops(painter, loops if fits else picture.frame.loops, layout.loops, look)
    elif corner.bottom() - caption_bottom - 20 >= loops_height(loops):
        height = loops_height(loops)
        paint_loops(painter, loops, QRectF(corner.left(), corner.bottom() - height, min(corner.width() - 8, 300.0), height), look)
