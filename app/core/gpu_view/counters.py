"""Counters of a launch at a step, up to it and in all, and how far the executed blocks speak for the whole grid."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import Counter
from app.core.base.timeline import Unit
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.phases import StepOrder
from app.core.gpu_view.record import COPIED_BYTES, OPERAND_WAVEFRONTS
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.columns import Ints
from kernels.analysis.counts import BARRIER, Counts
from kernels.analysis.reuse import Mode
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Scope
from kernels.simt.trace.trace import Trace

Weights = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of a grid: `traced` of the `blocks` of a grid; `weights` says of how many blocks each traced one is the pattern."""

    traced: int
    blocks: int
    weights: tuple[float, ...]

    @property
    def complete(self) -> bool:
        return self.traced == self.blocks

    @property
    def words(self) -> Message | None:
        """What was executed, where that is not all."""
        if self.complete:
            return None
        return message(
            "{traced} of {blocks} blocks traced. × counts each for all blocks of its kind.", traced=self.traced, blocks=self.blocks
        )


def coverage(trace: Trace) -> Coverage:
    """What the traced blocks stand for. Blocks at the right and at the lower edge stand for their edge, others for the inside."""
    return coverage_of(trace.grid, trace.blocks)


def coverage_of(grid: Dim3, traced: tuple[Dim3, ...]) -> Coverage:
    """Return what some blocks of a grid stand for, as `coverage` does for the traced ones."""
    blocks = prod(grid)
    if len(traced) == blocks:
        return Coverage(blocks, blocks, (1.0,) * blocks)
    found = np.ones(len(traced))
    for axis in range(3):
        found *= _along(grid, traced, axis)
    return Coverage(len(traced), blocks, tuple((found * (blocks / found.sum())).tolist()))


def first_steps(trace: Trace, order: StepOrder, starts: Sequence[int]) -> Ints | None:
    """The first step of each traced block, and the end of the last one; None where they do not follow each other as `Trace.blocks` does.

    `starts` are the steps at which a block begins."""
    blocks = trace.rows.block[order.row[list(starts)]]
    if (blocks[1:] <= blocks[:-1]).any():
        return None
    return np.append(np.asarray(starts, np.int64), order.steps)[np.searchsorted(blocks, np.arange(len(trace.blocks) + 1))]


def of_launch(covered: Coverage, before: Ints | None, whole: int) -> float:
    """What is counted in the traced blocks (`whole`) is in the whole launch. `before` are the counts before the steps of `first_steps`."""
    if before is None:
        return float(whole) * covered.blocks / covered.traced
    return float((np.diff(before.astype(np.float64)) * covered.weights).sum())


def _along(grid: Dim3, blocks: tuple[Dim3, ...], axis: int) -> Weights:
    """How many places along one axis each traced block stands for."""
    places = [block[axis] for block in blocks]
    last = grid[axis] - 1
    if last in places and len(set(places)) > 1:
        others = len(set(places) - {last})
        return np.array([1.0 if place == last else last / others for place in places])
    return np.full(len(places), grid[axis] / len(set(places)))


_GLOBAL = ("global_load", "global_store", "global_atomic")
_SHARED = ("shared_load", "shared_store", "shared_atomic")
BYTES = message("Bytes moved")
ROWS: tuple[tuple[Message, tuple[str, ...], int], ...] = (
    (message("Global requests"), _GLOBAL, 1),
    (message("Sectors, 32 B"), ("sectors",), 1),
    (BYTES, ("sectors",), SECTOR_BYTES),
    (message("Shared requests"), _SHARED, 1),
    (message("Shared wavefronts"), ("wavefronts",), 1),
    (message("Without conflicts"), ("wavefronts_ideal",), 1),
)
"""Title, the sums of the record that are added, and what each of them counts."""
CONFLICTS = message("Bank conflicts")
BARRIER_OPERATIONS = message("Barrier operations")
OPERANDS = message("Wavefronts of wgmma operands")
COPIED = message("Shared bytes by the copy engine")
BARRIERS = message("Barriers")
FLOPS = message("FLOPs")
INTENSITY = message("FLOP per byte")
REUSED = message("FLOP per byte after register reuse (model)")


@dataclass(frozen=True, slots=True)
class Whole:
    """A row's number for the whole launch, and what it was estimated from: the count in the traced blocks, where those are not all."""

    title: Message
    value: int | float
    counted: int | float
    estimated: bool


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """Running sums of a counter: what it counts before each step, and in all, as sums that are added, less others, times `unit`."""

    added: tuple[npt.NDArray[np.integer[Any]], ...]
    less: tuple[npt.NDArray[np.integer[Any]], ...]
    unit: int

    def before(self, steps: int | Ints) -> Ints:
        """The counts before some steps."""
        total = np.zeros(np.shape(steps), np.int64)
        for column in self.added:
            total += column[steps]
        for column in self.less:
            total -= column[steps]
        return total * self.unit

    @property
    def whole(self) -> int:
        return int(self.before(-1))


