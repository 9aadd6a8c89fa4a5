"""Where the runs of a chart stand: one below the other, all over the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from app.core.real_runs.axis import Span

EDGE = 14.0
TITLE, FACTS, HEADS = 24.0, 34.0, 20.0
"""Heights of the lines above the rows of a run: what ran, its facts, and the titles of what is below."""
ABOVE = TITLE + FACTS + HEADS
BETWEEN = 14.0
AXIS, LEGEND = 30.0, 24.0
GUTTER = 40.0
LEAST_ROW = 14.0
"""Of a run that stands below another; one alone may have lower rows."""


@dataclass(frozen=True, slots=True)
class Block:
    """One run: `area` holds its rows, over the time axis alone; `row` is the height of one with the gap below it."""

    number: int
    title: QRectF
    area: QRectF
    row: float
    gap: float

    def bar(self, index: int) -> QRectF:
        """The place of a row over the whole time."""
        return QRectF(self.area.left(), self.area.top() + index * self.row, self.area.width(), max(self.row - self.gap, 1.0))


@dataclass(frozen=True, slots=True)
class Placement:
    """All blocks, the time in sight, and from where to where it goes."""

    blocks: tuple[Block, ...]
    span: Span
    left: float
    right: float

    def x(self, moment_ms: float) -> float:
        """Where a moment is."""
        length = self.span.high - self.span.low
        return self.left + (moment_ms - self.span.low) / length * (self.right - self.left) if length > 0 else self.left

    def moment(self, x: float) -> float:
        """Which moment is at a place."""
        return self.span.low + (x - self.left) / max(self.right - self.left, 1.0) * (self.span.high - self.span.low)


def place(size: QRectF, rows: Sequence[int], span: Span, columns: float, row_limits: tuple[float, float]) -> Placement:
    """As many of the runs as fit, in order, each with so many `rows`. `columns` is the width that the numbers beside the rows take.

    `row_limits` are the greatest height of a row, and the part of it that is the gap to the next.
    """
    most, gap = row_limits
    left, right = size.left() + EDGE + GUTTER, size.right() - EDGE - columns
    room = size.height() - AXIS - LEGEND - 8
    shown = len(rows)
    while shown > 1 and shown * ABOVE + (shown - 1) * BETWEEN + sum(rows[:shown]) * LEAST_ROW > room:
        shown -= 1
    count = max(sum(rows[:shown]), 1)
    row = min(max((room - shown * ABOVE - (shown - 1) * BETWEEN) / count, 2.0), most)
    blocks, top = [], size.top() + 8
    for number in range(shown):
        area = QRectF(left, top + ABOVE, right - left, rows[number] * row)
        blocks.append(Block(number, QRectF(size.left() + EDGE, top, size.width() - 2 * EDGE, TITLE), area, row, max(row * gap, 1.0)))
        top = area.bottom() + BETWEEN
    return Placement(tuple(blocks), span, left, right)
