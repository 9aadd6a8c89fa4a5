"""The device's memory as the host asks for it: allocations, copies between the sides, fills, variables of the device."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np

from kernels.base.messages import message
from kernels.simt.host.arena import ON_DEVICE, ON_HOST, ArenaAllocation, Home
from kernels.simt.host.c_library import service
from kernels.simt.host.device_memory import is_of_heap
from kernels.simt.host.errors import INVALID_VALUE, NO_MEMORY, SUCCESS
from kernels.simt.host.machine import Call, Machine, named
from kernels.simt.host.result import Copied, EventKind, Wrong
from kernels.simt.host.runtime import give, runtime, wait

HEAP_LIMIT, PENDING_LIMIT = 2, 4
"""cudaLimitMallocHeapSize."""
MOST_SHADOWED = 64 << 20
"""Bytes of an allocation of which it is known what was written."""
BUS_BYTES_PER_MS = 25e6
COPY_MS = 0.01
INVALID_PITCH, INVALID_DIRECTION = 12, 21
DIRECTIONS = ("HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice", "Default")


@service("cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync")
def allocate(machine: Machine, call: Call) -> int:
    """Allocate on the device, on both sides, or host memory that stays in place."""
    target, size = call.given[:2]
    home = {"cudaMallocManaged": Home.MANAGED, "cudaMallocHost": Home.PINNED, "cudaHostAlloc": Home.PINNED}.get(call.name, Home.DEVICE)
    if runtime(machine).sticky:
        return give(machine, SUCCESS)
    if target == 0:
        return give(machine, INVALID_VALUE)
    found = machine.allocate(home, size, call) if 0 <= size <= machine.job.device.memory else None
    if found is None:
        most = machine.job.limits.bytes >> 20
        text = message("{name} fails: {bytes} bytes are not there; {limit} MiB are allowed.", name=call.name, bytes=size, limit=most)
        machine.find(Wrong.MEMORY, call.location, text)
        return give(machine, NO_MEMORY)
    if home is Home.DEVICE and size <= MOST_SHADOWED:
        found.defined = np.zeros(-(-size // 16) * 16, np.bool_)
    machine.put(target, struct.pack("<q", found.address if size else 0), call)
    return SUCCESS


@service("cudaMallocPitch")
def allocate_pitched(machine: Machine, call: Call) -> int:
    """Allocate rows, each of a multiple of 512 bytes."""
    target, pitch_at, width, height = call.given
    pitch = -(-width // 512) * 512
    machine.put(pitch_at, struct.pack("<q", pitch), call)
    return allocate(machine, Call("cudaMalloc", (target, pitch * height), call.kinds, call.location))


@service("cudaFree", "cudaFreeHost", "cudaFreeAsync")
def release(machine: Machine, call: Call) -> int:
    """Free what the same side allocated."""
    error = wait(machine)
    address = call.given[0]
    if address == 0 or error:
        return error
    homes = (Home.PINNED,) if call.name == "cudaFreeHost" else (Home.DEVICE, Home.MANAGED)
    found = machine.arena.at(address)
    if found is None or found.home not in homes:
        owner = None if found is None or found.freed is not None else found
        if owner is not None:
            text = message("{name} is given to {free}: {function} made it.", name=named(owner), free=call.name, function=owner.function)
        else:
            text = message("{free} is given an address that no allocation begins at.", free=call.name)
        machine.find(Wrong.BAD_FREE, call.location, text, None if owner is None else owner.location)
        return give(machine, INVALID_VALUE)
    if is_of_heap(found) and found.freed is None:
        text = message("{name} is of the device's heap: only a kernel can free it.", name=named(found))
        machine.find(Wrong.BAD_FREE, call.location, text, found.location)
        return give(machine, INVALID_VALUE)
    if found.freed is not None:
        text = message("{name} is freed twice: it was freed in line {line}.", name=named(found), line=found.freed.line)
        machine.find(Wrong.BAD_FREE, call.location, text, found.freed)
        return give(machine, INVALID_VALUE)
    machine.arena.free(found, call.location)
    return SUCCESS


def _side(machine: Machine, address: int) -> ArenaAllocation | None:
    """Find the allocation of the device that an address lies in, or right behind."""
    found = machine.arena.find(address)
    if found is None or found.home not in (*ON_DEVICE, Home.PINNED) or address > found.address + found.bytes:
        return None
    return found


def _end_is_wrong(machine: Machine, call: Call, address: int, size: int, *, device: bool, kind: int) -> int | None:
    """Check one end of a copy. None: it is as it should be; else the error, with a finding; a wrong address of the host ends the run."""
    found = _side(machine, address)
    on_device = found is not None and found.home is not Home.PINNED
    if found is not None and found.home is Home.MANAGED:
        device = True
    if device != on_device:
        direction = f"cudaMemcpy{DIRECTIONS[kind]}"
        text = message("{direction} needs memory of the device here; this is memory of the host.", direction=direction)
        if on_device:
            assert found is not None
            text = message("{direction} needs memory of the host; {name} is memory of the device.", direction=direction, name=named(found))
        machine.find(Wrong.DIRECTION, call.location, text, None if found is None else found.location)
        return INVALID_VALUE
    if found is None or not on_device:
        machine.reach(address, size, call)
        return None
    if is_of_heap(found):
        text = message("{name} is of the device's heap, which no copy of the host reaches: copy it in a kernel.", name=named(found))
        machine.find(Wrong.DIRECTION, call.location, text, found.location)
        return INVALID_VALUE
    if found.freed is not None:
        text = message("{place}: {name} was freed in line {line}.", place=call.name, name=named(found), line=found.freed.line)
        machine.find(Wrong.AFTER_FREE, call.location, text, found.freed)
        return INVALID_VALUE
    if address + size > found.address + found.bytes:
        text = message(
            "{bytes} bytes are copied, but {name} has only {room}.",
            bytes=size,
            name=named(found),
            room=found.address + found.bytes - address,
        )
        machine.find(Wrong.COPY, call.location, text, found.location)
        return INVALID_VALUE
    return None


def move(machine: Machine, call: Call, target: int, source: int, size: int, kind: int) -> int:
    """Copy bytes between the sides, as `kind` says; an error where it says what is not so."""
    if runtime(machine).sticky:
        return give(machine, SUCCESS)
    if size == 0:
        return SUCCESS
    if not 0 <= kind <= 4 or size < 0:
        return give(machine, INVALID_VALUE if size < 0 else INVALID_DIRECTION)
    ends = _ends(machine, target, source, kind)
    for address, device in ((source, ends[0]), (target, ends[1])):
        error = _end_is_wrong(machine, call, address, size, device=device, kind=kind)
        if error is not None:
            return give(machine, error)
    origin = machine.arena.find(source)
    if origin is not None:
        origin.unread = None
    machine.arena.view(target, size)[:] = machine.arena.view(source, size).copy()
    _define(machine, target, source, size)
    machine.stale.copied(target, source, size)
    runtime(machine).clock += COPY_MS + size / BUS_BYTES_PER_MS
    direction = DIRECTIONS[2 * ends[0] + ends[1]]
    ends_at = (machine.arena.inside(address, size, (*ON_DEVICE, *ON_HOST)) for address in (source, target))
    _note(machine, Copied(call.name, direction, size, call.location), *ends_at)
    return SUCCESS


def _note(machine: Machine, copied: Copied, source: ArenaAllocation | None, target: ArenaAllocation | None) -> None:
    """Keep a copy, with the allocations that it is between."""
    numbers = machine.log.number(source), machine.log.number(target)
    place = 2 if copied.function == "cudaMemcpy2D" else 1
    names = tuple(
        each.name if each is not None and each.name else machine.argument(copied.location, position)
        for each, position in ((source, place), (target, 0))
    )
    machine.log.note(EventKind.COPY, copied.location, len(machine.copies), runtime(machine).clock)
    within = machine.log.container(source), machine.log.container(target)
    machine.copies.append(replace(copied, source=numbers[0], target=numbers[1], names=(names[0], names[1]), containers=within))


def _ends(machine: Machine, target: int, source: int, kind: int) -> tuple[bool, bool]:
    """Say whether source and target are of the device, by the direction given, or by the addresses."""
    if kind < 4:
        return kind in (2, 3), kind in (1, 3)
    first, second = (each is not None and each.home is not Home.PINNED for each in (_side(machine, source), _side(machine, target)))
    return first, second


def _define(machine: Machine, target: int, source: int, size: int) -> None:
    into, origin = machine.arena.find(target), machine.arena.find(source)
    if into is None or into.defined is None:
        return
    start = target - into.address
    if origin is not None and origin.defined is not None:
        into.defined[start : start + size] = origin.defined[source - origin.address : source - origin.address + size]
    else:
        into.defined[start : start + size] = True


def _symbol_is_named(machine: Machine, call: Call, *ends: int) -> int:
    """Refuse a variable of the device by its name: of that the host has only a copy, unless it asked for the variable's address."""
    for end in ends:
        found = machine.arena.find(end)
        if found is not None and found.home is Home.SYMBOL and found.address not in runtime(machine).addressed:
            text = message("{name} is a variable of the device: cudaMemcpyToSymbol and cudaMemcpyFromSymbol reach it.", name=named(found))
            machine.find(Wrong.DIRECTION, call.location, text, found.location)
            return give(machine, INVALID_VALUE)
    return SUCCESS


