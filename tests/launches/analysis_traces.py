"""Traces written by hand: a few access rows over small arrays, for the tests of the analyses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kernels.simt.base.types import Location, Scope, Space, ThreadScope
from kernels.simt.trace.trace import WARP, Allocation, BarrierEvent, Finding, Rows, Site, Trace, Updates

SHARED_FLOATS = 4096
GLOBAL_BYTES = 1 << 16


@dataclass
class Recorder:
    """Appends rows to a trace. Allocations: 0 is `s` in shared memory, 1 and 2 are `a` and `b` in global memory, floats all.

    Each access stands on the line given; addresses are in bytes from the array's start, one a lane, and None leaves a lane out.
    """

    threads: int = WARP
    mode: str = "block"
    blocks: int = 1
    epoch: int = 0
    warp_epoch: int = 0
    block: int = 0
    flops: int = 0
    source: str = ""
    findings: tuple[Finding, ...] = ()
    recorded_values: bool = True
    rows: list[tuple[int, ...]] = field(default_factory=list)
    barriers: list[BarrierEvent] = field(default_factory=list)
    updates: list[tuple[int, list[int], list[int]]] = field(default_factory=list)
    sites: dict[Site, int] = field(default_factory=dict)
    masks: dict[bytes, int] = field(default_factory=dict)
    bases: dict[bytes, int] = field(default_factory=dict)

    ARRAYS: ClassVar = {
        "s": Allocation("s", Space.SHARED, 0, 4 * SHARED_FLOATS, (SHARED_FLOATS // 32, 32), 4, "float"),
        "a": Allocation("a", Space.GLOBAL, 256, GLOBAL_BYTES, (GLOBAL_BYTES // 4,), 4, "float"),
        "b": Allocation("b", Space.GLOBAL, 256 + GLOBAL_BYTES, GLOBAL_BYTES, (GLOBAL_BYTES // 4,), 4, "float"),
    }  # fmt: skip

    def access(
        self, operation: str, array: str, line: int, addresses: Sequence[int | None], *,
        size: int = 4, changed: Sequence[bool] | None = None, lost: Sequence[bool] | None = None, offset: int = 0, tile: bool = False,
        function: str = "", volatile: bool = False, scope: ThreadScope = ThreadScope.SYSTEM, piece: bool = False,
    ) -> None:  # fmt: skip
        """One row. A store changes memory in all its lanes and loses in none, unless said otherwise."""
        allocation = self.ARRAYS[array]
        lanes = -(-self.threads // WARP) * WARP
        padded = [*addresses, *[None] * (lanes - len(addresses))]
        active = np.array([address is not None for address in padded], np.bool_)
        number = list(self.ARRAYS).index(array)
        place = Site(operation, allocation.space, size, number, Location(line, 1), array, tile, function, scope, volatile, piece=piece)
        site = self.sites.setdefault(place, len(self.sites))
        base = np.array([allocation.address + (address or 0) - offset for address in padded], np.int64)
        mask = self._mask(active)
        stored = mask if changed is None else self._mask(np.array([*changed, *[False] * (lanes - len(changed))], np.bool_))
        beaten = self._mask(np.zeros(lanes, np.bool_) if lost is None else np.array([*lost, *[False] * (lanes - len(lost))], np.bool_))
        vector = self.bases.setdefault(base.tobytes(), len(self.bases))
        self.rows.append((site, mask, vector, offset, self.epoch, self.warp_epoch, self.block, stored, beaten))

    def load(self, array: str, line: int, addresses: Sequence[int | None], *, size: int = 4, offset: int = 0) -> None:
        self.access("load", array, line, addresses, size=size, offset=offset)

    def store(
        self, array: str, line: int, addresses: Sequence[int | None], *,
        size: int = 4, changed: Sequence[bool] | None = None, lost: Sequence[bool] | None = None,
    ) -> None:  # fmt: skip
        self.access("store", array, line, addresses, size=size, changed=changed, lost=lost)

    def atomic(
        self, array: str, line: int, addresses: Sequence[int | None], *,
        function: str = "", scope: ThreadScope = ThreadScope.SYSTEM, update: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        """One row; `update` is what each of its lanes read and left."""
        active = sum(address is not None for address in addresses)
        if update is not None:
            self.updates.append((len(self.rows), [update[0]] * active, [update[1]] * active))
        self.access("atomic", array, line, addresses, function=function, scope=scope)

    def barrier(self) -> None:
        self.epoch += 1

    def sync_warp(self, lanes: Sequence[int] | None = None) -> None:
        """Those lanes of each warp meet, all of the block if not said otherwise."""
        met = np.isin(np.arange(-(-self.threads // WARP) * WARP), range(self.threads) if lanes is None else lanes)
        self.barriers.append(BarrierEvent(self.block, len(self.rows), Location(1, 1), self._mask(met), Scope.WARP))
        self.warp_epoch += 1

    def fence(self, lane: int | None = None, reach: ThreadScope = ThreadScope.DEVICE) -> None:
        """All threads, or that of one lane, execute a fence."""
        lanes = np.arange(-(-self.threads // WARP) * WARP)
        mask = self._mask(lanes == lane if lane is not None else lanes >= 0)
        self.barriers.append(BarrierEvent(self.block, len(self.rows), Location(1, 1), mask, Scope.FENCE, self.epoch, reach))

    def next_block(self) -> None:
        self.block, self.epoch, self.warp_epoch = self.block + 1, 0, 0
        self.blocks = max(self.blocks, self.block + 1)

    def trace(self) -> Trace:
        lanes = -(-self.threads // WARP) * WARP
        table = np.array(self.rows, np.int64).reshape(-1, 9)
        narrow = [table[:, column].astype(np.int32) for column in range(9)]
        site, mask, base, _, epoch, warp_epoch, block, changed, lost = narrow
        kept = self.recorded_values
        ends = np.cumsum([0, *(len(before) for _, before, _ in self.updates)])
        before = np.array([each for _, found, _ in self.updates for each in found], np.int64)
        after = np.array([each for _, _, left in self.updates for each in left], np.int64)
        updates = Updates(np.array([row for row, _, _ in self.updates], np.int64), ends, before, after) if self.updates else None
        return Trace(
            "kernel", self.source, (self.blocks, 1, 1), (self.threads, 1, 1), self.mode, tuple((x, 0, 0) for x in range(self.blocks)),
            tuple(self.ARRAYS.values()), tuple(self.sites),
            Rows(
                site, mask, base, table[:, 3], epoch, warp_epoch, block, changed if kept else None, lost if kept else None, updates=updates
            ),
            np.array([np.frombuffer(each, np.bool_) for each in self.masks]).reshape(-1, lanes),
            np.array([np.frombuffer(each, np.int64) for each in self.bases]).reshape(-1, lanes),
            tuple(self.barriers), self.flops, self.findings, (),
        )  # fmt: skip

    def _mask(self, active: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int:
        return self.masks.setdefault(active.tobytes(), len(self.masks))


def words(*indices: int | None) -> list[int | None]:
    """Byte addresses of 4-byte elements."""
    return [None if index is None else 4 * index for index in indices]
