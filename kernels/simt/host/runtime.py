"""The CUDA runtime: errors as CUDA has them, events, streams, and what the program is told of the device.

What a stream does is done at once, in the order of the calls. Times of events are of a simulated clock: copies at the speed of a bus,
kernels by the bytes and operations that they were seen to need.
"""

from __future__ import annotations

import struct
from dataclasses import field

from kernels.base.architectures import WARP
from kernels.base.values import dataclass
from kernels.simt.base.types import Location
from kernels.simt.host.arena import Home
from kernels.simt.host.c_library import service
from kernels.simt.host.errors import ERRORS, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, SUCCESS, TEXTS
from kernels.simt.host.machine import Call, Machine
from kernels.simt.host.result import EventKind


@dataclass(slots=True)
class Runtime:
    """State of the runtime. `pending` is the error of a kernel that the host has not waited for; `sticky` one that nothing cures."""

    last: int = SUCCESS
    sticky: int = SUCCESS
    pending: int = SUCCESS
    clock: float = 0.0
    """Milliseconds of the simulated clock."""
    printed: list[str] = field(default_factory=list)
    """What kernels printed and nobody has waited for."""
    events: dict[int, float | None] = field(default_factory=dict)
    untimed: set[int] = field(default_factory=set)
    """Events made with cudaEventDisableTiming."""
    addressed: set[int] = field(default_factory=set)
    """Variables of the device whose address the host has asked for."""
    streams: set[int] = field(default_factory=set)
    handles: int = 0x1000
    unasked: list[tuple[int, Location]] = field(default_factory=list)
    """Launches that failed, while nobody has asked for the error."""


def runtime(machine: Machine) -> Runtime:
    """Give the runtime of a program."""
    found: Runtime = machine.kept.setdefault("cuda", Runtime())
    return found


def give(machine: Machine, error: int) -> int:
    """Return an error, which is also the last one."""
    cuda = runtime(machine)
    if cuda.sticky:
        error = cuda.sticky
    if error:
        cuda.last = error
    return error


def wait(machine: Machine) -> int:
    """Wait for the device: what its kernels printed is written, their errors show."""
    cuda = runtime(machine)
    machine.let_go()
    if cuda.printed:
        machine.out(1, "".join(cuda.printed).encode("utf-8", "surrogateescape"))
        cuda.printed.clear()
    if cuda.pending:
        cuda.sticky, cuda.pending = cuda.pending, SUCCESS
    return give(machine, SUCCESS)


# ------------------------------------------------------------ the device, and errors


@service("cudaDeviceSynchronize", "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize")
def synchronize(machine: Machine, call: Call) -> int:
    """Wait for the kernels."""
    error = wait(machine)
    machine.log.note(EventKind.WAIT, call.location)
    return error


@service("cudaDeviceReset")
def reset(machine: Machine, call: Call) -> int:
    """Give back all that the program has of the device; an illegal address is no more."""
    wait(machine)
    cuda = runtime(machine)
    cuda.sticky = cuda.last = cuda.pending = SUCCESS
    for each in machine.arena.all:
        if each.home in (Home.DEVICE, Home.MANAGED, Home.PINNED) and each.freed is None:
            machine.arena.free(each, call.location)
    return SUCCESS


@service("cudaGetDeviceCount", "cudaGetDevice", "cudaDriverGetVersion", "cudaRuntimeGetVersion")
def number(machine: Machine, call: Call) -> int:
    """Give a number: there is one device, number 0."""
    value = {"cudaGetDeviceCount": 1, "cudaGetDevice": 0}.get(call.name, 13000)
    machine.put(call.given[0], struct.pack("<i", value), call)
    return give(machine, SUCCESS)


@service("cudaSetDevice", "__tilescope_device")
def device(machine: Machine, call: Call) -> int:
    """Choose the device; there is only number 0."""
    return give(machine, SUCCESS if call.given[0] == 0 else INVALID_DEVICE)


@service("__tilescope_device_name")
def device_name(machine: Machine, call: Call) -> None:
    """Write the name of the device."""
    machine.put(call.given[0], machine.job.device.name.encode()[:255] + b"\0", call)


@service("__tilescope_property")
def device_property(machine: Machine, call: Call) -> int:
    """Give a property of the device, as the prelude numbers them."""
    told = machine.job.device
    limits = told.gpu.architecture
    values = (
        told.memory, *told.capability, told.multiprocessors, told.l2, told.clock,
        limits.shared_bytes, limits.shared_bytes_per_block, limits.warps * WARP, limits.blocks,
    )  # fmt: skip
    return values[call.given[0]]