@service("cudaMemcpy", "cudaMemcpyAsync")
def copy(machine: Machine, call: Call) -> int:
    """Copy, once the kernels before it are done; an asynchronous one is done when somebody has waited for it."""
    if call.name == "cudaMemcpy":
        return wait(machine) or _symbol_is_named(machine, call, *call.given[:2]) or move(machine, call, *call.given[:4])
    error = give(machine, SUCCESS) or _symbol_is_named(machine, call, *call.given[:2]) or move(machine, call, *call.given[:4])
    target = machine.arena.find(call.given[0])
    if not error and target is not None and target.home is Home.PINNED and call.given[3] in (2, 4):
        machine.hold(call.given[0], call.given[2], call.location)
    return error


@service("cudaMemcpy2D", "cudaMemcpy2DAsync")
def copy_rows(machine: Machine, call: Call) -> int:
    """Copy rows that lie apart."""
    target, to_pitch, source, from_pitch, width, height, kind = call.given[:7]
    error = wait(machine) or _symbol_is_named(machine, call, target, source)
    if not error and (width > to_pitch or width > from_pitch):
        return give(machine, INVALID_PITCH)
    first = len(machine.copies)
    for row in range(max(height, 0)):
        error = error or move(machine, call, target + row * to_pitch, source + row * from_pitch, width, kind)
    _join(machine, first)
    return error


