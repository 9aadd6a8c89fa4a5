"""One execution of a kernel, counted: accesses and misses of each level, by array and by line of source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from kernels.base.arrays import CancelCheck, never
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.cachesim.caches import WRITE_BACKS, Caches
from kernels.cachesim.geometry import Hierarchy, Level
from kernels.cachesim.numbering import NotInstrumentable, SourceLine
from kernels.cachesim.stream import ARRAY_BITS, SIZE_MASK, Entries

if TYPE_CHECKING:
    from kernels.cachesim.load import InstrumentedKernel


@dataclass(frozen=True, slots=True)
class MissCount:
    """Accesses, and those that missed. Below the first level a write is a line that is fetched because of one."""

    reads: int = 0
    writes: int = 0
    read_misses: int = 0
    write_misses: int = 0

    @staticmethod
    def of(counted: Sequence[int]) -> MissCount:
        """From a row of what the model counts."""
        return MissCount(*counted[:4])

    @property
    def accesses(self) -> int:
        return self.reads + self.writes

    @property
    def misses(self) -> int:
        return self.read_misses + self.write_misses


@dataclass(frozen=True, slots=True)
class Kinds:
    """The misses by their reason, as `model` tells them apart."""

    compulsory: int
    capacity: int
    conflict: int

    @staticmethod
    def of(counted: Sequence[int]) -> Kinds:
        """From a row of what the model counts."""
        conflict, capacity, compulsory = counted[4:7]
        return Kinds(compulsory, capacity, conflict)


@dataclass(frozen=True, slots=True)
class LevelCounts:
    """Counts of one level. Arrays and lines that did not reach it are left out."""

    level: Level
    total: MissCount
    arrays: Mapping[str, MissCount]
    lines: Mapping[SourceLine, MissCount]
    write_backs: int
    """Lines that were written from this level to the one below, or to memory."""
    kinds: Kinds | None
    """None where it was not asked for."""


@dataclass(frozen=True, slots=True)
class Counts:
    """One execution: `levels` as in the hierarchy, the nearest first; `tlb` where there is one."""

    problem: Problem
    hierarchy: Hierarchy
    levels: tuple[LevelCounts, ...]
    tlb: LevelCounts | None


def refuse_count(variant: Variant) -> Message | None:
    """Why a variant's accesses cannot be counted, or None."""
    if variant.library:
        return message("{variant} is a library's routine: there is no source whose accesses could be counted.", variant=variant.id)
    if variant.device is not Device.CPU:
        return message("{variant} does not run on one processor; the cache model is for variants that do.", variant=variant.id)
    return None


def count(
    variant: Variant,
    problem: Problem,
    parameters: Parameters,
    hierarchy: Hierarchy,
    check: CancelCheck = never,
    *,
    classified: bool = False,
    tell: Callable[[int], None] = lambda _accesses: None,
) -> Counts | Message:
    """Execute the variant's own source once, instrumented, and let every access go through the caches, which are empty at first.

    A multi-threaded variant is executed by one thread. The first count of a variant compiles it. Calls `check` some hundred times a second
    and ends with what that raises; tells as often how many accesses were counted since. `classified` asks for the kinds of
    misses too, which takes up to twice as long. Where the variant cannot be counted the reason is returned.
    """
    from kernels.cachesim.execute import execute
    from kernels.cachesim.load import instrumented

    refusal = refuse_count(variant)
    if refusal is not None:
        return refusal
    try:
        kernel = instrumented(variant, parameters, stores=False)
        simulation = _Simulation(hierarchy, kernel, check, tell, classified=classified)
        execute(kernel, problem, parameters, simulation.take, runs=True)
    except NotInstrumentable as reason:
        return message("{variant} does what the cache model does not know: {reason}", variant=variant.id, reason=str(reason))
    return simulation.counts(problem)


class _Simulation:
    """Caches that are being filled, and what has been counted so far."""

    def __init__(
        self, hierarchy: Hierarchy, kernel: InstrumentedKernel, check: CancelCheck, tell: Callable[[int], None], *, classified: bool
    ) -> None:
        from kernels.cachesim.passes import KINDS

        self._hierarchy = hierarchy
        self._kernel = kernel
        self._check = check
        self._tell = tell
        self._caches = Caches.empty(hierarchy, numbered=False)
        self._shadows = self._caches.shadowed(hierarchy) if classified else []
        self._counted = np.zeros((len(hierarchy.all_levels), len(kernel.places) << ARRAY_BITS, KINDS), np.int64)

    def take(self, entries: Entries) -> bool:
        """Let these accesses go through the caches."""
        from kernels.cachesim.model import simulate
        from kernels.cachesim.runs import end_of

        self._check()
        if self._shadows and len(entries):
            end = end_of(entries) + SIZE_MASK
            for shadow in self._shadows:
                shadow.reach(end)
        self._tell(simulate(entries, self._caches.levels, len(self._hierarchy.levels), self._counted))
        return True

    def counts(self, problem: Problem) -> Counts:
        """What was counted."""
        levels = [self._level(number, level) for number, level in enumerate(self._hierarchy.all_levels)]
        depth = len(self._hierarchy.levels)
        tlb = levels[depth] if self._hierarchy.tlb is not None else None
        return Counts(problem, self._hierarchy, tuple(levels[:depth]), tlb)

    def _level(self, number: int, level: Level) -> LevelCounts:
        counted = self._counted[number].reshape(len(self._kernel.places), 1 << ARRAY_BITS, -1)
        arrays = {name: MissCount.of(row) for name, row in zip(self._kernel.arrays, counted.sum(axis=0).tolist(), strict=False) if any(row)}
        lines = {place: MissCount.of(row) for place, row in zip(self._kernel.places, counted.sum(axis=1).tolist(), strict=True) if any(row)}
        everything = counted.sum(axis=(0, 1)).tolist()
        kinds = Kinds.of(everything) if self._shadows else None
        write_backs = int(self._caches.levels[number, WRITE_BACKS])
        return LevelCounts(level, MissCount.of(everything), arrays, lines, write_backs, kinds)
