"""Draws the grid of blocks: those traced, those that only repeat them, and the one that is shown."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.core.launch.block_grid import BlockGrid
from app.qt.theme import Theme

GAPS_FROM = 5.0
LARGEST_CELL = 30.0


def cell_size(grid: BlockGrid, area: QRectF) -> float:
    """The side of a cell: whole pixels where that leaves any."""
    side = min(area.width() / grid.across, area.height() / grid.down, LARGEST_CELL)
    return float(int(side)) if side >= 2 else side


def cell_rect(grid: BlockGrid, area: QRectF, cell: tuple[int, int]) -> QRectF:
    """A cell, without its gap."""
    side = cell_size(grid, area)
    gap = 2.0 if side >= 12 else 1.0 if side >= GAPS_FROM else 0.0
    return QRectF(area.left() + cell[0] * side, area.top() + cell[1] * side, side - gap, side - gap)


def cell_at(grid: BlockGrid, area: QRectF, point: QPointF) -> tuple[int, int] | None:
    """The cell under a point."""
    side = cell_size(grid, area)
    column, row = (point.x() - area.left()) // side, (point.y() - area.top()) // side
    return (int(column), int(row)) if 0 <= column < grid.across and 0 <= row < grid.down else None


def paint_blocks(painter: QPainter, grid: BlockGrid, area: QRectF, theme: Theme) -> None:
    """All cells at rest. Of a grid that is traced in part, traced ones have an outline and a tint, others the plain ground."""
    for row in range(grid.down):
        for column in range(grid.across):
            cell = column, row
            rect = cell_rect(grid, area, cell)
            traced = cell in grid.traced and not grid.whole
            painter.fillRect(rect, theme.c_bg if traced else theme.cell2)
            if traced:
                painter.setPen(QPen(theme.c_mid, 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))


def paint_shown_block(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """The cell of the shown block: filled and outlined in the colour of what it computes."""
    painter.fillRect(rect, theme.c_mid)
    painter.setPen(QPen(theme.c, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0, 0, 0, 0) if rect.width() >= 6 else rect.adjusted(-2, -2, 2, 2))