def _join(machine: Machine, first: int) -> None:
    """Let the copies from the first on, rows of one call, count as one."""
    rows, log = machine.copies[first:], machine.log
    if len(rows) > 1:
        machine.copies[first:] = [replace(rows[0], bytes=sum(each.bytes for each in rows))]
        log.join(EventKind.COPY, first, len(rows))


@service("cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync")
def copy_to_symbol(machine: Machine, call: Call) -> int:
    """Copy into a variable of the device."""
    symbol, source, size, offset, kind = call.given[:5]
    return wait(machine) or move(machine, call, symbol + offset, source, size, kind)


@service("cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync")
def copy_from_symbol(machine: Machine, call: Call) -> int:
    """Copy from a variable of the device."""
    target, symbol, size, offset, kind = call.given[:5]
    return wait(machine) or move(machine, call, target, symbol + offset, size, kind)


@service("cudaGetSymbolAddress")
def symbol_address(machine: Machine, call: Call) -> int:
    """Give the address of a variable of the device."""
    runtime(machine).addressed.add(call.given[1])
    machine.put(call.given[0], struct.pack("<q", call.given[1]), call)
    return give(machine, SUCCESS)


@service("cudaMemset", "cudaMemsetAsync")
def fill(machine: Machine, call: Call) -> int:
    """Fill bytes of the device."""
    return give(machine, SUCCESS) or _fill(machine, call, *call.given[:3])


@service("cudaMemset2D")
def fill_rows(machine: Machine, call: Call) -> int:
    """Fill rows that lie apart."""
    address, pitch, value, width, height = call.given
    error = give(machine, SUCCESS)
    if not error and width > pitch:
        return give(machine, INVALID_VALUE)
    for row in range(max(height, 0)):
        error = error or _fill(machine, call, address + row * pitch, value, width)
    return error


def _fill(machine: Machine, call: Call, address: int, value: int, size: int) -> int:
    if size == 0:
        return SUCCESS
    found = machine.arena.inside(address, size, (*ON_DEVICE, Home.PINNED)) if size > 0 else None
    if found is None:
        other = machine.arena.find(address)
        text = message("{name} is given {bytes} bytes that are not all memory of the device.", name=call.name, bytes=size)
        machine.find(Wrong.COPY, call.location, text, None if other is None else other.location)
        return give(machine, INVALID_VALUE)
    machine.arena.view(address, size)[:] = value & 0xFF
    if found.defined is not None:
        found.defined[address - found.address : address - found.address + size] = True
    _note(machine, Copied(call.name, "Set", size, call.location), None, found)
    return SUCCESS


@service("cudaMemGetInfo")
def memory_left(machine: Machine, call: Call) -> int:
    """Give the free and all bytes of the device."""
    used = sum(each.bytes for each in machine.arena.all if each.home in ON_DEVICE and each.freed is None)
    for address, value in zip(call.given, (machine.job.device.memory - used, machine.job.device.memory), strict=True):
        machine.put(address, struct.pack("<q", value), call)
    return give(machine, SUCCESS)


@service("cudaDeviceSetLimit")
def set_limit(machine: Machine, call: Call) -> int:
    """Set the size of the device's heap, or how many launches of kernels may wait; other limits are none here."""
    if call.given[0] == HEAP_LIMIT:
        machine.kept["heap"] = call.given[1]
    if call.given[0] == PENDING_LIMIT:
        machine.kept["pending launches"] = call.given[1]
    return give(machine, SUCCESS)
