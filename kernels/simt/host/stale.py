"""Values of the host that are older than what a launch has written: bytes of the host and of the device that a copy has made equal.

Once a launch changes the device's bytes, the host is kept from its own until it reads them (which is noted) or writes them (then they are
another thing). The reading is told when the program ends, unless a copy or another launch has had the device's bytes by then. Variables of
the stack are not watched: their bytes are used again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kernels.base.values import dataclass
from kernels.simt.base.types import Location
from kernels.simt.host.arena import GRANULE, Arena, ArenaAllocation, Home

WATCHED = (Home.HOST, Home.PINNED, Home.KEPT)
PIECE = 1 << 20
"""Bytes that are compared at once."""
MOST = 256
"""Pairs that are kept: of a program that copies in a loop, the newest."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A value that the host read at `location`, where it is written `place`; the launch had written a newer one."""

    location: Location
    place: str
    launch: Location
    device: ArenaAllocation


@dataclass(slots=True, eq=False)
class _Pair:
    """Equal bytes: `size` of the host from `host` on, of the device from `device` on. `launch` has written the device's since."""

    host: int
    device: int
    size: int
    allocation: ArenaAllocation
    """Of the device."""
    launch: Location | None = None
    watched: bool = False
    reading: Reading | None = None


class StaleValues:
    """Pairs of a program, and what was read in them too late."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._pairs: list[_Pair] = []

    @property
    def readings(self) -> list[Reading]:
        """List what was read and has never been copied back, one reading for each launch."""
        found = {each.reading.launch: each.reading for each in reversed(self._pairs) if each.reading is not None}
        return list(found.values())

    def copied(self, target: int, source: int, size: int) -> None:
        """Note a copy: what it reads of the device is no longer missing, and both of its ends are equal from now on."""
        for each in list(self._pairs):
            if _overlap(target, size, each.host, each.size):
                self._cut(each, target - each.host, size)
            elif _overlap(source, size, each.device, each.size):
                self._cut(each, source - each.device, size)
        self._pair(source, target, size)
        self._pair(target, source, size)

    def _pair(self, host: int, device: int, size: int) -> None:
        """Note that bytes of the host and of the device are equal, if these are."""
        owner, allocation = self._arena.find(host), self._arena.find(device)
        if owner is None or allocation is None or owner.home not in WATCHED or allocation.home is not Home.DEVICE:
            return
        if (host - self._arena.layout.base) % GRANULE == 0:
            for each in [pair for pair in self._pairs if _overlap(device, size, pair.device, pair.size)]:
                self._remove(each)
            for each in self._pairs[: -MOST + 1]:
                self._remove(each)
            self._pairs.append(_Pair(host, device, size, allocation))

    def launched(self, given: ArenaAllocation, launch: Location, *, writes: bool) -> None:
        """Note that a launch was given an array of the device: what it only read was wanted by it, what it wrote is newer."""
        for each in [pair for pair in self._pairs if pair.allocation is given]:
            if not writes:
                self._remove(each)
                continue
            if self._are_equal(each):
                continue  # it wrote elsewhere, or what was there
            each.launch, each.reading = launch, None
            if not each.watched and self._lives(each):
                self._arena.shade(each.host, each.size, allowed=False)
                each.watched = True

    def accessed(self, address: int, size: int, location: Location, place: str, *, writes: bool) -> bool:
        """Let the host access watched bytes, and note what is read there; say whether any were watched."""
        touched = [each for each in self._pairs if each.watched and _overlap(address, size, each.host, -(-each.size // GRANULE) * GRANULE)]
        for each in touched:
            self._let_go(each)
            inside = _overlap(address, size, each.host, each.size)
            if inside and writes and size > GRANULE:
                self._cut(each, address - each.host, size)
            elif inside and (writes or not place or each.launch is None):
                self._pairs.remove(each)
            elif inside and each.launch is not None:
                each.reading = Reading(location, place, each.launch, each.allocation)
        return bool(touched)

    def _cut(self, pair: _Pair, start: int, size: int) -> None:
        """Take out of a pair the bytes from `start` on, which were copied: what is left before and behind them is as it was."""
        before, behind = start, pair.size - start - size
        self._remove(pair)
        kept = pair.reading
        for first, length in ((0, before), (pair.size - behind, behind)):
            if length > 0 and (pair.host + first - self._arena.layout.base) % GRANULE == 0:
                made = replace(pair, host=pair.host + first, device=pair.device + first, size=length, watched=False, reading=kept)
                self._pairs.append(made)
                if pair.launch is not None and self._lives(made):
                    self._arena.shade(made.host, made.size, allowed=False)
                    made.watched = True

    def _remove(self, pair: _Pair) -> None:
        self._let_go(pair)
        self._pairs.remove(pair)

    def _let_go(self, pair: _Pair) -> None:
        if pair.watched and self._lives(pair):
            found = self._arena.find(pair.host)
            assert found is not None
            room = found.address + found.bytes - pair.host
            self._arena.shade(pair.host, min(-(-pair.size // GRANULE) * GRANULE, room), allowed=True)
        pair.watched = False

    def _are_equal(self, pair: _Pair) -> bool:
        """Say whether the host has what the device has."""
        return self._lives(pair) and all(
            np.array_equal(self._arena.view(pair.host + at, size), self._arena.view(pair.device + at, size))
            for at in range(0, pair.size, PIECE)
            for size in (min(PIECE, pair.size - at),)
        )

    def _lives(self, pair: _Pair) -> bool:
        return self._arena.inside(pair.host, pair.size, WATCHED) is not None


def _overlap(address: int, size: int, other: int, length: int) -> bool:
    return address < other + length and other < address + size
