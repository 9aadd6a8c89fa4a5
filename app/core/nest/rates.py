"""How well the caches have done so far: hit rates over the execution, and the stream of addresses around the present."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.core.nest.caches import StageCaches
from kernels.cachesim.history import MISS

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
