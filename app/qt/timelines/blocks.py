"""Layout of the runs of a chart: one below the other, all over the same time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF

from app.core.timelines.axis import Span
from kernels.base.values import dataclass

EDGE = 14.0
TITLE, LINE, HEADS = 24.0, 17.0, 20.0
"""Heights of the lines above the rows of a run: what ran, each line of its facts, and the titles of what is below."""
LEAST_LINES = 2
"""Of facts."""
BETWEEN = 14.0
AXIS, LEGEND = 30.0, 24.0
APART = 10.0
"""Between the time axis and the summary."""
GUTTER = 40.0
LEAST_ROW = 14.0
"""Of a run that stands below another; one alone may have lower rows."""


@dataclass(frozen=True, slots=True)
class Block:
    """Block of one run: `area` holds its rows, over the time axis alone; `row` is the height of one with the gap below it.

    Between the title and the rows there are so many `lines` of facts.
    """

    number: int
    title: QRectF
    area: QRectF
    row: float
    gap: float
    lines: int = LEAST_LINES

    def bar(self, index: int) -> QRectF:
        """The place of a row over the whole time."""
        return QRectF(self.area.left(), self.area.top() + index * self.row, self.area.width(), max(self.row - self.gap, 1.0))


@dataclass(frozen=True, slots=True)
class Placement:
    """Placement of the runs: all blocks, the time in sight, and from where to where it goes."""

    blocks: tuple[Block, ...]
    span: Span
    left: float
    right: float
    free: QRectF
    """Below the time axis."""

    def x(self, moment_ms: float) -> float:
        """Where a moment is."""
        length = self.span.high - self.span.low
        return self.left + (moment_ms - self.span.low) / length * (self.right - self.left) if length > 0 else self.left

    def moment(self, x: float) -> float:
        """Which moment is at a place."""
        return self.span.low + (x - self.left) / max(self.right - self.left, 1.0) * (self.span.high - self.span.low)


@dataclass(frozen=True, slots=True)
class RowLimits:
    """Limits of a row: its greatest height, the part of it that is the gap to the next, and how high rows stay where a summary is below."""

    most: float
    gap: float
    beside_summary: float


def place(
    size: QRectF, rows: Sequence[int], span: Span, columns: float, limits: RowLimits, summary: float, lines: int = LEAST_LINES
) -> Placement:
    """Place as many of the runs as fit, in order, each with its number of `rows`, below `lines` of facts.

    `columns` is the width that the numbers beside the rows take. `summary` is the height that is left free below them, where the rows can
    do without it.
    """
    left, right = size.left() + EDGE + GUTTER, size.right() - EDGE - columns
    room = size.height() - AXIS - LEGEND - 8
    shown, above = len(rows), TITLE + lines * LINE + HEADS
    while shown > 1 and shown * above + (shown - 1) * BETWEEN + sum(rows[:shown]) * LEAST_ROW > room:
        shown -= 1
    count = max(sum(rows[:shown]), 1)
    height = room - shown * above - (shown - 1) * BETWEEN
    row = min(max(height / count, 2.0), limits.most)
    if (beside := (height - summary - APART) / count) >= limits.beside_summary:
        row = min(beside, limits.most)
    blocks, top = [], size.top() + 8
    for number in range(shown):
        area = QRectF(left, top + above, right - left, rows[number] * row)
        title = QRectF(size.left() + EDGE, top, size.width() - 2 * EDGE, TITLE)
        blocks.append(Block(number, title, area, row, max(row * limits.gap, 1.0), lines))
        top = area.bottom() + BETWEEN
    below = blocks[-1].area.bottom() + AXIS + APART if blocks else size.top()
    free = QRectF(size.left() + EDGE, below, size.width() - 2 * EDGE, max(size.bottom() - LEGEND - below, 0.0))
    return Placement(tuple(blocks), span, left, right, free)
