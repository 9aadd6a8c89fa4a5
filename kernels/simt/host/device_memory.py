"""The device's memory as launches see it: allocations of the program where they are, and variables that keep their place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels.simt import ir
from kernels.simt.base.layout import size_of, type_name
from kernels.simt.host.arena import ON_DEVICE, Arena, ArenaAllocation, Home
from kernels.simt.host.machine import Machine, named
from kernels.simt.machine.memory import HEAP_BYTES, Memory, Region, variable_key
from kernels.simt.trace.trace import Allocation

HEAP = "malloc"
"""The function that allocations of the device's heap are made by: no other of the device's memory is."""
NEAR = 2 << 20
"""A GPU gives memory in pages of this size: an access beyond an array, but within its page, goes unnoticed there."""


class _Region(Region):
    """An allocation of the device. What nobody wrote is zero there, and stays so."""

    def poison(self, places: npt.NDArray[np.int64]) -> None:
        """Leave memory as it is."""


class DeviceMemory(Memory):
    """The device's memory as a launch sees it: allocations where they are. `wild` is whether an access was far from any of them."""

    def __init__(
        self,
        arena: Arena,
        elements: dict[int, tuple[str, ir.Type | None]],
        symbols: dict[str, ArenaAllocation],
        heap_bytes: int = HEAP_BYTES,
    ) -> None:
        super().__init__()
        self._heap_bytes = heap_bytes
        self._arena = arena
        self._symbols = symbols
        self.wild = False
        for each in arena.all:
            if each.freed is None and each.home in (Home.DEVICE, Home.MANAGED, Home.PINNED):
                name, element = elements.get(each.address, (each.name, ir.Scalar(ir.Kind.UNSIGNED, 1)))
                self.adopt(self._region(each, name or named(each), element))

    def _region(self, each: ArenaAllocation, name: str, element: ir.Type | None, space: ir.Space = ir.Space.GLOBAL) -> Region:
        size = size_of(element)
        count = each.bytes // size
        told = Allocation(name, space, each.address, each.bytes, (count,), size, type_name(element))
        return _Region(told, each.address, self._arena.view(each.address, -(-each.bytes // 16) * 16), each.defined, 0)

    def place_variable(self, variable: ir.Variable) -> Region:
        """Give a variable of the device the place that it keeps from launch to launch."""
        key = variable_key(variable)
        if key not in self._symbols:
            place = super().place_variable(variable)
            made = self._arena.allocate(Home.SYMBOL, place.size, variable.location, variable.name)
            assert made is not None
            self._arena.view(made.address, place.size)[:] = place.bytes
            self._symbols[key] = made
            self.regions.pop()
            self.initial.clear()
            return self.place_variable(variable)
        element = variable.type
        while isinstance(element, ir.Array):
            element = element.element
        region = self._region(self._symbols[key], variable.name, element, variable.space)
        self.adopt(region)
        return region

    def take(self, size: int, location: ir.Location) -> int:
        """Allocate on the device's heap, which outlives the launch."""
        taken = sum(each.bytes for each in self._arena.all if each.freed is None and is_of_heap(each))
        if not 0 < size <= self._heap_bytes - taken:
            return 0
        made = self._arena.allocate(Home.DEVICE, size, location, f"malloc:{location.line}", HEAP)
        if made is None:
            return 0
        made.defined = np.zeros(-(-size // 16) * 16, np.bool_)
        region = self._region(made, named(made), ir.Scalar(ir.Kind.UNSIGNED, 1))
        self.adopt(region)
        self._heap[made.address] = region
        return made.address

    def give_back(self, address: int, location: ir.Location) -> bool:
        """Free an allocation of the device's heap, of this launch or an earlier one."""
        found = self._arena.at(address)
        if found is None or not is_of_heap(found) or found.freed is not None:
            return False
        self._arena.free(found, location)
        self._heap.setdefault(address, next(each for each in self.regions if each.address == address))
        return super().give_back(address, location)

    def find_each(self, addresses: npt.NDArray[np.int64]) -> dict[Region, npt.NDArray[np.int64]]:
        """As ever; and note addresses that a GPU would not let pass."""
        found = super().find_each(addresses)
        inside = np.zeros(len(addresses), np.bool_)
        for places in found.values():
            inside[places] = True
        self.wild = self.wild or any(not self._near(int(address)) for address in np.unique(addresses[~inside])[:64])
        return found

    def _near(self, address: int) -> bool:
        found = self._arena.find(address)
        return found is not None and found.home in ON_DEVICE and found.freed is None and address < found.address + found.bytes + NEAR


def is_of_heap(allocation: ArenaAllocation) -> bool:
    """Say whether an allocation is one of the device's heap, which kernels allocate on."""
    return allocation.home is Home.DEVICE and allocation.function == HEAP


def place_symbols(machine: Machine, devices: tuple[ir.Variable, ...], kernels: dict[str, ir.Kernel]) -> dict[ir.Variable, int]:
    """Allocate the variables of the device that the host names, as they begin: the kernels' declarations say how."""
    known = {variable_key(each): each for kernel in kernels.values() for each in kernel.globals if each.space is not ir.Space.SHARED}
    symbols: dict[str, ArenaAllocation] = machine.kept.setdefault("symbols", {})
    addresses = {}
    for variable in devices:
        key = variable_key(variable)
        if key not in symbols:
            made = machine.arena.allocate(Home.SYMBOL, size_of(variable.type), variable.location, variable.name)
            assert made is not None
            begun = Memory().allocate_variable(known.get(key, variable))
            machine.arena.view(made.address, made.bytes)[:] = begun.bytes
            symbols[key] = made
        addresses[variable] = symbols[key].address
    return addresses
