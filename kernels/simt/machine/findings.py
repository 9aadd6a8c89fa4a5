"""What goes wrong while a launch executes: one finding for each kind and place, with the first threads that show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Location
from kernels.simt.machine.lanes import Lanes, Mask
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, Finding

MOST_THREADS = 32


@dataclass(slots=True)
class _Open:
    location: Location
    block: Dim3
    message: Message
    row: int
    threads: dict[Dim3, None] = field(default_factory=dict)


class Findings:
    """Collects findings; a later one of the same kind and place in the same block adds its threads only."""

    def __init__(self) -> None:
        self._open: dict[tuple[FindingKind, object], _Open] = {}

    def add(
        self, kind: FindingKind, place: object, location: Location, lanes: Lanes, which: Iterable[int], text: Message, row: int = -1
    ) -> None:
        """Something happened to the lanes `which`; `place` tells places apart (a site, a location)."""
        found = self._open.setdefault((kind, place), _Open(location, lanes.block, text, row))
        if found.block != lanes.block:
            return
        for lane in which:
            if len(found.threads) >= MOST_THREADS:
                return
            found.threads[lanes.thread(int(lane))] = None

    def add_budget(self, location: Location, block: Dim3, text: Message) -> None:
        """The execution was stopped here."""
        self._open.setdefault((FindingKind.BUDGET_EXCEEDED, location), _Open(location, block, text, -1))

    def add_end(self, location: Location, lanes: Lanes, mask: Mask, text: Message) -> None:
        """Add the finding that these threads would end the launch on a GPU."""
        self.add(FindingKind.ENDS_LAUNCH, location, location, lanes, mask.indices, text)

    def all(self) -> tuple[Finding, ...]:
        """Return the findings in the order in which they first showed."""
        return tuple(
            Finding(kind, each.location, each.block, tuple(each.threads), each.message, row=each.row)
            for (kind, _), each in self._open.items()
        )

    def check_block_barrier(self, lanes: Lanes, mask: Mask, location: Location, *, grid: bool) -> None:
        """Check that every thread that lives is at the barrier."""
        if mask is not lanes.live:
            missing = np.flatnonzero(lanes.live.active & ~mask.active)
            self.add_missing(lanes, missing, location, grid=grid)

    def add_missing(self, lanes: Lanes, missing: Iterable[int], location: Location, *, grid: bool) -> None:
        """Add the finding that these lanes run past a barrier that others wait at."""
        text = message("Not every thread of the block reaches this __syncthreads().")
        if grid:
            text = message("Not every thread of the grid reaches this sync() of the whole grid.")
        self.add(FindingKind.BARRIER_DIVERGENCE, location, location, lanes, missing, text)

    def add_paired(self, lanes: Lanes, one: Location, other: Location) -> None:
        """Add the finding that warps of a block met at different barriers: a GPU lets them pass."""
        first, second = sorted((one, other), key=lambda each: (each.line, each.column))
        text = message(
            "Warps of one block meet here at different __syncthreads(): lines {line} and {other}. A GPU counts who arrives and lets them"
            " pass; CUDA promises nothing.",
            line=first.line, other=second.line,
        )  # fmt: skip
        self.add(FindingKind.PAIRED_BARRIERS, (first, second), first, lanes, lanes.live.indices, text)

    def check_warp_barrier(self, lanes: Lanes, mask: Mask, named: Any, location: Location) -> None:
        """Check that those whom an active thread names, if they live, are just the active threads that name the same: a warp, or its
        tiles.
        """
        if not mask:
            return
        wanted = np.broadcast_to(np.asarray(named), (lanes.count,)).astype(np.uint32) & np.repeat(_bits(lanes.live.active), WARP)
        wrong = mask.active & (wanted != np.repeat(_bits(mask.active), WARP))
        if wrong.any():
            rows = np.where(mask.active, wanted, 0).reshape(-1, WARP)
            same = (rows[:, :, None] == rows[:, None, :]) & mask.active.reshape(-1, 1, WARP)
            wrong = mask.active & (wanted != _words(same).reshape(-1))
        if wrong.any():
            text = message("The threads that reach this warp synchronisation are not the ones that its mask names.")
            self.add(FindingKind.BARRIER_DIVERGENCE, location, location, lanes, np.flatnonzero(wrong), text)


def _bits(active: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
    """A lane mask for each warp."""
    return _words(active.reshape(-1, WARP)).reshape(-1)


def _words(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
    """The last axis, of a warp's lanes, as bits of words."""
    return np.packbits(bits, axis=-1, bitorder="little").view("<u4").astype(np.uint32)
