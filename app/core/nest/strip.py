"""The misses of a trace at a glance: of each tile step, by array."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.core.nest.caches import StageCaches
from kernels.cachesim.history import MISS


def misses_by_tile(caches: StageCaches) -> npt.NDArray[np.int64]:
    """For each tile step and each array of the history: the accesses that missed the nearest cache."""
    bounds = caches.start[caches.index.groups.start]
    missed, array = caches.outcome(0) == MISS, caches.history.accesses.array
    columns = []
    for number in range(len(caches.history.arrays)):
        running = np.concatenate(([0], np.cumsum(missed & (array == number))))
        columns.append(np.diff(running[bounds]))
    return np.stack(columns, axis=1)
