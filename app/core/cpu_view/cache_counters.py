"""Counters of the caches, read from their history: misses by level, array, source line and tile step; hit rates; the address stream."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from app.core.base.i18n import NARROW_SPACE
from app.core.base.picture_parts import Chip, Counter, counters_at
from app.core.cpu_view.caches import StageCaches
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.cachesim.count import Counts
from kernels.cachesim.history import MISS


class CacheCounters:
    """The counts of one history; built once, then asked for any step."""

    def __init__(self, caches: StageCaches) -> None:
        self.caches = caches
        self._rows: list[tuple[Message, npt.NDArray[np.int64]]] = []
        arrays = caches.history.accesses.array
        for number, level in enumerate(caches.levels):
            missed = caches.outcome(number) == MISS
            self._add(message("{level} misses", level=level.name), missed)
            names = caches.history.arrays if number == 0 else ()
            for array, name in enumerate(names):
                if (arrays == array).any():
                    self._add(message("{level} misses of {matrix}", level=level.name, matrix=name), missed & (arrays == array))
        size = caches.levels[-1].line
        self._rows.append((message("Bytes from memory"), size * caches.misses_before(len(caches.levels) - 1)[caches.start]))

    def at(self, step: int) -> tuple[Counter, ...]:
        """The counts at a step."""
        return counters_at(self._rows, step)

    def _add(self, title: Message, chosen: npt.NDArray[np.bool_]) -> None:
        running = np.concatenate(([0], np.cumsum(chosen)))
        self._rows.append((title, running[self.caches.start]))


def kinds_text(counts: Counts) -> Message | None:
    """The misses of the nearest level by their kinds; None where they were not told apart."""
    nearest = counts.levels[0]
    if nearest.kinds is None:
        return None
    return message(
        "{level} misses by reason: {compulsory} compulsory (first touch), {capacity} capacity (too small), {conflict} conflict (set full).",
        level=nearest.level.name, compulsory=nearest.kinds.compulsory, capacity=nearest.kinds.capacity, conflict=nearest.kinds.conflict,
    )  # fmt: skip


Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def rate_at(caches: StageCaches, level: int, step: int) -> float:
    """The share of hits of a level among what has reached it by the end of a step; NaN where nothing has."""
    after = int(caches.start[step + 1])
    return float(caches.hit_rates[level][after - 1]) if after else float("nan")


def curve(caches: StageCaches, level: int, points: int) -> tuple[Ints, Floats]:
    """The hit rate at up to so many accesses, the last one included; accesses before the first that reached the level are left out."""
    rates = caches.hit_rates[level]
    if not len(rates):
        return np.zeros(0, np.int64), np.zeros(0)
    chosen = np.unique(np.linspace(0, len(rates) - 1, points).astype(np.int64))
    chosen = chosen[~np.isnan(rates[chosen])]
    return chosen, rates[chosen]


def lowest_tick(caches: StageCaches, level: int) -> float:
    """Where the axis of a level's hit rate begins: below all of it once the first accesses, which all miss, are over."""
    rates = caches.hit_rates[level][len(caches.hit_rates[level]) // 20 :]
    lowest = float(np.nanmin(rates)) if np.isfinite(rates).any() else 0.0
    return min(float(np.floor(lowest * 5)) / 5, 0.8)


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Accesses `first` to `end` (exclusive) in order: the byte that each begins with, its array, and whether it missed a level."""

    first: int
    end: int
    address: Ints
    array: npt.NDArray[np.uint8]
    missed: npt.NDArray[np.bool_]


def stream(caches: StageCaches, level: int, step: int, length: int) -> Stream:
    """The page of `length` accesses that the step's first one is on."""
    accesses = caches.history.accesses
    first = int(caches.start[step]) // length * length
    part = slice(first, min(first + length, len(accesses)))
    return Stream(first, part.stop, accesses.address[part], accesses.array[part], caches.outcome(level)[part] == MISS)


def step_of(caches: StageCaches, access: int) -> int:
    """The step that an access belongs to."""
    step = int(np.searchsorted(caches.start, access, side="right")) - 1
    return min(max(step, 0), caches.index.trace.steps - 1)


_OFTEN, _MOSTLY = 0.125, 0.5
"""Shares of misses from which on a mark stands out, and is filled: a line of 16 floats read one after the other misses one in 16."""


def percent_of(share: float) -> int:
    """A share as a whole number of percent; 0 and 100 only where it is none and all."""
    rounded = round(100 * share)
    return min(max(rounded, 1), 99) if 0 < share < 1 else rounded


@dataclass(frozen=True, slots=True)
class LineMisses:
    """Misses of a source line: its accesses, those that missed, the step at which most of them do, and its share of all misses."""

    line: int
    level: str
    accesses: int
    misses: int
    worst: int
    heat: float

    @property
    def chips(self) -> tuple[Chip, ...]:
        missed = self.misses / self.accesses
        times = 8.0 if missed >= _MOSTLY else 2.0 if missed >= _OFTEN else 1.0
        return (Chip(f"{percent_of(1 - missed)}{NARROW_SPACE}%", times, self.worst),)

    @property
    def words(self) -> Message:
        return message(
            "Line {line}: {hits} of {accesses} accesses hit {level}; {share} % of all misses are here. A press goes to its worst step.",
            line=self.line, hits=self.accesses - self.misses, accesses=self.accesses, level=self.level, share=round(100 * self.heat),
        )  # fmt: skip


def line_misses(caches: StageCaches) -> Mapping[int, LineMisses]:
    """The lines that access memory, by number."""
    lines, misses, accesses = caches.index.trace.lines, caches.misses_of_steps(0), np.diff(caches.start)
    whole = int(misses.sum())
    found = {}
    for line in np.unique(lines).tolist():
        own = lines == line
        count, missed = int(accesses[own].sum()), int(misses[own].sum())
        if count:
            worst = int(np.where(own, misses, -1).argmax())
            found[line] = LineMisses(line, caches.levels[0].name, count, missed, worst, missed / whole if whole else 0.0)
    return found


def misses_by_tile(caches: StageCaches) -> npt.NDArray[np.int64]:
    """For each tile step and each array of the history: the accesses that missed the nearest cache."""
    bounds = caches.start[caches.index.groups.start]
    missed, array = caches.outcome(0) == MISS, caches.history.accesses.array
    columns = []
    for number in range(len(caches.history.arrays)):
        running = np.concatenate(([0], np.cumsum(missed & (array == number))))
        columns.append(np.diff(running[bounds]))
    return np.stack(columns, axis=1)
