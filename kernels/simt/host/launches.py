"""Launches of kernels: from a call of the host to the interpreter, on the device's memory as it is, and back to an error of CUDA."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from math import prod

import numpy as np
import numpy.typing as npt

from kernels.base.architectures import SHARED_BYTES
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import GRID_LIMITS, Argument, Dim3, LaunchRequest
from kernels.simt.base.layout import leaves, scalar_dtype, size_of
from kernels.simt.frontend.device_launches import OF_RUNTIME
from kernels.simt.generate.build import Unsupported
from kernels.simt.generate.flows import flows_of
from kernels.simt.generate.walk import waits_for_grid
from kernels.simt.host.arena import ON_DEVICE, ArenaAllocation, Home
from kernels.simt.host.attributes import allowed_shared
from kernels.simt.host.child_races import is_compared
from kernels.simt.host.device_memory import NEAR, is_of_heap
from kernels.simt.host.errors import (
    ASSERTED,
    ERRORS,
    ILLEGAL_ADDRESS,
    INVALID_CONFIGURATION,
    INVALID_VALUE,
    LAUNCH_FAILURE,
    MISALIGNED,
    OUT_OF_RESOURCES,
    SUCCESS,
    TOO_LARGE_TOGETHER,
)
from kernels.simt.host.machine import Call, Ended, Machine, named
from kernels.simt.host.recording import Launching, Performed
from kernels.simt.host.result import EventKind, Launched, Wrong
from kernels.simt.host.runtime import Runtime, runtime
from kernels.simt.intrinsics.services import NO_ALLOCATION, NO_FUNCTION
from kernels.simt.lower.names import CODE_WINDOW
from kernels.simt.machine.faults import NOWHERE
from kernels.simt.machine.memory import variable_key
from kernels.simt.run.child_launches import Refuse
from kernels.simt.run.execution import number
from kernels.simt.run.launchable import refuse_bounds, refuse_clusters, refuse_shape, refuse_together, static_shared
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.flows import Flows
from kernels.simt.trace.trace import Finding

LAUNCH_MS = 0.005
OPERATIONS_PER_MS = 2e10
ROWS_PER_MS = 2e7
MOST_LAUNCHES_KEPT = 1000
SMALL = 1 << 20
"""Bytes of the arrays of a launch that is kept whole even where it is not the first of its kernel."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A launch as it is asked for: of the host, or by a thread (`by`) of the launch number `parent`. `refuse` says what launches of its
    own threads cannot be."""

    kernel: ir.Kernel
    call: Call
    refuse: Refuse
    cooperative: bool = False
    parent: int | None = None
    by: tuple[Dim3, Dim3] | None = None


def launch(machine: Machine, asked: Asked) -> Performed | None:
    """Execute a launch, and tell what it did. What keeps CUDA from it becomes the last error, and nothing is executed."""
    cuda, kernel, call = runtime(machine), asked.kernel, asked.call
    grid: Dim3 = (call.given[0], call.given[1], call.given[2])
    block: Dim3 = (call.given[3], call.given[4], call.given[5])
    shared, stream = call.given[6:8]
    done = Launched(kernel.entry, call.location, grid, block, shared, stream, parent=asked.parent, by=asked.by)
    if cuda.sticky:
        note(machine, done, cuda.sticky, message("An earlier kernel failed: from then on nothing is executed on the device."))
        return None
    refused = refused_shape(machine, kernel, grid, block, shared) or _refused_together(machine, asked, done)
    if refused is not None:
        error, reason = refused
        if error == LAUNCH_FAILURE:  # it starts, and fails
            cuda.pending = cuda.pending or error
        else:
            cuda.last = error
            cuda.unasked.append((error, call.location))
        not_run(machine, done, error, reason)
        return None
    return _execute(machine, cuda, done, asked)


def not_run(machine: Machine, done: Launched, error: int, reason: Message) -> None:
    """Find that a launch does not run, and note it."""
    text = message("{kernel} does not run ({error}): {reason}", kernel=done.entry, error=ERRORS[error], reason=reason)
    machine.find(Wrong.LAUNCH, done.location, text, launch=len(machine.launches))
    note(machine, done, error, reason)


def note(machine: Machine, done: Launched, error: int, refused: Message | None) -> None:
    """Note a launch that does not run."""
    _keep(machine, replace(done, error=ERRORS[error], refused=refused))


def _keep(machine: Machine, launched: Launched, clock: float | None = None) -> None:
    """Keep a launch, and then its event: where the deadline ends the run between them, none stands for a launch that is not there."""
    machine.launches.append(launched)
    machine.log.note(EventKind.LAUNCH, launched.location, len(machine.launches) - 1, clock)


def refused_shape(machine: Machine, kernel: ir.Kernel, grid: Dim3, block: Dim3, shared: int) -> tuple[int, Message] | None:
    """Find the error that CUDA gives for a configuration, and why."""
    reason, out_of_bounds = refuse_shape(grid, block), refuse_bounds(kernel.name, kernel.max_threads, block)
    if reason is not None and (0 in grid or out_of_bounds is not None):  # as a driver of CUDA 13 has it
        return INVALID_VALUE, reason
    if reason is not None or any(size > limit for size, limit in zip(grid, GRID_LIMITS, strict=True)):
        return INVALID_CONFIGURATION, reason or message("The grid is too large.")
    if (reason := refuse_clusters(kernel.cluster, grid)) is not None:
        return INVALID_CONFIGURATION, reason
    if out_of_bounds is not None:
        return OUT_OF_RESOURCES, out_of_bounds
    static, most = static_shared(kernel), allowed_shared(machine, kernel)
    if static > SHARED_BYTES:
        return INVALID_VALUE, message(
            "{bytes} bytes of static shared memory a block; a GPU allows {limit}.", bytes=static, limit=SHARED_BYTES
        )
    if shared < 0 or static + shared > most:
        opted = machine.job.device.gpu.architecture.shared_bytes_per_block
        most = opted if static + shared > opted else most
        return INVALID_VALUE, message("{bytes} bytes of shared memory a block; {limit} are allowed.", bytes=static + shared, limit=most)
    return None


def _refused_together(machine: Machine, asked: Asked, done: Launched) -> tuple[int, Message] | None:
    """Find why blocks that wait for each other cannot: they are not launched to, or not all of them can be on the device at once."""
    kernel = asked.kernel
    if waits_for_grid(kernel.body) and not asked.cooperative:
        return LAUNCH_FAILURE, message("its blocks wait for each other, which takes cudaLaunchCooperativeKernel.")
    if not asked.cooperative:
        return None
    reason = refuse_together(done.grid, done.block, static_shared(kernel) + done.shared_bytes, machine.job.device.gpu)
    return None if reason is None else (TOO_LARGE_TOGETHER, reason)


def _flows(machine: Machine, kernel: ir.Kernel) -> Flows:
    """Follow the values of a kernel, once."""
    known: dict[int, Flows] = machine.kept.setdefault("flows", {})
    if id(kernel) not in known:
        known[id(kernel)] = flows_of(kernel)
    return known[id(kernel)]


def _execute(machine: Machine, cuda: Runtime, done: Launched, asked: Asked) -> Performed:
    kernel, call = asked.kernel, asked.call
    values, elements = _arguments(machine, kernel, call)
    request = _request(machine, done, kernel, values)
    began = time.monotonic()
    try:
        performed = Launching(machine, kernel, done, [each[2] for each in values], call.given[8:], elements, asked.refuse).perform()
    except Unsupported as refused:
        machine.find(Wrong.REFUSED, refused.location or call.location, refused.reason, call.location)
        raise Ended(1) from None
    _note_writes(machine, performed, call)
    _hold(machine, call)
    cuda.clock += LAUNCH_MS + performed.flops / OPERATIONS_PER_MS + performed.accesses / ROWS_PER_MS
    cuda.printed += performed.printed
    error = _error(performed.findings, wild=performed.wild)
    cuda.pending = cuda.pending or error
    if performed.findings:
        _check_members(machine, values, call)
    _report(machine, performed, call, done)
    numbers = (machine.log.number(machine.arena.at(address)) for address in call.given[8:])
    launched = replace(
        done,
        error=ERRORS[error],
        request=request,
        blocks=prod(done.grid),
        recorded=performed.recorded,
        compiled=performed.compiled,
        why_not=performed.why_not,
        given=tuple(dict.fromkeys(number for number in numbers if number is not None)),
        accesses=performed.accesses,
        flops=performed.flops,
        seconds=time.monotonic() - began,
        findings=performed.findings,
        thread_accesses=performed.thread_accesses,
        flows=_flows(machine, kernel),
        compared=_compared(performed, done),
    )
    _keep(machine, launched, cuda.clock)
    return performed


def _compared(performed: Performed, done: Launched) -> bool | None:
    """Say whether its accesses are compared with those of launches by kernels around it; None where there are none."""
    made = performed.children.made
    return is_compared(performed.touched, len(made)) if made or done.parent is not None else None


def _hold(machine: Machine, call: Call) -> None:
    """Keep the host from managed memory that a launch was given, until it has waited."""
    for array in {machine.arena.find(address) for address in call.given[8:]}:
        if array is not None and array.home is Home.MANAGED and array.freed is None:
            machine.hold(array.address, array.bytes, call.location)


def _note_writes(machine: Machine, performed: Performed, call: Call) -> None:
    """Note which arrays of the device the launch wrote; each that it was given may have been read. What goes from launch to launch, read
    and written by both, is the kernels' own: the states of random numbers. So is their heap, which the host may not copy from."""
    for address in call.given[8:]:
        given = machine.arena.find(address)
        if given is not None and address < given.address + given.bytes:
            given.handed_on = given.unread or given.handed_on
            given.unread = None
            machine.stale.launched(given, call.location, writes=given.address in performed.written)
    for address in performed.written:
        written = machine.arena.at(address)
        own = written is not None and written.handed_on is not None and address in performed.read
        if written is not None and written.home is Home.DEVICE and not is_of_heap(written) and not own:
            written.unread = call.location


