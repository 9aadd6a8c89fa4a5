"""Selection of what the user points at, and what of a frame belongs to it: the same in all views."""

from __future__ import annotations

import numpy as np

from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.banks import BANKS, WORD_BYTES, words_per_lane
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.columns import Bools
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection: one thread of the block (by its number), one element (allocation, element), one bank, one sector (its first byte's
    address divided by 32) or one line of the text. At most one of them is set.
    """

    thread: int | None = None
    element: tuple[int, int] | None = None
    bank: int | None = None
    sector: int | None = None
    line: int | None = None


NOTHING = Selection()


@dataclass(frozen=True, slots=True, eq=False)
class Highlight:
    """Highlight of a frame: `lanes` are those of the warp that runs; `threads` of the block; `elements` by allocation."""

    lanes: Bools
    threads: frozenset[int]
    elements: dict[int, frozenset[int]]
    banks: frozenset[int]
    sectors: frozenset[int]
    line: int | None

    def __bool__(self) -> bool:
        return bool(self.threads or self.elements or self.banks or self.sectors or self.line is not None)


NO_HIGHLIGHT = Highlight(np.zeros(WARP, np.bool_), frozenset(), {}, frozenset(), frozenset(), None)


def highlight(index: LaunchIndex, frame: Frame, selection: Selection) -> Highlight:
    """What belongs to the selection at this moment: the lanes it means, and the elements, banks and sectors that these touch."""
    if selection == NOTHING:
        return NO_HIGHLIGHT
    lanes = _lanes(index, frame, selection)
    threads = {frame.first_thread + lane for lane in np.flatnonzero(lanes).tolist()}
    elements = _elements(index, frame, lanes)
    if selection.thread is not None:
        threads.add(selection.thread)
        _add_output(index, frame, selection.thread, elements)
    if selection.element is not None:
        allocation, element = selection.element
        elements.setdefault(allocation, set()).add(element)
    banks = set(banks_of(frame, lanes)) | ({selection.bank} if selection.bank is not None else set())
    sectors = set(sectors_of(frame, lanes)) | ({selection.sector} if selection.sector is not None else set())
    line = selection.line if selection.line is not None else frame.line if lanes.any() else None
    found = {allocation: frozenset(numbers) for allocation, numbers in elements.items()}
    return Highlight(lanes, frozenset(threads), found, frozenset(banks), frozenset(sectors), line)


def banks_of(frame: Frame, lanes: Bools) -> list[int]:
    """The banks that some lanes of the step touch; none where it does not access shared memory."""
    if frame.site.space is not Space.SHARED:
        return []
    first = frame.lanes.address[lanes & frame.lanes.active] // WORD_BYTES
    found: list[int] = np.unique((first[:, None] + np.arange(words_per_lane(frame.site.bytes))) % BANKS).tolist()
    return found


def sectors_of(frame: Frame, lanes: Bools) -> list[int]:
    """The sectors that some lanes of the step touch; none where it does not access global memory."""
    if frame.site.space is not Space.GLOBAL:
        return []
    first = frame.lanes.address[lanes & frame.lanes.active]
    found: list[int] = np.unique(np.concatenate((first // SECTOR_BYTES, (first + frame.site.bytes - 1) // SECTOR_BYTES))).tolist()
    return found


def _lanes(index: LaunchIndex, frame: Frame, selection: Selection) -> Bools:
    lanes, chosen = frame.lanes, np.zeros(WARP, np.bool_)
    if selection.thread is not None and selection.thread // WARP == frame.warp:
        chosen[selection.thread % WARP] = True
    if selection.element is not None:
        allocation, element = selection.element
        span = index.span(frame.site, allocation)
        chosen = (lanes.allocation == allocation) & (lanes.element <= element) & (element < lanes.element + span)
    if selection.bank is not None and frame.site.space is Space.SHARED:
        chosen = np.array([selection.bank in banks_of(frame, np.arange(WARP) == lane) for lane in range(WARP)])
    if selection.sector is not None and frame.site.space is Space.GLOBAL:
        chosen = np.array([selection.sector in sectors_of(frame, np.arange(WARP) == lane) for lane in range(WARP)])
    if selection.line is not None and selection.line == frame.line:
        chosen = lanes.active.copy()
    return np.asarray(chosen & lanes.active)


def _elements(index: LaunchIndex, frame: Frame, lanes: Bools) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for lane in np.flatnonzero(lanes).tolist():
        allocation, element = int(frame.lanes.allocation[lane]), int(frame.lanes.element[lane])
        if allocation >= 0:
            span = index.span(frame.site, allocation)
            found.setdefault(allocation, set()).update(range(element, element + span))
    return found


def _add_output(index: LaunchIndex, frame: Frame, thread: int, elements: dict[int, set[int]]) -> None:
    """Add the element that the thread computes."""
    allocation, written = index.outputs(frame.block_number)
    if allocation >= 0 and written[thread] >= 0:
        elements.setdefault(allocation, set()).add(int(written[thread]))
