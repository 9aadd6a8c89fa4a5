"""Clusters: blocks that are on the device together, meet at barriers of their own, and reach each other's shared memory.

An address of shared memory with a rank in its upper byte, counted from 1, is one of the block with that rank; without, of the own block.
While one block is executed, what the others have in shared memory is kept aside: there it is read and written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Location
from kernels.simt.base.windows import RANK_SHIFT
from kernels.simt.machine.memory import Bits, Bytes, Memory, Shared


@dataclass(eq=False)
class Member:
    """A block of a cluster. `held` is its shared memory while it is not executed; None before it begins and when it has ended."""

    rank: int
    cluster: Cluster
    state: dict[str, Any] = field(default_factory=dict)
    held: tuple[Bytes, Bits] | None = None
    arrived: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """For each lane the phase of the cluster's barrier at which it arrived last; -1 if it never did."""


@dataclass(eq=False)
class Cluster:
    """Blocks of one cluster by rank, and its barrier: how many of its `threads` have arrived in how many phases."""

    threads: int
    number: int
    alone: bool = False
    """It is of one block."""
    members: dict[int, Member] = field(default_factory=dict)
    missing: int = 0
    phase: int = 0
    offsets: dict[tuple[Location, int], dict[int, set[int]]] = field(default_factory=dict)
    """By the place of a wgmma and its operand: the leading offsets that the blocks of each rank have named."""

    def arrive(self, count: int) -> int:
        """Let some threads arrive; the phase at which they do."""
        phase = self.phase
        self.missing = (self.missing or self.threads) - count
        self.phase += self.missing <= 0
        return phase


class Clusters:
    """All clusters of a launch."""

    def __init__(self, memory: Memory, shared: Shared, size: Dim3, grid: Dim3, threads: int) -> None:
        self._memory, self._shared, self._size, self._grid, self._threads = memory, shared, size, grid, threads
        self._clusters: dict[Dim3, Cluster] = {}
        self._alone = prod(size) == 1

    def whole(self, indices: Sequence[int]) -> Sequence[int]:
        """Blocks by their index in the grid, with all others of their clusters, cluster after cluster."""
        if prod(self._size) == 1:
            return indices  # two thousand million blocks as a range take no memory
        x, y, _ = self._grid
        found: dict[int, None] = {}
        for index in indices:
            first = [each // size * size for each, size in zip(_place(index, self._grid), self._size, strict=True)]
            for rank in range(prod(self._size)):
                at = [begin + step for begin, step in zip(first, _place(rank, self._size), strict=True)]
                found[at[0] + x * (at[1] + y * at[2])] = None
        return list(found)

    def begin(self, block: Dim3, lanes: int) -> Member:
        """A block of a cluster, which begins."""
        key = tuple(each // size for each, size in zip(block, self._size, strict=True))
        cluster = self._clusters.setdefault((key[0], key[1], key[2]), self._new())
        x, y, z = (each % size for each, size in zip(block, self._size, strict=True))
        rank = x + self._size[0] * (y + self._size[1] * z)
        member = cluster.members[rank] = Member(rank, cluster, arrived=np.full(lanes, -1))
        member.state["cluster member"] = member
        member.state["shared memory"] = self._shared
        return member

    def _new(self) -> Cluster:
        return Cluster(self._threads * prod(self._size), len(self._clusters), self._alone)

    def enter(self, member: Member) -> None:
        """Execute a block from here on: the others of its cluster are reached at the addresses of their ranks."""
        if self._alone:
            return
        others = (each for each in member.cluster.members.values() if each is not member and each.held is not None)
        self._memory.reach([region for each in others for region in self._shared.elsewhere(each.held, (each.rank + 1) << RANK_SHIFT)])

    def leave(self, member: Member, held: tuple[Bytes, Bits] | None) -> None:
        """Go on with other blocks; what the block has in shared memory is kept aside, if it has not ended."""
        member.held = held


def _place(index: int, size: Dim3) -> Dim3:
    return index % size[0], index // size[0] % size[1], index // (size[0] * size[1])
