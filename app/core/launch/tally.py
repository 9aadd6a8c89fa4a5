"""The counters of a launch: at a step, up to it, and in the whole launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core.counters import Counter
from app.core.launch.coverage import Coverage, coverage, first_steps, of_launch
from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from app.core.timeline import Unit
from kernels.analysis.cases import Ints
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.counts import Counts
from kernels.analysis.reuse import Mode
from kernels.messages import Message, message
from kernels.simt.types import Scope

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
    """What a row counts before each step, and in all: running sums that are added, less others, times `unit`."""

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


class Tally:
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


def tally_of(index: LaunchIndex) -> Tally:
    """The tally of a record, made once."""
    return index.once(Tally)


def tally(index: LaunchIndex, frame: Frame) -> tuple[Counter, ...]:
    """The counters at a frame; those of what never happens in the launch are left out. Whole numbers are of the traced blocks."""
    return tally_of(index).at(frame)


def intensity(index: LaunchIndex) -> float | None:
    """FLOP for each byte that moves, as written, in the whole launch; None where nothing is computed."""
    return next((row.value for row in tally_of(index).whole if row.title == INTENSITY), None)


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
    return found
