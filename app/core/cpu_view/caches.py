"""The caches while a trace is executed: what each access met, what every level holds at a step, and the running counts."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from app.core.cpu_view.addresses import Addresses
from app.core.cpu_view.index import TraceIndex
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.cachesim.geometry import Level
from kernels.cachesim.history import MISS, NOTHING, Content, History


@dataclass(frozen=True, slots=True)
class Lookup:
    """Lookup of a line in a level: in which set, in which way (NOTHING: it was not fetched), and whether it was there."""

    access: int
    array: str
    line: str
    write: bool
    set: int
    way: int
    hit: bool
    left: str
    """The line that left for it; "" where none did."""
    found_in: str
    """The name of the nearest level that had it; "" where only memory did."""


@dataclass(frozen=True, slots=True)
class Filling:
    """Filling of a level: the lines taken, by the array that used them last."""

    level: Level
    lines: tuple[tuple[str, int], ...]

    @property
    def taken(self) -> int:
        """Lines that hold anything."""
        return sum(count for _, count in self.lines)


@dataclass(frozen=True, slots=True, eq=False)
class CacheFrame:
    """A level when a step is over, what the step looked up in it, and how full the other levels are."""

    level: Level
    content: Content
    lookups: tuple[Lookup, ...]
    others: tuple[Filling, ...]

    @property
    def missed(self) -> Lookup | None:
        """The first of the step's lines that was not there."""
        return next((each for each in self.lookups if not each.hit), None)


class StageCaches:
    """The history of the execution whose trace is on the stage, step by step. Answers are pure functions of the step."""

    def __init__(self, index: TraceIndex, history: History) -> None:
        self.index = index
        self.history = history
        self.start: Ints = history.access_at_steps(index.trace)
        self.addresses = Addresses(index.shapes, history)
        self._frame = lru_cache(maxsize=8)(self._frame_at)

    @property
    def levels(self) -> tuple[Level, ...]:
        return self.history.hierarchy.levels

    def accesses_of(self, step: int) -> range:
        """The accesses of a step by their numbers."""
        return range(int(self.start[step]), int(self.start[step + 1]))

    def frame(self, step: int, level: int) -> CacheFrame:
        """A level, by its place in the hierarchy, at a step."""
        return self._frame(step, min(level, len(self.levels) - 1))

    def lookups(self, step: int, level: int) -> tuple[Lookup, ...]:
        """What the step looked up in a level, in order."""
        seen, arrays = self.history.levels[level], self.history.arrays
        accesses = self.accesses_of(step)
        first, last = seen.events_of(accesses.start).start, seen.events_of(accesses.stop).start
        columns = (seen.access, seen.line, seen.set, seen.way, seen.found, seen.left)
        size = seen.level.line
        names = [each.name for each in self.levels]
        return tuple(
            Lookup(
                access, arrays[self.history.accesses.array[access]], self.addresses.line_name(line, size),
                bool(self.history.accesses.write[access]), place, way, bool(found),
                "" if left == NOTHING else self.addresses.line_name(left, size),
                names[level] if found else self._below(access, line * size, level + 1),
            )
            for access, line, place, way, found, left in zip(*(column[first:last].tolist() for column in columns), strict=True)
        )  # fmt: skip

    def _below(self, access: int, address: int, level: int) -> str:
        """The name of the first level from this one on where an access found the line of an address; "" where none had it."""
        for below, seen in zip(self.levels[level:], self.history.levels[level:], strict=True):
            events = seen.events_of(access)
            if bool(seen.found[events][seen.line[events] == address // below.line].any()):
                return below.name
        return ""

    def misses_before(self, level: int) -> Ints:
        """For each access, and the end, how many before it missed a level."""
        return self._running[level]

    def misses_of_steps(self, level: int) -> Ints:
        """For each step how many of its accesses missed a level."""
        return np.diff(self._running[level][self.start])

    def outcome(self, level: int) -> npt.NDArray[np.int8]:
        """For each access what it was to a level: HIT, MISS or NOT_REACHED."""
        return self.history.levels[level].outcome

    @cached_property
    def hit_rates(self) -> tuple[npt.NDArray[np.float64], ...]:
        """For each level and access the share of hits until then."""
        return tuple(level.hit_rate() for level in self.history.levels)

    @cached_property
    def _running(self) -> tuple[Ints, ...]:
        return tuple(np.concatenate(([0], np.cumsum(level.outcome == MISS))) for level in self.history.levels)

    def _frame_at(self, step: int, level: int) -> CacheFrame:
        after = int(self.start[step + 1])
        content = self.history.levels[level].content(after)
        others = tuple(self._filling(number, after) for number in range(len(self.levels)) if number != level)
        return CacheFrame(self.levels[level], content, self.lookups(step, level), others)

    def _filling(self, level: int, access: int) -> Filling:
        arrays = self.history.levels[level].content(access).array
        counted = np.bincount(arrays[arrays != NOTHING], minlength=len(self.history.arrays)).tolist()
        return Filling(self.levels[level], tuple((name, count) for name, count in zip(self.history.arrays, counted, strict=True) if count))


def aligned(index: TraceIndex, history: History) -> bool:
    """Whether a history is of the very accesses that a trace shows: not where threads take turns in the trace, or not all was kept."""
    return history.complete and not len(index.trace.threads)
