"""The one memory of a program: an address space of its own, reserved and empty, with a shadow that knows which bytes are allocated.

A byte of the shadow stands for 16 bytes of memory and says how many of them, from the first, may be accessed by the host. What is freed
is not used again soon, so that a pointer to it is known for what it is. The device's memory lies in the same arena without a shadow.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from bisect import bisect_right, insort
from collections import deque
from collections.abc import Callable
from dataclasses import field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kernels.base.values import dataclass
from kernels.simt.base.types import Location

GRANULE = 16
PAGE = 4096
RESERVED = 1 << 36
"""Bytes of address space. None of it is memory until it is touched."""
STACK_BYTES = 8 << 20
"""As a program has it on Linux."""
GLOBALS = 1 << 30
"""Bytes at the front for variables that outlive a call, after a page that nothing lies in."""
MOST_CHUNKS = 1 << 12
"""Parts of an allocation of which each is known to be written or not."""
QUARANTINE = 1 << 34
"""Bytes that were freed before the first of them are used again."""
_NORESERVE = {"linux": 0x4000, "darwin": 0x40}
"""How a system is told that address space is no promise of memory."""
SYSTEMS = tuple(_NORESERVE)
SMALLEST = 1 << 32


class Home(StrEnum):
    """Home of an allocation: who has it."""

    HOST = "host"
    PINNED = "pinned"
    MANAGED = "managed"
    DEVICE = "device"
    KEPT = "kept"
    """Of the library: it frees it itself."""
    VARIABLE = "variable"
    SYMBOL = "symbol"
    """A variable of the device."""


ON_DEVICE = (Home.DEVICE, Home.MANAGED, Home.SYMBOL)
ON_HOST = (Home.HOST, Home.PINNED, Home.MANAGED, Home.KEPT, Home.VARIABLE)


@dataclass(slots=True, eq=False)
class ArenaAllocation:
    """An allocation while the program runs. `defined` has a flag for each byte that was written, or is None where all count as written.
    `unread`: the launch that wrote it, since which nothing has read it; `handed_on`: the launch of which what it wrote was
    given to another one."""

    home: Home
    address: int
    bytes: int
    location: Location
    name: str = ""
    function: str = ""
    freed: Location | None = None
    defined: npt.NDArray[np.bool_] | None = None
    unread: Location | None = None
    chunk: int = 0
    """Bytes that count as written once one of them is; 0 where all do from the start. Until then the shadow keeps the host away."""
    handed_on: Location | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of an arena are; addresses of this process. `last` is the shadow of nothing."""

    base: int
    shadow: int
    last: int
    stack: int
    stack_end: int


@dataclass(slots=True)
class _Part:
    """Address space from which one side takes its memory."""

    next: int
    end: int
    gone: deque[ArenaAllocation] = field(default_factory=deque)
    gone_bytes: int = 0