class LaunchCounters:
    """The counters of one record; what does not depend on the step is worked out once."""

    def __init__(self, index: LaunchIndex) -> None:
        self.coverage: Coverage = coverage(index.trace)
        self._sums = _sums(index)
        self._barriers = np.sort([event.row for event in index.trace.barriers if event.scope is Scope.BLOCK])
        self._starts = np.array([band.start for band in index.record.bands], np.int64)
        self._first_row = np.minimum.reduceat(index.record.order.row, self._starts) if len(self._starts) else self._starts
        """For each barrier interval the first row executed in it."""
        self.whole = self._whole(index)

    def at(self, frame: Frame) -> tuple[Counter, ...]:
        """The counters at a frame, in the order of `whole`, as far as they can be told step by step."""
        rows = []
        for title, sums in self._sums:
            before, after = int(sums.before(frame.step)), int(sums.before(frame.step + 1))
            rows.append(Counter(title, after - before, after, sums.whole))
        if len(self._barriers):
            interval = np.searchsorted(self._starts, frame.band.start)
            passed = int(np.searchsorted(self._barriers, self._first_row[interval], "right"))
            rows.append(Counter(BARRIERS, 0, passed, len(self._barriers)))
        return tuple(rows)

    def _whole(self, index: LaunchIndex) -> tuple[Whole, ...]:
        covered, firsts = self.coverage, first_steps(index.trace, index.record.order, index.record.bounds[Unit.BLOCK])
        estimated = not covered.complete
        rows = [
            Whole(title, round(of_launch(covered, sums.before(firsts) if firsts is not None else None, sums.whole)), sums.whole, estimated)
            for title, sums in self._sums
        ]
        counted = index.record.counts[Mode.AS_WRITTEN]
        if len(self._barriers):
            weights = (covered.weights[event.block] for event in index.trace.barriers if event.scope is Scope.BLOCK)
            rows.append(Whole(BARRIERS, round(sum(weights)), len(self._barriers), estimated))
        if counted.totals.flops:
            rows.append(Whole(FLOPS, round(_growth(index, covered) * counted.totals.flops), counted.totals.flops, estimated))
        return (*rows, *_intensities(rows, counted, index.record.counts[Mode.REGISTER_REUSE]))


def counters_of(index: LaunchIndex) -> LaunchCounters:
    """Return the counters of a record, made once."""
    return index.once(LaunchCounters)


def counters_at(index: LaunchIndex, frame: Frame) -> tuple[Counter, ...]:
    """The counters at a frame; those of what never happens in the launch are left out. Whole numbers are of the traced blocks."""
    return counters_of(index).at(frame)


def intensity(index: LaunchIndex) -> float | None:
    """FLOP for each byte that moves, as written, in the whole launch; None where nothing is computed."""
    return next((row.value for row in counters_of(index).whole if row.title == INTENSITY), None)


def _growth(index: LaunchIndex, covered: Coverage) -> float:
    """How many times the traced blocks' count the launch's is, where it is not known block by block: as with accesses of threads."""
    rows = index.trace.rows
    lanes = index.trace.masks.sum(axis=1)[rows.mask]
    return float((lanes * np.asarray(covered.weights)[rows.block]).sum() / lanes.sum())


def _intensities(rows: list[Whole], written: Counts, reused: Counts) -> list[Whole]:
    """FLOP for each byte that sectors move: as written, and if values already loaded stay in registers."""
    values = {row.title: row.value for row in rows}
    counted, kept = written.flops_per_byte_moved, reused.flops_per_byte_moved
    if not counted or not kept:
        return []
    whole = values[FLOPS] / values[BYTES]
    return [Whole(INTENSITY, whole, counted, estimated=False), Whole(REUSED, kept * whole / counted, kept, estimated=False)]


def _sums(index: LaunchIndex) -> list[tuple[Message, Running]]:
    """The rows that occur in the launch."""
    known = index.record.sums
    rows = [(title, Running(tuple(known[name] for name in names if name in known), (), unit)) for title, names, unit in ROWS]
    found = [(title, running) for title, running in rows if running.whole]
    if "wavefronts" in known and known["wavefronts"][-1]:
        found.append((CONFLICTS, Running((known["wavefronts"],), (known["wavefronts_ideal"],), 1)))
    if OPERAND_WAVEFRONTS in known:
        found.append((OPERANDS, Running((known[OPERAND_WAVEFRONTS],), (), 1)))
    if f"shared_{BARRIER}" in known:
        found.append((BARRIER_OPERATIONS, Running((known[f"shared_{BARRIER}"],), (), 1)))
    if COPIED_BYTES in known:
        found.append((COPIED, Running((known[COPIED_BYTES],), (), 1)))
    return found