def _report(machine: Machine, performed: Performed, call: Call, done: Launched) -> None:
    """Find what showed while the launch was executed; what may show in its record is looked for later. Raises Ended."""
    for finding in performed.findings:
        wrong = Wrong.STOPPED if finding.kind is FindingKind.BUDGET_EXCEEDED else Wrong.KERNEL
        here, told = finding.location, finding.message
        if not here.line:  # the kernel is of the runtime: it has neither lines nor names
            here = call.location
            told = message("What is copied or filled here goes beyond an array of the device.")
        machine.find(wrong, here, told, call.location, len(machine.launches))
        if wrong is Wrong.STOPPED:
            raise Ended(124)
    if machine.records is not None and done.entry not in OF_RUNTIME:
        machine.records.keep(len(machine.launches), (done.entry, done.grid, done.block, done.shared_bytes), performed.traces)


def _arguments(
    machine: Machine, kernel: ir.Kernel, call: Call
) -> tuple[list[tuple[str, ir.Scalar | ir.Pointer, bool | int | float]], dict[int, tuple[str, ir.Type | None]]]:
    """List the scalars and pointers that the kernel is given, with their paths; and by address what the pointers say lies there."""
    values: list[tuple[str, ir.Scalar | ir.Pointer, bool | int | float]] = []
    elements: dict[int, tuple[str, ir.Type | None]] = {}
    given = iter(call.given[8:])
    for name, kind in _parameters(kernel):
        bits = next(given)
        if isinstance(kind, ir.Pointer):
            bits &= (1 << 64) - 1
            found = machine.arena.find(bits)
            if found is not None and found.address == bits:
                elements.setdefault(bits, (name, kind.target))
            if MEMBER not in name:  # a member may be of the host's alone: it is looked at where the kernel fails
                _check_pointer(machine, name, bits, found, call)
            values.append((name, kind, bits))
        elif kind.kind is ir.Kind.FLOAT:
            values.append((name, kind, number(machine.float_of(bits), kind)))
        elif kind.kind is ir.Kind.UNSIGNED:
            values.append((name, kind, bits & ((1 << 8 * kind.size) - 1)))
        else:
            values.append((name, kind, number(bits, kind)))
    return values, elements