class Arena:
    """Memory of one program. `limit` are the bytes that may be allocated at once, on host and device together."""

    def __init__(self, limit: int, reserved: int) -> None:
        self.limit = limit
        self.live = 0
        self._memory = reserve(reserved)
        self._shades = reserve(reserved // GRANULE + PAGE)
        self.bytes: npt.NDArray[np.uint8] = np.frombuffer(self._memory, np.uint8)
        self._shadow: npt.NDArray[np.uint8] = np.frombuffer(self._shades, np.uint8)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        shadow = ctypes.addressof(ctypes.c_char.from_buffer(self._shades))
        for page in (base, base + reserved - PAGE):  # nothing lies there: an access that no check has seen ends the process
            ctypes.CDLL(None).mprotect(ctypes.c_void_p(page), ctypes.c_size_t(PAGE), 0)
        half = base + reserved // 2
        variables = min(GLOBALS, reserved // 16)
        stack = base + variables
        self.layout = Layout(base, shadow, reserved // GRANULE, stack, stack + STACK_BYTES)
        self.end = base + reserved
        self._parts = {
            Home.VARIABLE: _Part(base + PAGE, stack),
            Home.HOST: _Part(stack + STACK_BYTES + PAGE, half),
            Home.DEVICE: _Part(half + PAGE, self.end - PAGE),
        }
        self.told: Callable[[ArenaAllocation], None] | None = None
        """Called with each allocation when it is made, and again when it is freed."""
        self._starts: list[int] = []
        self._by_start: dict[int, ArenaAllocation] = {}
        self.all: list[ArenaAllocation] = []

    def allocate(
        self, home: Home, size: int, location: Location, name: str = "", function: str = "", *, fresh: bool = False
    ) -> ArenaAllocation | None:
        """Allocate zeroed bytes, aligned to 256; None where there is no room. `fresh` ones are kept from the host until it writes them."""
        if size < 0 or self.live + size > self.limit:
            return None
        part = self._parts[_part_of(home)]
        unit = 256 if home in ON_DEVICE or size >= PAGE else 32
        room = -(-size // unit) * unit + _gap(size)
        address = self._again(part, room)
        if address is None:
            address = -(-part.next // unit) * unit
            if address + room > part.end:
                return None
            part.next = address + room
        found = ArenaAllocation(home, address, size, location, name, function)
        self._enter(found)
        if fresh:
            found.chunk = max(-(-size // MOST_CHUNKS // GRANULE) * GRANULE, GRANULE)
        elif home in ON_HOST:
            self.shade(address, size, allowed=True)
        self.live += size
        if self.told is not None:
            self.told(found)
        return found

    def free(self, allocation: ArenaAllocation, location: Location) -> None:
        """Take an allocation back; its bytes are given to the system."""
        allocation.freed = location
        self.live -= allocation.bytes
        self.shade(allocation.address, allocation.bytes, allowed=False)
        first = -(-(allocation.address - self.layout.base) // PAGE) * PAGE
        pages = (allocation.address + allocation.bytes - self.layout.base) // PAGE * PAGE - first
        if pages > 0:
            self._memory.madvise(mmap.MADV_DONTNEED, first, pages)
        part = self._parts[_part_of(allocation.home)]
        part.gone.append(allocation)
        part.gone_bytes += allocation.bytes
        allocation.defined = None
        if self.told is not None:
            self.told(allocation)

    def shade(self, address: int, size: int, *, allowed: bool) -> None:
        """Let the host access these bytes, or no longer."""
        first = (address - self.layout.base) // GRANULE
        whole, rest = divmod(size, GRANULE)
        self._shadow[first : first + whole] = GRANULE if allowed else 0
        if rest:
            self._shadow[first + whole] = rest if allowed else 0

    def allowed(self, address: int, size: int) -> bool:
        """Say whether the host may access these bytes."""
        start = address - self.layout.base
        if size < 0 or not 0 <= start <= self.end - self.layout.base - size:
            return False
        if size == 0:
            return True
        first, last = start // GRANULE, (start + size - 1) // GRANULE
        if (start + size - 1) % GRANULE >= self._shadow[last]:
            return False
        return bool((self._shadow[first:last] == GRANULE).all())

    def closed(self, address: int, size: int) -> int:
        """Find the first of these bytes that the host may not access."""
        if not self.allowed(address, 1):
            return address
        first, last = ((each - self.layout.base) // GRANULE for each in (address, min(address + size, self.end) - 1))
        granule = first + int(np.argmax(self._shadow[first : last + 1] != GRANULE))
        return self.layout.base + granule * GRANULE + int(self._shadow[granule])

    def write_first(self, allocation: ArenaAllocation, address: int, size: int) -> None:
        """Let the host access the chunks of a fresh allocation that hold these bytes."""
        start, end = allocation.address, allocation.address + allocation.bytes
        first = start + (address - start) // allocation.chunk * allocation.chunk
        last = min(start + -(-(address + size - start) // allocation.chunk) * allocation.chunk, end)
        self.shade(first, last - first, allowed=True)

    def find(self, address: int) -> ArenaAllocation | None:
        """Find the allocation at or before an address, freed ones too."""
        position = bisect_right(self._starts, address) - 1
        return self._by_start[self._starts[position]] if position >= 0 else None

    def at(self, address: int) -> ArenaAllocation | None:
        """Find the allocation, freed or not, that begins at an address."""
        return self._by_start.get(address)

    @property
    def device(self) -> tuple[int, int]:
        """Where the device's memory begins, and how many bytes of it were ever allocated."""
        first = self.layout.base + (self.end - self.layout.base) // 2
        return first, self._parts[Home.DEVICE].next - first

    def view(self, address: int, size: int) -> npt.NDArray[np.uint8]:
        """Give the bytes themselves, which lie in the arena."""
        start = address - self.layout.base
        assert 0 <= start <= start + size <= len(self.bytes)
        return self.bytes[start : start + size]

    def inside(self, address: int, size: int, homes: tuple[Home, ...]) -> ArenaAllocation | None:
        """Find the allocation, of one of these homes and not freed, that holds all of some bytes."""
        found = self.find(address)
        if found is None or found.freed is not None or found.home not in homes or address + size > found.address + found.bytes:
            return None
        return found

    def _again(self, part: _Part, room: int) -> int | None:
        """Find address space that was freed long ago and has just the size."""
        if part.gone_bytes <= QUARANTINE and part.end - part.next > room:
            return None
        for position, each in enumerate(part.gone):
            unit = 256 if each.home in ON_DEVICE or each.bytes >= PAGE else 32
            if -(-each.bytes // unit) * unit + _gap(each.bytes) == room:
                del part.gone[position]
                part.gone_bytes -= each.bytes
                self.view(each.address, each.bytes)[:] = 0
                return each.address
        return None

    def _enter(self, allocation: ArenaAllocation) -> None:
        if allocation.address not in self._by_start:
            insort(self._starts, allocation.address)
        self._by_start[allocation.address] = allocation
        self.all.append(allocation)


def reserve(size: int) -> mmap.mmap:
    """Give zeroed bytes that are no memory until they are touched."""
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE[sys.platform])


def largest(limit: int) -> Arena:
    """Make an arena as large as the system lets it be. Raises OSError where that is too little."""
    reserved = RESERVED
    while True:
        try:
            return Arena(limit, reserved)
        except OSError:
            if reserved <= SMALLEST:
                raise
            reserved //= 2


def _part_of(home: Home) -> Home:
    if home in (Home.DEVICE, Home.SYMBOL, Home.MANAGED):
        return Home.DEVICE
    return Home.VARIABLE if home is Home.VARIABLE else Home.HOST


def _gap(size: int) -> int:
    """Bytes after an allocation that belong to nobody, so that a step out of it is seen."""
    return 64 if size < PAGE else 2 * PAGE
