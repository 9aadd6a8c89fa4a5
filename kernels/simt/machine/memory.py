"""Memory as arrays at addresses of one flat 64-bit space, with a shadow that knows which bytes were written."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.simt.base.launch import Keep
from kernels.simt.base.layout import leaves, scalar_dtype, size_of, type_name
from kernels.simt.base.types import AddressIn, Array, Location, Space, Type, Variable
from kernels.simt.base.windows import GLOBAL_WINDOW, LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW
from kernels.simt.trace.trace import GUARD, Allocation, Held, Initial

Bytes = npt.NDArray[np.uint8]
Bits = npt.NDArray[np.bool_]

GAP = 4096
"""Bytes between two allocations, so that a small step out of one does not reach the next."""
EMPTY_GAP = 1 << 34
"""Bytes behind an array without elements: what goes past it, by any index of 32 bits, reaches no other array."""
PADDING = 16
ALLOCATION = 128
"""What a GPU of compute capability 8.0 to 9.0 allocates shared memory of a block in."""
HEAP_BYTES = 8 << 20
"""The device's heap, as CUDA has it where nobody asks for another."""
POISON = 0xFF
"""What a byte holds that nobody wrote: NaN as a float, -1 as an integer. Global memory gets it only where it is reached: see `poison`."""


class Region:
    """An allocation with its bytes. `defined` has a flag for each byte, or is None where all were filled before the launch.

    In local memory every lane has its own copy of `own` bytes, one after the other, `stride` bytes apart.
    """

    __slots__ = ("_padded", "_views", "address", "allocation", "defined", "number", "own", "size", "stride")

    def __init__(self, allocation: Allocation, address: int, padded: Bytes, defined: Bits | None, number: int, stride: int = 0) -> None:
        self.allocation = allocation
        self.address = address
        self.size = allocation.bytes
        self.defined = defined
        self.number = number
        """Place among the trace's allocations; -1 for local memory, which is not traced."""
        self.stride = stride
        self.own = prod(allocation.shape) * allocation.element_bytes if stride else self.size
        self._padded = padded
        self._views: dict[np.dtype[Any], npt.NDArray[Any]] = {}

    @property
    def bytes(self) -> Bytes:
        """Memory of the region, not a copy."""
        return self._padded[: self.size]

    def poison(self, places: npt.NDArray[np.int64]) -> None:
        """Let those of these bytes hold POISON that nobody wrote. An array without a fill begins as zeros, which cost nothing until they
        are touched; in shared memory an asynchronous copy leaves what was there.
        """
        if self.defined is not None and self.space is not Space.SHARED:
            self._padded[places[~self.defined[places]]] = POISON

    def poisoned(self) -> Bytes:
        """Memory of the region, with POISON in every byte that nobody wrote."""
        if self.defined is not None:
            np.copyto(self._padded, POISON, where=~self.defined)
        return self.bytes

    @property
    def space(self) -> Space:
        return self.allocation.space

    def view(self, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return the memory as elements of a type, to a whole number of them beyond the end."""
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self._padded.view(dtype)
        return found


def variable_key(variable: Variable) -> str:
    """Name a variable of the device so that host and kernel mean the same."""
    return f"{variable.name} {variable.location.file}:{variable.location.line}:{variable.location.column}"


class Memory:
    """Global and constant memory of a launch, and the windows in which shared and local memory appear."""

    def __init__(self, keep: Keep = Keep.RESULTS, variables: Mapping[str, Bytes] | None = None) -> None:
        """`variables`: see `LaunchRequest`."""
        self.keep = keep
        self._variables = variables or {}
        self.regions: list[Region] = []
        """As in `Trace.allocations`."""
        self.initial: list[Initial] = []
        """As in `Trace.initial`."""
        self._placed: dict[Variable, Region] = {}
        self._local: list[Region] = []
        self._shared: Shared | None = None
        self._next = GLOBAL_WINDOW
        self._heap: dict[int, Region] = {}
        self._heap_left = HEAP_BYTES
        self._freed: list[tuple[Region, int]] = []
        """What was freed, and in which line."""
        self._starts: list[int] = []
        self._sorted: list[Region] = []

    def allocate(
        self,
        name: str,
        initial: Initial,
        shape: tuple[int, ...],
        element_bytes: int,
        element: str,
        *,
        space: Space = Space.GLOBAL,
    ) -> Region:
        """An array that begins with a copy of `initial`; UNDEFINED: reading a byte before it is written is a finding."""
        size = prod(shape) * element_bytes
        allocation = Allocation(name, space, self._next, size, shape, element_bytes, element)
        memory = np.zeros(_round_up(size, PADDING), np.uint8)
        if initial.bytes is not None:
            memory[:size] = initial.bytes
        defined = np.zeros(len(memory), np.bool_) if initial.held is Held.UNDEFINED else None
        region = Region(allocation, self._next, memory, defined, len(self.regions))
        self._next = _round_up(self._next + size + (GAP if size else EMPTY_GAP), GUARD)
        self._add(region, initial)
        self._index(region)
        return region

    def adopt(self, region: Region) -> None:
        """Take in an array that lies where it is and outlives the launch."""
        region.number = len(self.regions)
        self._add(region, Initial(Held.BYTES, region.bytes))
        self._index(region)

    def allocate_variable(self, variable: Variable) -> Region:
        """Where a `__constant__` or `__device__` variable lies, which is placed when it is first asked for."""
        if variable not in self._placed:
            self._placed[variable] = self.place_variable(variable)
        return self._placed[variable]

    def place_variable(self, variable: Variable) -> Region:
        """A variable with its initial value, or what the host has put there."""
        shape, element = array_shape(variable.type)
        scalars = list(leaves(variable.type))
        data = np.zeros(size_of(variable.type), np.uint8)
        for (_, scalar, offset), value in zip(scalars, variable.initial or (), strict=False):
            if isinstance(value, AddressIn):
                value = self.allocate_variable(value.variable).address + value.offset
            dtype = scalar_dtype(scalar)
            data[offset : offset + dtype.itemsize] = np.frombuffer(np.array(value).astype(dtype).tobytes(), np.uint8)
        data = self._variables.get(variable_key(variable), data)
        return self.allocate(variable.name, Initial(Held.BYTES, data), shape, size_of(element), type_name(element), space=variable.space)

    def take(self, size: int, location: Location) -> int:
        """Allocate on the device's heap: the address, 0 where there is no room."""
        if not 0 < size <= self._heap_left:
            return 0
        region = self.allocate(f"malloc:{location.line}", Initial(Held.UNDEFINED), (size,), 1, "unsigned char")
        self._heap[region.address] = region
        self._heap_left -= _round_up(size, PADDING)
        return region.address

    def give_back(self, address: int, location: Location) -> bool:
        """Free an allocation of the device's heap, and say whether one begins there."""
        region = self._heap.pop(address, None)
        if region is None:
            return False
        self._heap_left += _round_up(region.size, PADDING)
        self._freed.append((region, location.line))
        position = self._starts.index(address)
        del self._starts[position], self._sorted[position]
        return True

    def freed_at(self, address: int) -> tuple[Region, int] | None:
        """Find what was at an address until it was freed, and in which line."""
        return next((each for each in reversed(self._freed) if 0 <= address - each[0].address < each[0].size), None)

    def allocate_local(self, variable: Variable, lanes: int) -> Region:
        """A variable of each lane that needs addresses."""
        stride = _round_up(size_of(variable.type), PADDING)
        address = LOCAL_WINDOW + (len(self._local) << 32)
        shape, element = array_shape(variable.type)
        allocation = Allocation(variable.name, Space.REGISTER, address, stride * lanes, shape, size_of(element), type_name(element))
        region = Region(allocation, address, np.zeros(stride * lanes, np.uint8), None, -1, stride)
        self._local.append(region)
        self._index(region)
        return region

    def share(self, variables: Iterable[Variable], dynamic_bytes: int) -> Shared:
        """Lay out a block's shared memory: static variables in order, then the dynamic bytes, which all dynamic arrays share."""
        shared = self._shared = Shared(list(variables), dynamic_bytes, len(self.regions))
        for region in shared.regions:
            self._add(region, Initial(Held.UNDEFINED))
        for region in reversed(shared.regions):
            self._index(region)
        return shared

    def peek(self, addresses: npt.NDArray[np.int64], bits: int) -> npt.NDArray[Any]:
        """The elements of so many bits, as unsigned integers, at aligned places of the block's shared memory; zeros outside of it."""
        assert self._shared is not None
        return self._shared.peek(addresses // (bits // 8), np.dtype(f"u{bits // 8}"))

    def reach(self, elsewhere: list[Region]) -> None:
        """Have these arrays of other blocks' shared memory be reached, and no others."""
        low, high = (bisect_right(self._starts, SHARED_WINDOW + (1 << RANK_SHIFT) - 1), bisect_right(self._starts, LOCAL_WINDOW - 1))
        del self._starts[low:high], self._sorted[low:high]
        for region in elsewhere:
            self._index(region)

    def held_locally(self) -> list[Bytes]:
        """Return a copy of all local memory, while another block is executed."""
        return [region.bytes.copy() for region in self._local]

    def put_locally(self, held: list[Bytes]) -> None:
        """Go on with a block's local memory."""
        for region, was in zip(self._local, held, strict=True):
            np.copyto(region.bytes, was)

    def find(self, address: int) -> Region | None:
        """The region with this byte, or None."""
        position = bisect_right(self._starts, address) - 1
        if position < 0:
            return None
        region = self._sorted[position]
        return region if address < region.address + region.size else None

    def empty_near(self, address: int) -> Region | None:
        """The array without elements that lies where an address points."""
        near = (each for each in self.regions if each.size == 0 and 0 <= address - each.address < EMPTY_GAP)
        return next(near, None)

    def text(self, address: int) -> str:
        """The characters from an address to the next zero, or to the end of their array; none where there is no array."""
        region = self.find(address)
        if region is None:
            return ""
        return region.bytes[address - region.address :].tobytes().partition(b"\0")[0].decode(errors="replace")

    def find_each(self, addresses: npt.NDArray[np.int64]) -> dict[Region, npt.NDArray[np.int64]]:
        """The positions in `addresses` by the region that they lie in; those that lie in none are left out."""
        places = np.searchsorted(np.array(self._starts, np.int64), addresses, side="right") - 1
        found: dict[Region, npt.NDArray[np.int64]] = {}
        for place in np.unique(places[places >= 0]):
            region = self._sorted[place]
            inside = np.flatnonzero((places == place) & (addresses < region.address + region.size))
            if len(inside):
                found[region] = inside
        return found

    def _add(self, region: Region, initial: Initial) -> None:
        self.regions.append(region)
        if self.keep is Keep.HISTORY:  # the bytes may be the caller's
            self.initial.append(initial.unchanging())

    def _index(self, region: Region) -> None:
        if not region.size or region.address in self._starts:
            return
        position = bisect_right(self._starts, region.address)
        self._starts.insert(position, region.address)
        self._sorted.insert(position, region)


class Shared:
    """The shared memory of the block that is being executed."""

    def __init__(self, variables: list[Variable], dynamic_bytes: int, first_number: int) -> None:
        offsets, end = self._layout(variables)
        self.dynamic_bytes = dynamic_bytes
        self._own = [each for each in variables if " " not in each.name]
        """What the program declares: words of the hardware have names that no program can give."""
        self.size = _round_up(end + dynamic_bytes, PADDING)
        self._bytes = np.full(self.size + PADDING, POISON, np.uint8)
        self._defined = np.zeros(self.size + PADDING, np.bool_)
        self.regions: list[Region] = []
        self.by_variable: dict[Variable, Region] = {}
        for variable in variables:
            offset = end if variable.dynamic else offsets[variable]
            size = dynamic_bytes if variable.dynamic else size_of(variable.type)
            region = self._region(variable, offset, size, first_number + len(self.regions))
            self.regions.append(region)
            self.by_variable[variable] = region

    def reset(self) -> None:
        """A new block begins: nothing is written yet."""
        self._bytes.fill(POISON)
        self._defined.fill(False)  # noqa: FBT003 - an array's fill

    @property
    def allocated(self) -> int:
        """The bytes that a GPU takes for the program's variables and the dynamic ones: a multiple of its unit."""
        end = 0
        for variable in self._own:
            if not variable.dynamic:
                end = _round_up(end, max(variable.alignment, 1)) + size_of(variable.type)
        return _round_up(end + self.dynamic_bytes, ALLOCATION)

    def peek(self, places: npt.NDArray[np.int64], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """The items of a type at places, counted in items; zeros outside."""
        items = self._bytes[: len(self._bytes) // dtype.itemsize * dtype.itemsize].view(dtype)
        inside = (places >= 0) & (places < len(items))
        return np.where(inside, items[np.where(inside, places, 0)], dtype.type(0))

    def held(self) -> tuple[Bytes, Bits]:
        """Return a copy of all that a block has in it, while another block is executed."""
        return self._bytes.copy(), self._defined.copy()

    def elsewhere(self, held: tuple[Bytes, Bits] | None, above: int) -> list[Region]:
        """The arrays of a block that is not executed, whose addresses are so far above the own ones."""
        if held is None:
            return []
        found = []
        for each in self.regions:
            start = each.address - SHARED_WINDOW
            place = slice(start, start + _round_up(each.size, PADDING))
            found.append(Region(each.allocation, each.address + above, held[0][place], held[1][place], each.number))
        return found

    def put(self, held: tuple[Bytes, Bits]) -> None:
        """Go on with what a block had in it."""
        np.copyto(self._bytes, held[0])
        np.copyto(self._defined, held[1])

    def _layout(self, variables: list[Variable]) -> tuple[dict[Variable, int], int]:
        offsets: dict[Variable, int] = {}
        end = 0
        for variable in variables:
            if not variable.dynamic:
                offsets[variable] = _round_up(end, max(variable.alignment, PADDING))
                end = _round_up(offsets[variable] + size_of(variable.type), PADDING)
        return offsets, _round_up(end, max([PADDING, *(each.alignment for each in variables if each.dynamic)]))

    def _region(self, variable: Variable, offset: int, size: int, number: int) -> Region:
        shape, element = array_shape(variable.type)
        if variable.dynamic:
            shape = (size // max(1, size_of(element)),)
        allocation = Allocation(variable.name, Space.SHARED, offset, size, shape, size_of(element), type_name(element))
        place = slice(offset, offset + _round_up(size, PADDING))
        return Region(allocation, SHARED_WINDOW + offset, self._bytes[place], self._defined[place], number)


def array_shape(c_type: Type) -> tuple[tuple[int, ...], Type]:
    """The counts of an array of arrays, outermost first, and what it is made of; () for a single object."""
    shape: list[int] = []
    while isinstance(c_type, Array):
        shape.append(c_type.count)
        c_type = c_type.element
    return tuple(shape), c_type


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