MEMBER = "."
"""In the path of a member of an argument."""


def _parameters(kernel: ir.Kernel) -> Iterator[tuple[str, ir.Scalar | ir.Pointer]]:
    for parameter in kernel.parameters:
        for name, kind, _ in leaves(parameter.type, parameter.name):
            yield name, kind


def _check_members(machine: Machine, values: list[tuple[str, ir.Scalar | ir.Pointer, bool | int | float]], call: Call) -> None:
    """Find members of the arguments that point to the host's memory."""
    for name, kind, value in values:
        if isinstance(kind, ir.Pointer) and MEMBER in name:
            _check_pointer(machine, name, int(value), machine.arena.find(int(value)), call)


def _check_pointer(machine: Machine, name: str, address: int, found: ArenaAllocation | None, call: Call) -> None:
    """Find a pointer to the host's memory, which no kernel can reach."""
    if found is None or address >= found.address + max(found.bytes, 1):
        stack = machine.arena.layout.stack <= address < machine.arena.layout.stack_end
        if stack:
            text = message("{name} points to a variable of the host: a kernel cannot reach it. Copy it to the device.", name=name)
            machine.find(Wrong.HOST_POINTER, call.location, text)
        return
    if found.home in (Home.HOST, Home.VARIABLE, Home.KEPT) and found.freed is None:
        text = message(
            "{name} points to {array}, memory of the host: a kernel cannot reach it. Use cudaMalloc, and cudaMemcpy.",
            name=name, array=named(found),
        )  # fmt: skip
        machine.find(Wrong.HOST_POINTER, call.location, text, found.location)
    elif found.freed is not None:
        text = message("{name} points to {array}, which was freed in line {line}.", name=name, array=named(found), line=found.freed.line)
        machine.find(Wrong.AFTER_FREE, call.location, text, found.freed)