@service("cudaGetLastError", "cudaPeekAtLastError")
def last_error(machine: Machine, call: Call) -> int:
    """Give the last error; to get it forgets it, unless it is one that nothing cures."""
    cuda = runtime(machine)
    cuda.unasked.clear()
    error = cuda.last
    if call.name == "cudaGetLastError":
        cuda.last = cuda.sticky
    return error


@service("cudaGetErrorString", "cudaGetErrorName")
def error_text(machine: Machine, call: Call) -> int:
    """Give the words for an error, or its name."""
    runtime(machine).unasked.clear()
    name = ERRORS.get(call.given[0], "unrecognized error code")
    text = name if call.name == "cudaGetErrorName" else TEXTS.get(name, "unrecognized error code")
    known: dict[str, int] = machine.kept.setdefault("error texts", {})
    if text not in known:
        found = machine.arena.allocate(Home.KEPT, len(text) + 1, call.location)
        known[text] = 0 if found is None else found.address
        machine.put(known[text], text.encode() + b"\0", call)
    return known[text]


# ------------------------------------------------------------ events and streams


def _new(machine: Machine, call: Call) -> int:
    cuda = runtime(machine)
    cuda.handles += 0x10
    machine.put(call.given[0], struct.pack("<q", cuda.handles), call)
    return cuda.handles


DISABLE_TIMING = 2
"""cudaEventDisableTiming."""


@service("cudaEventCreate", "cudaEventCreateWithFlags")
def create_event(machine: Machine, call: Call) -> int:
    """Make an event."""
    cuda, made = runtime(machine), _new(machine, call)
    cuda.events[made] = None
    if call.name == "cudaEventCreateWithFlags" and call.given[1] & DISABLE_TIMING:
        cuda.untimed.add(made)
    return give(machine, SUCCESS)


@service("cudaEventRecord")
def record_event(machine: Machine, call: Call) -> int:
    """Note the time of the simulated clock."""
    cuda = runtime(machine)
    if call.given[0] not in cuda.events:
        return give(machine, INVALID_HANDLE)
    cuda.events[call.given[0]] = cuda.clock
    return give(machine, SUCCESS)


@service("cudaEventElapsedTime")
def elapsed(machine: Machine, call: Call) -> int:
    """Give the milliseconds between two events."""
    target, first, second = call.given
    cuda = runtime(machine)
    begin, end = cuda.events.get(first), cuda.events.get(second)
    if begin is None or end is None or cuda.untimed & {first, second}:
        return give(machine, INVALID_HANDLE)
    machine.put(target, struct.pack("<f", end - begin), call)
    return give(machine, SUCCESS)


@service("cudaEventDestroy")
def destroy_event(machine: Machine, call: Call) -> int:
    """End an event."""
    gone = runtime(machine).events.pop(call.given[0], INVALID_HANDLE)
    return give(machine, INVALID_HANDLE if gone == INVALID_HANDLE else SUCCESS)


@service("cudaStreamCreate", "cudaStreamCreateWithFlags")
def create_stream(machine: Machine, call: Call) -> int:
    """Make a stream."""
    runtime(machine).streams.add(_new(machine, call))
    return give(machine, SUCCESS)


@service("cudaStreamDestroy")
def destroy_stream(machine: Machine, call: Call) -> int:
    """End a stream."""
    streams = runtime(machine).streams
    known = call.given[0] in streams
    streams.discard(call.given[0])
    return give(machine, SUCCESS if known else INVALID_HANDLE)


@service("__tilescope_memory_type")
def memory_type(machine: Machine, call: Call) -> int:
    """Say whose memory an address is, as cudaMemoryType numbers it."""
    found = machine.arena.inside(call.given[0], 1, (Home.PINNED, Home.DEVICE, Home.SYMBOL, Home.MANAGED))
    return 0 if found is None else {Home.PINNED: 1, Home.MANAGED: 3}.get(found.home, 2)


@service("cudaHostRegister")
def register_host(machine: Machine, call: Call) -> int:
    """Have memory of the host stay in place; kernels here reach none but what was allocated so."""
    return give(machine, SUCCESS if machine.arena.allowed(call.given[0], call.given[1]) else INVALID_VALUE)


@service("cudaEventQuery", "cudaStreamQuery", "cudaStreamWaitEvent", "cudaMemPrefetchAsync", "__tilescope_advised", "cudaHostUnregister")
def nothing(machine: Machine, call: Call) -> int:
    """Do nothing: all that was asked before is done."""
    if call.name.endswith("Query"):
        machine.let_go()
    return give(machine, SUCCESS)
