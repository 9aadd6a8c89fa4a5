"""The counters of the caches: misses of each level, of the nearest by array, at a step, so far and in all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.core.counters import Counter
from app.core.nest.caches import StageCaches
from kernels.cachesim.count import Counts
from kernels.cachesim.history import MISS
from kernels.messages import Message, message


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
        """The counts at a step; `so_far` includes the step itself."""
        return tuple(
            Counter(title, int(before[step + 1] - before[step]), int(before[step + 1]), int(before[-1])) for title, before in self._rows
        )

    def _add(self, title: Message, chosen: npt.NDArray[np.bool_]) -> None:
        running = np.concatenate(([0], np.cumsum(chosen)))
        self._rows.append((title, running[self.caches.start]))


def kinds_words(counts: Counts) -> Message | None:
    """The misses of the nearest level by their kinds; None where they were not told apart."""
    nearest = counts.levels[0]
    if nearest.kinds is None:
        return None
    return message(
        "{level} misses by reason: {compulsory} compulsory (first touch), {capacity} capacity (too small), {conflict} conflict (set full).",
        level=nearest.level.name, compulsory=nearest.kinds.compulsory, capacity=nearest.kinds.capacity, conflict=nearest.kinds.conflict,
    )  # fmt: skip