def _request(
    machine: Machine, done: Launched, kernel: ir.Kernel, values: list[tuple[str, ir.Scalar | ir.Pointer, bool | int | float]]
) -> LaunchRequest | None:
    """Keep the launch as a value, with its arrays as they are now: the first of each kernel, and small ones."""
    arguments: dict[str, Argument] = {}
    taken = 0
    if kernel.name in OF_RUNTIME:
        return None
    for name, kind, value in values:
        if not isinstance(kind, ir.Pointer):
            arguments[name] = value.item() if isinstance(value, np.generic) else value
            continue
        found = machine.arena.find(int(value))
        if kind.target is None and int(value) >= CODE_WINDOW:
            arguments[name] = int(value)
            continue
        if found is None or found.home not in (*ON_DEVICE, Home.PINNED) or isinstance(kind.target, ir.Pointer):
            return None
        size = size_of(kind.target)
        count = (found.address + found.bytes - int(value)) // size
        if count < 0:
            return None
        taken += count * size
        if taken > machine.job.limits.arrays:
            return None
        dtype = scalar_dtype(kind.target) if isinstance(kind.target, ir.Scalar) else np.dtype(np.uint8)
        arguments[name] = machine.arena.view(int(value), count * size).view(dtype).copy()
    if any(_holds_pointer(each.type) for each in kernel.globals):
        return None
    variables = _variables(machine, kernel)
    taken += sum(each.nbytes for each in variables.values())
    kept = machine.kept.setdefault("kept", {"bytes": 0, "entries": set()})
    first = done.entry not in kept["entries"]
    if not (first or taken <= SMALL) or kept["bytes"] + taken > machine.job.limits.arrays or len(machine.launches) > MOST_LAUNCHES_KEPT:
        return None
    kept["bytes"] += taken
    kept["entries"].add(done.entry)
    return LaunchRequest(done.grid, done.block, arguments, done.shared_bytes, variables=variables, gpu=machine.job.device.gpu)


def _holds_pointer(kind: ir.Type) -> bool:
    if isinstance(kind, ir.Array):
        return _holds_pointer(kind.element)
    return isinstance(kind, ir.Pointer) or (isinstance(kind, ir.Struct) and any(_holds_pointer(each.type) for each in kind.fields))


def _variables(machine: Machine, kernel: ir.Kernel) -> dict[str, npt.NDArray[np.uint8]]:
    """Copy what the kernel's `__constant__` and `__device__` variables hold now; those that no launch and no copy has reached begin as
    the text says."""
    placed: dict[str, ArenaAllocation] = machine.kept.get("symbols", {})
    keys = [variable_key(each) for each in kernel.globals if each.space is not ir.Space.SHARED]
    found = {key: placed[key] for key in keys if key in placed}
    return {key: machine.arena.view(each.address, each.bytes).copy() for key, each in found.items()}


def _error(findings: tuple[Finding, ...], *, wild: bool) -> int:
    """Find the error that a GPU would give for what went wrong in a kernel, when the host next waits for it."""
    kinds = {finding.kind for finding in findings}
    if FindingKind.ENDS_LAUNCH in kinds:
        asserted = any("assert" in str(finding.message).lower() for finding in findings if finding.kind is FindingKind.ENDS_LAUNCH)
        return ASSERTED if asserted else LAUNCH_FAILURE
    if any(finding.message in (NO_FUNCTION, NO_ALLOCATION) for finding in findings):  # as an H200 and an H100 have it
        return ILLEGAL_ADDRESS
    if wild or any(_far(finding) for finding in findings if finding.kind is FindingKind.OUT_OF_BOUNDS):
        return ILLEGAL_ADDRESS
    return MISALIGNED if FindingKind.MISALIGNED_ACCESS in kinds else SUCCESS


def _far(finding: Finding) -> bool:
    """Say whether an access went so far beyond an array that a GPU notices."""
    told = dict(finding.message.arguments)
    if finding.message.template == NOWHERE.template:
        return True
    index, count = told.get("index"), told.get("count")
    if not isinstance(index, int) or not isinstance(count, int):
        return False
    return (index - count if index >= 0 else -index) * 4 > NEAR
