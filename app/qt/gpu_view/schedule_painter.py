"""Painter of a grid's blocks: those traced, those that only repeat them and the shown one, and how they come to the multiprocessors.

One wave is drawn, each SM with its places, and the last wave where it is another.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.core.gpu_view.blocks import (
    FREE,
    BlockGrid,
    BlockSchedule,
    assumption_text,
    device_name_text,
    device_text,
    used_text,
    wave_text,
    waves_text,
)
from app.qt.base.look import Look
from app.qt.base.theme import Theme
from app.qt.gpu_view.drawing import Writer
from kernels.base.messages import message
from kernels.base.values import dataclass

LARGEST_PLACE = 14
SM_GAP = 4
GAPS_FROM = 3
"""Side of a place from which on there are gaps between them."""
CAPTION = 22.0
SUMMARY = 60.0
"""Height of the words alone."""


def paint_summary(painter: QPainter, plan: BlockSchedule, area: QRectF, look: Look) -> None:
    """The words alone, below a line, where there is room for them."""
    theme = look.theme
    if area.height() < SUMMARY:  # the device is named in up to two lines
        return
    painter.fillRect(QRectF(area.left(), area.top(), area.width(), 1), theme.line)
    writer = Writer(painter, area.topLeft() + QPointF(0, 8), area.width())
    writer.line(theme.font("label"), theme.t1, look.text(waves_text(plan)))
    if plan.waves is not None:
        writer.paragraph(theme.font("small"), theme.t2, look.text(device_name_text(plan)), 2 * 17)


class SchedulePainter:
    """Draws one schedule. The picture without the marked block can be kept as long as the block is in the same wave."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._boxes: dict[int, _Boxes] = {}

    def paint(self, painter: QPainter, plan: BlockSchedule, wave: int, area: QRectF) -> None:
        """The words, then this wave, then the last one where it is another."""
        look, theme = self._look, self._look.theme
        self._boxes.clear()
        writer = Writer(painter, area.topLeft() - QPointF(0, 3), area.width())
        writer.line(theme.font("label"), theme.t1, look.text(message("Blocks on the multiprocessors (SMs)")), height=18)
        writer.paragraph(theme.font("sentence"), theme.t1, look.text(waves_text(plan)), 70)
        writer.skip(4)
        if plan.waves is None:
            return
        for words in (device_text(plan), used_text(plan), assumption_text(plan)):
            if words is not None:
                writer.paragraph(theme.font("small"), theme.t2, look.text(words), 2 * 17)
                writer.skip(2)
        writer.skip(10)
        waves = dict.fromkeys((wave, plan.waves.count - 1))
        room = (area.bottom() - writer.bottom) / len(waves) - CAPTION - 12
        for each in waves:
            writer.line(theme.font("label"), theme.t1, look.text(wave_text(plan, each)), height=CAPTION)
            writer.skip(self._paint_wave(painter, plan, each, QRectF(area.left(), writer.bottom, area.width(), room)) + 12)

    def paint_mark(self, painter: QPainter, plan: BlockSchedule, block: int) -> None:
        """Mark the place of a block of the wave that was drawn."""
        theme = self._look.theme
        if plan.waves is None or plan.wave_of(block) not in self._boxes:
            return
        within = block % plan.waves.blocks_per_wave
        shown = self._boxes[plan.wave_of(block)].place(within % plan.profile.sms, within // plan.profile.sms)
        painter.fillRect(shown, theme.c)
        painter.setPen(QPen(theme.ink, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(shown.adjusted(-1, -1, 1, 1))

    def _paint_wave(self, painter: QPainter, plan: BlockSchedule, wave: int, area: QRectF) -> float:
        """For each SM a place for each block that it can hold, filled where a block is. Returns the height."""
        theme, places = self._look.theme, plan.places(wave)
        boxes = _Boxes.fitting(area, *places.shape)
        if boxes is None:
            return 0.0
        self._boxes[wave] = boxes
        for sm, held in enumerate(places.tolist()):
            for slot, each in enumerate(held):
                painter.fillRect(boxes.place(sm, slot), theme.cell2 if each == FREE else theme.c_mid)
        return boxes.height


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Boxes in rows of `columns`, each of `within` x `deep` places of `size` pixels."""

    corner: QPointF
    sms: int
    columns: int
    within: int
    deep: int
    size: int

    @classmethod
    def fitting(cls, area: QRectF, sms: int, slots: int) -> _Boxes | None:
        """The arrangement with the largest places; None where there is no room for any."""
        deep = max(each for each in range(1, math.isqrt(slots) + 1) if slots % each == 0)
        within = slots // deep
        found = [(cls._size(area, sms, columns, within, deep), columns) for columns in range(1, sms + 1)]
        size, columns = max(found, key=lambda each: (each[0], each[1]))
        return cls(area.topLeft(), sms, columns, within, deep, size) if size >= 1 else None

    @staticmethod
    def _size(area: QRectF, sms: int, columns: int, within: int, deep: int) -> int:
        across, down = area.width() / columns, area.height() / -(-sms // columns)
        return min(int((across - SM_GAP) // within), int((down - SM_GAP) // deep), LARGEST_PLACE)

    @property
    def height(self) -> float:
        return -(-self.sms // self.columns) * float(self.deep * self.size + SM_GAP)

    def place(self, sm: int, slot: int) -> QRectF:
        """One place of an SM."""
        down, across = divmod(sm, self.columns)
        row, column = divmod(slot, self.within)
        box = QPointF(across * (self.within * self.size + SM_GAP), down * (self.deep * self.size + SM_GAP))
        corner = self.corner + box + QPointF(column * self.size, row * self.size)
        gap = 1 if self.size >= GAPS_FROM else 0
        return QRectF(corner.x(), corner.y(), self.size - gap, self.size - gap)


GRID_GAPS_FROM = 5.0
LARGEST_CELL = 30.0


def cell_size(grid: BlockGrid, area: QRectF) -> float:
    """The side of a cell: whole pixels where that leaves any."""
    side = min(area.width() / grid.across, area.height() / grid.down, LARGEST_CELL)
    return float(int(side)) if side >= 2 else side


def cell_rect(grid: BlockGrid, area: QRectF, cell: tuple[int, int]) -> QRectF:
    """A cell, without its gap."""
    side = cell_size(grid, area)
    gap = 2.0 if side >= 12 else 1.0 if side >= GRID_GAPS_FROM else 0.0
    return QRectF(area.left() + cell[0] * side, area.top() + cell[1] * side, side - gap, side - gap)


def cell_at(grid: BlockGrid, area: QRectF, point: QPointF) -> tuple[int, int] | None:
    """The cell under a point."""
    side = cell_size(grid, area)
    column, row = (point.x() - area.left()) // side, (point.y() - area.top()) // side
    return (int(column), int(row)) if 0 <= column < grid.across and 0 <= row < grid.down else None


def paint_blocks(painter: QPainter, grid: BlockGrid, area: QRectF, theme: Theme) -> None:
    """Paint all cells at rest. Of a grid that is traced in part, traced ones have an outline and a tint, others the plain ground."""
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
