"""What access sites are, and what they remember."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.machine.lanes import Mask
from kernels.simt.machine.log import Base
from kernels.simt.machine.memory import Region
from kernels.simt.trace.trace import Site

Vector = npt.NDArray[Any]
Views = tuple[Vector, ...]
Read = Callable[[], Vector]
"""Gives the item of every lane as it is now, in an array of its own."""
Runs = tuple[tuple[int, ...], tuple[int, ...]]
"""The shape and the steps of a slice."""
_SHORTEST_RUN = 8
"""Lanes whose places follow each other at one distance: fewer are read faster one by one."""
_MOST_RUNS = 3
"""Nested runs."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteSpec:
    """A site as the generator describes it: what the trace says of it, and how its bytes are typed.

    One lane moves `leaves` items of `dtype`. `region` is the only one that it can reach, or None where that is known only when it runs.
    `vector`: what is accessed is a member, `within` bytes into a vector of so many, which the compiler accesses as one; 0: it is not.
    """

    site: Site
    dtype: np.dtype[Any]
    leaves: int
    region: Region | None
    number: int
    vector: int = 0
    within: int = 0

    @property
    def alignment(self) -> int:
        """An address less `within` must be a multiple of so many bytes."""
        return self.vector or self.dtype.itemsize * self.leaves


@dataclass(slots=True, eq=False)
class Plan:
    """Plan of a site for one base and mask. The active lanes' addresses are `low` + 0 .. `span` beyond the offset."""

    base: Base
    mask: Mask
    case: int
    low: int
    span: int
    aligned: bool
    index: npt.NDArray[np.int64]
    """Items beyond `low` by lane; 0 where inactive."""
    active_index: npt.NDArray[np.int64]
    distinct: bool
    """Whether a store's lanes have addresses of their own."""
    at: dict[int, Views] = field(default_factory=dict)
    """Views that begin at `low` + offset, for offsets found good."""
    reads: dict[int, tuple[Read, ...]] = field(default_factory=dict)
    """For those that were loaded from more than once."""
    _runs: Runs | None = None
    _spaced: bool | None = None
    """Whether the lanes are evenly spaced, once that was asked."""

    def forget(self) -> None:
        """What was found good need not be so any more."""
        self.at.clear()
        self.reads.clear()

    def read(self, view: Vector) -> Read:
        """How the lanes' items are got from a view that begins at `low` + offset."""
        if self._spaced is None:
            self._runs = runs(self.index)
            self._spaced = self._runs is not None
        if self._runs is None:
            return partial(view.take, self.index)
        shape, steps = self._runs
        item = view.dtype.itemsize
        even = np.ndarray(shape, view.dtype, view.data, int(self.index[0]) * item, tuple(step * item for step in steps))
        return even.flatten


def runs(index: npt.NDArray[np.int64]) -> Runs | None:
    """The slice that has the items at these places in this order; None where there is none that is faster."""
    shape: list[int] = []
    steps: list[int] = []
    while len(index) > 1:
        step = int(index[1] - index[0])
        others = np.flatnonzero(np.diff(index) != step)
        length = int(others[0]) + 1 if len(others) else len(index)
        if len(shape) == _MOST_RUNS or len(index) % length or (not shape and length < _SHORTEST_RUN):
            return None
        rows = index.reshape(-1, length)
        if (rows - rows[:, :1] != np.arange(length) * step).any():
            return None
        shape.insert(0, length)
        steps.insert(0, step)
        index = rows[:, 0]
    return (tuple(shape), tuple(steps)) if shape else None
