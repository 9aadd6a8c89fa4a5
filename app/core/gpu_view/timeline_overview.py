"""A launch along its steps: what each is for, over the whole trace and, warp by warp, over one tile step. Pixels in, codes out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from app.core.base.timeline import Unit
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import BarrierInterval, StepPhase

Codes = npt.NDArray[np.uint8]
Shares = npt.NDArray[np.float32]


class Code(IntEnum):
    """Meaning of a pixel of the timeline overview."""

    NOTHING = 0
    LOAD_A = 1
    LOAD_B = 2
    LOAD = 3
    """Of an array that is neither A nor B."""
    COMPUTE = 4
    STORE = 5


ROWS = 6
"""Of the overview."""
_FILLED = {
    Code.NOTHING: range(0), Code.LOAD_A: range(3), Code.LOAD_B: range(3, 6), Code.LOAD: range(1, 5), Code.COMPUTE: range(2, 4),
    Code.STORE: range(6),
}  # fmt: skip
FILLS = np.array([[row in _FILLED[code] for code in Code] for row in range(ROWS)])
"""Rows x codes: which rows a code fills. Each fills others, so that not the colour alone tells what a place is for."""
_LOADS = {"A": Code.LOAD_A, "B": Code.LOAD_B}


def code_of_sites(index: LaunchIndex) -> Codes:
    """The code of each site of the trace."""
    return np.array([_code(index, number) for number in range(len(index.trace.sites))], np.uint8)


def codes_executed(index: LaunchIndex) -> tuple[Code, ...]:
    """What the steps of a launch are for, each once, in the order of the codes."""
    sites = np.flatnonzero(np.bincount(index.trace.rows.site, minlength=len(index.trace.sites)))
    done = set(code_of_sites(index)[sites].tolist())
    return tuple(code for code in Code if code in done and code is not Code.NOTHING)


def overview(index: LaunchIndex, width: int) -> Codes:
    """The code at each of `width` places, evenly spread over all steps."""
    steps = ((np.arange(width) + 0.5) / max(width, 1) * index.steps).astype(np.int64)
    return code_of_sites(index)[index.trace.rows.site[index.record.order.row[steps]]]


def shares(index: LaunchIndex, first: int, stop: int, width: int, *, by_warp: bool) -> Shares:
    """What the steps from `first` to `stop` at each of `width` places are for: rows x places x codes, in parts of 1, all 0 where there
    are no steps. Each warp of the block is a row, or all together are one."""
    order, steps = index.record.order, np.arange(first, stop)
    codes = code_of_sites(index)[index.trace.rows.site[order.row[first:stop]]]
    rows, row = (index.warps, order.warp[first:stop]) if by_warp else (1, np.zeros(len(steps), np.int64))
    place = (steps - first) * width // max(stop - first, 1)
    cell = (np.asarray(row, np.int64) * width + place) * len(Code) + codes
    counts = np.bincount(cell, minlength=rows * width * len(Code)).reshape(rows, width, len(Code)).astype(np.float32)
    parts: Shares = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1.0)
    return parts


def tile_range(index: LaunchIndex, step: int) -> tuple[int, int]:
    """The first step of the tile step (of the block, where there are none) that a step belongs to, and the first after it."""
    bounds = index.record.bounds
    starts = bounds.get(Unit.TILE) or bounds[Unit.BLOCK]
    place = bisect_right(starts, step)
    return starts[place - 1], starts[place] if place < len(starts) else index.steps


def detail(index: LaunchIndex, first: int, stop: int, width: int) -> Codes:
    """For each warp of the block (rows) what it does at each of `width` places, evenly spread over the steps from `first` to `stop`."""
    order, codes = index.record.order, np.zeros((index.warps, width), np.uint8)
    steps = np.arange(first, stop)
    place = (steps - first) * width // max(stop - first, 1)
    values = code_of_sites(index)[index.trace.rows.site[order.row[first:stop]]]
    codes[order.warp[first:stop], place] = values
    return _widened(codes, width / max(stop - first, 1))


def _widened(codes: Codes, pixels: float) -> Codes:
    """A step that is wider than a pixel fills its width."""
    for _ in range(round(pixels + 0.49) - 1):
        shifted = np.zeros_like(codes)
        shifted[:, 1:] = codes[:, :-1]
        free = (codes == 0) & ~codes.any(axis=0)
        codes = np.where(free, shifted, codes)
    return codes


def barrier_starts(index: LaunchIndex) -> tuple[int, ...]:
    """The steps before which a barrier stood."""
    return tuple(band.start for band in index.record.bands if band.start > 0 and band.epoch > 0)


def phase_ranges(index: LaunchIndex, first: int, stop: int) -> tuple[tuple[int, int, tuple[StepPhase, ...], tuple[int, int]], ...]:
    """The barrier intervals within a range of steps: first step, end, phases, and the least and the greatest line of the text."""
    bands, found = index.record.bands, []
    for band in bands[max(bisect_right(bands, first, key=_start) - 1, 0) : bisect_left(bands, stop, key=_start)]:
        begin, end = max(band.start, first), min(band.stop, stop)
        sites = np.unique(index.trace.rows.site[index.record.order.row[begin:end]]).tolist()
        lines = [index.trace.sites[site].location.line for site in sites]
        found.append((begin, end, band.phases, (min(lines), max(lines))))
    return tuple(found)


def _start(band: BarrierInterval) -> int:
    return band.start


def _code(index: LaunchIndex, number: int) -> Code:
    phase, site = index.record.phases[number], index.trace.sites[number]
    if phase == StepPhase.LOAD:
        letter = index.record.letters[site.allocation] if site.allocation >= 0 else ""
        return _LOADS.get(letter, Code.LOAD)
    return Code.COMPUTE if phase == StepPhase.COMPUTE else Code.STORE
