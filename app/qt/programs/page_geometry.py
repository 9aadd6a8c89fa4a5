"""Layout of a program's page: where the words, the host's lane, the clock and the boxes of memory stand."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRectF

from app.core.programs.frame import AllocationState, Box, ProgramFrame, Side
from kernels.base.values import dataclass

EDGE, GUTTER = 14.0, 62.0
CHIP, SENTENCE, CLOCK_SENTENCE = 20.0, 25.0, 18.0
LEAST_CELL, MOST_CELL = 40.0, 66.0
BETWEEN, HEADING, APART = 7.0, 26.0, 12.0
FURTHER = 24.0
"""Room above the lane where not all events fit: how many more there are stands there, clear of the words above."""
AXIS = 34.0
LEAST_MIDDLE, MOST_MIDDLE = 120.0, 300.0
NARROW = 560.0
"""Width below which the sentence takes two lines."""


@dataclass(frozen=True, slots=True)
class Heights:
    """Heights of an event in the lane, of a bar on the clock, of a box of memory, and how much more stands between them."""

    cell: float
    bar: float
    box: float
    more: float


TIGHT, ROOMY = Heights(44.0, 26.0, 42.0, 0.0), Heights(50.0, 38.0, 50.0, 17.0)
CHILD_BAR, MOST_LEVELS = 17.0, 3
"""Height of the bar of a launch by a kernel, below its parent's; and how many such rows there are: deeper ones share the last."""
ROOMY_FROM = 480.0
"""Height of the canvas."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rectangles of a page. `cells` are those of the events in sight, by number; `boxes` by their places in the frame."""

    chip: QRectF
    sentence: QRectF
    clock_sentence: QRectF
    cells: Mapping[int, QRectF]
    lane: QRectF
    before: int
    """Events left of those in sight."""
    after: int
    clock: QRectF
    """Over the whole time."""
    bar: float
    """Height of the bars of what the host asked for."""
    memory: QRectF
    middle: QRectF
    boxes: Mapping[int, QRectF]
    left_out: int
    """Boxes that there is no room for."""

    def x(self, moment: float, length: float) -> float:
        """Where a moment is on the clock."""
        return self.clock.left() + (moment / length if length > 0 else 0.0) * self.clock.width()


def lay_out(frame: ProgramFrame, width: float, height: float) -> Layout:
    """Place everything of a frame in a canvas of that size: roomy where no box of memory is left out for that."""
    roomy = _lay_out(frame, width, height, ROOMY)
    return roomy if height >= ROOMY_FROM and roomy.left_out == 0 else _lay_out(frame, width, height, TIGHT)


def _lay_out(frame: ProgramFrame, width: float, height: float, heights: Heights) -> Layout:
    inner = width - 2 * EDGE
    chip = QRectF(EDGE, 10, inner, CHIP)
    sentence = QRectF(EDGE, chip.bottom() + 5, inner, SENTENCE * (2 if inner < NARROW else 1))
    clock_sentence = QRectF(EDGE, sentence.bottom(), inner, CLOCK_SENTENCE)
    apart = APART + heights.more
    if len(frame.cells) * LEAST_CELL > inner - GUTTER:
        apart = max(apart, FURTHER)
    lane = QRectF(EDGE + GUTTER, clock_sentence.bottom() + apart, inner - GUTTER, heights.cell)
    cells, before = _cells(frame, lane)
    clock = QRectF(lane.left(), lane.bottom() + APART + 2 + heights.more, lane.width() - 8, heights.bar)
    clock.setHeight(heights.bar + CHILD_BAR * min(max((bar.depth for bar in frame.bars), default=0), MOST_LEVELS))
    top = clock.bottom() + AXIS + heights.more
    memory = QRectF(EDGE, top, inner, max(height - top - 8, 0.0))
    middle_width = min(max(0.28 * inner, LEAST_MIDDLE), MOST_MIDDLE)
    middle = QRectF(memory.center().x() - middle_width / 2, top + HEADING, middle_width, max(memory.height() - HEADING, 0.0))
    boxes, left_out = _boxes(frame.boxes, memory, middle, heights.box)
    after = len(frame.cells) - before - len(cells)
    return Layout(chip, sentence, clock_sentence, cells, lane, before, after, clock, heights.bar, memory, middle, boxes, left_out)


def wanted_height(frame: ProgramFrame, width: float) -> float:
    """The least height in which all boxes of a frame have room."""
    rows = 1 + max((box.row for box in frame.boxes), default=-1)
    return _lay_out(frame, width, ROOMY_FROM, TIGHT).middle.top() + rows * (TIGHT.box + BETWEEN) + EDGE


def _cells(frame: ProgramFrame, lane: QRectF) -> tuple[dict[int, QRectF], int]:
    """The events in sight: all, or as many around the selected one as there is room for."""
    count = len(frame.cells)
    fits = max(int(lane.width() // LEAST_CELL), 1)
    shown = min(count, fits)
    first = min(max(frame.selected - shown // 2, 0), count - shown)
    width = min(lane.width() / shown, MOST_CELL)
    return {first + place: QRectF(lane.left() + place * width, lane.top(), width, lane.height()) for place in range(shown)}, first


def _boxes(boxes: tuple[Box, ...], memory: QRectF, middle: QRectF, high: float) -> tuple[dict[int, QRectF], int]:
    """As many rows as there is room for: those that the event is about first, then those that hold something."""
    worth: dict[int, int] = {}
    for box in boxes:
        rank = (
            0
            if box.used
            else 1
            if box.state in (AllocationState.LIVE, AllocationState.LEAKED)
            else 2
            if box.state is AllocationState.FREED
            else 3
        )
        worth[box.row] = min(rank, worth.get(box.row, 3))
    fits = max(int((middle.height() + BETWEEN) // (high + BETWEEN)), 0)
    if len(worth) > fits:  # the last line says how many are left out
        fits = max(int((middle.height() - HEADING + BETWEEN) // (high + BETWEEN)), 0)
    rows = sorted(sorted(worth, key=lambda row: (worth[row], row))[:fits])
    slots = {row: slot for slot, row in enumerate(rows)}
    found = {}
    for place, box in enumerate(boxes):
        if box.row in slots:
            left, right = (memory.left(), middle.left()) if box.side is Side.HOST else (middle.right(), memory.right())
            found[place] = QRectF(left, middle.top() + slots[box.row] * (high + BETWEEN), right - left, high)
    return found, len(boxes) - len(found)
