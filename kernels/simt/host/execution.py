"""A program executed in this process: read, compiled, run on an arena of its own. What follows its end is not this process's to see."""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from kernels.base.messages import Message, message
from kernels.simt import ir
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.base.layout import leaves, scalar_dtype, size_of
from kernels.simt.base.types import Location
from kernels.simt.frontend.diagnostics import Diagnostic, Severity
from kernels.simt.host import calendar, copies, files, output, runtime, thrown  # noqa: F401 - they register what answers calls
from kernels.simt.host.arena import GLOBALS, PAGE, STACK_BYTES, SYSTEMS, Home, largest
from kernels.simt.host.c_library import SERVICES as ANSWERS
from kernels.simt.host.child_launches import HostLaunch
from kernels.simt.host.data_files import OpenFile, not_asked
from kernels.simt.host.device_memory import place_symbols
from kernels.simt.host.expressions import NO_DIVISION, NO_ROOM
from kernels.simt.host.machine import ARITHMETIC, SEGMENTATION, Call, Ended, Machine
from kernels.simt.host.module import Compiled, compile_program
from kernels.simt.host.names import CALLER, SERVICES, kernel_number
from kernels.simt.host.places import Shared, TooLarge
from kernels.simt.host.reading import LoweredProgram, read_program
from kernels.simt.host.records import Records
from kernels.simt.host.result import NotRun, ProgramJob, ProgramOutcome, ProgramRun, Progress, Wrong
from kernels.simt.lower.kernel import room_for_recursion
from kernels.simt.lower.lvalues import nodes
from kernels.simt.machine.memory import variable_key
from kernels.simt.run.reading import read as read_kernel
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

MACHINE_STACK = 256 << 20
"""Bytes of the stack that compiled code runs on: recursion ends at the stack of the program, or a little before this."""
MARGIN = 16 << 20
TIMED_OUT = 124
GAP = 3 * PAGE
"""Bytes, at most, that a variable takes beside its own."""
_FAULT = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_SERVE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64), ctypes.c_int64)


def execute(
    job: ProgramJob,
    write: Callable[[int, bytes], None],
    tell: Callable[[Progress], None],
    more: Callable[[], bytes] = bytes,
    records: Records | None = None,
    open_file: OpenFile = not_asked,
) -> ProgramOutcome:
    """Execute a program; `tell` is told how far a long launch is, `more` gives more of standard input, nothing at its end. `records` keeps
    what launches did, `open_file` gives what is in a file.

    When it ends otherwise than by a return from `main`, its thread stays where it is, for ever: the process is of no further use, and
    must not be asked for anything else.
    """
    if sys.platform not in SYSTEMS:
        return NotRun(message("Whole programs run on Linux and macOS only."))
    program = read_program(job.text, job.path)
    if isinstance(program, NotRun):
        return program
    kernels: dict[str, ir.Kernel] = {}
    entries = list(program.entries)
    for entry in entries:
        found = read_kernel(LaunchSpec(job.text, entry, LaunchRequest((1, 1, 1), (1, 1, 1)), job.path))
        if isinstance(found, NotTraced):
            return NotRun(message("{kernel}: {reason}", kernel=entry, reason=found.reason), found.diagnostics)
        kernels[entry] = found.kernel
        made = (node.entry for node in nodes(found.kernel.body) if isinstance(node, ir.Launch))
        entries += [each for each in dict.fromkeys(made) if each not in entries]
    symbols = {variable_key(each): each for kernel in kernels.values() for each in kernel.globals if each.space is not ir.Space.SHARED}
    too_large = _too_large(job, (*program.variables, *program.devices, *symbols.values()))
    if too_large is not None:
        return too_large
    try:
        return _Execution(program, kernels, Machine(job, largest(job.limits.bytes), write, tell, more, records, open_file)).run()
    except TooLarge as error:
        at = error.location
        return NotRun(error.reason, (Diagnostic(at.line, at.column, Severity.ERROR, error.reason, at.file),))


def _too_large(job: ProgramJob, variables: Iterable[ir.Variable]) -> NotRun | None:
    """Refuse variables that take more than there may be."""
    taken, allowed = sum(size_of(each.type) + GAP for each in variables), min(job.limits.bytes, GLOBALS // 2)
    if taken <= allowed:
        return None
    return NotRun(
        message("The variables of the program take {needed} MiB; {limit} MiB are allowed.", needed=taken >> 20, limit=allowed >> 20)
    )


class _Execution:
    """One run."""

    def __init__(self, program: LoweredProgram, kernels: dict[str, ir.Kernel], machine: Machine) -> None:
        self._program = program
        self._kernels = kernels
        self._machine = machine
        self._fault = _FAULT(self._on_fault)
        self._serve = _SERVE(self._on_call)
        self._ended = threading.Event()
        self._status = 0
        self._launching: Location | None = None
        """Where the launch stands that is under way."""
        self._failure: BaseException | None = None
        self._caller = ctypes.c_uint64()
        """The site from which the program has called the library."""
        addresses = {each: self._place(each) for each in program.variables}
        addresses.update(place_symbols(self._machine, program.devices, kernels))
        for each in program.managed:
            self._machine.arena.shade(addresses[each], size_of(each.type), allowed=True)
        fault, serve = (ctypes.cast(each, ctypes.c_void_p).value or 0 for each in (self._fault, self._serve))
        self._shared = Shared(self._machine.arena.layout, addresses, fault, serve, devices=frozenset(program.devices))

        self._machine.kept["kernels"] = {kernel_number(entry): kernel for entry, kernel in kernels.items()}
        self._machine.kept["names of sites"] = lambda number: self._shared.sites[number][1]

    def run(self) -> ProgramRun:
        """Run to the end, or to the deadline."""
        machine = self._machine
        with room_for_recursion():
            compiled = compile_program(self._program, self._shared)
        before = threading.stack_size(MACHINE_STACK)
        thread = threading.Thread(target=self._main, args=(compiled,), name="program", daemon=True)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
        seconds = machine.job.limits.seconds
        if not self._ended.wait(seconds):
            text = message("Stopped after {seconds} s.", seconds=seconds)
            if self._launching is not None:
                text = message("Stopped after {seconds} s, while this launch was executed.", seconds=seconds)
            machine.find(Wrong.STOPPED, self._launching or Location(0, 0), text)
            self._end(TIMED_OUT)
        if self._failure is not None:
            raise self._failure
        for _, location in runtime.runtime(machine).unasked:
            machine.find(Wrong.UNCHECKED, location, message("This launch failed, and nobody asks: call cudaGetLastError after it."))
        return replace(machine.run(self._status), diagnostics=self._program.diagnostics)

    def _main(self, compiled: Compiled) -> None:
        self._caller = compiled.caller
        compiled.lowest.value = compiled.here() - MACHINE_STACK + MARGIN
        words = self._words()
        status = compiled.start(len(words.given), words.address)
        self._machine.leaks()
        self._end(status & 0xFF)

    def _words(self) -> _Words:
        """Put the words after the program's name into memory."""
        machine, location = self._machine, Location(0, 0)
        name = machine.job.path.stem if machine.job.path is not None else "program"
        given = [f"./{name}", *machine.job.arguments]
        pointers = []
        for word in given:
            data = word.encode("utf-8", "surrogateescape") + b"\0"
            found = machine.arena.allocate(Home.VARIABLE, len(data), location, "argv")
            assert found is not None
            machine.arena.view(found.address, len(data))[:] = np.frombuffer(data, np.uint8)
            pointers.append(found.address)
        table = struct.pack(f"<{len(pointers) + 1}q", *pointers, 0)
        found = machine.arena.allocate(Home.VARIABLE, len(table), location, "argv")
        assert found is not None
        machine.arena.view(found.address, len(table))[:] = np.frombuffer(table, np.uint8)
        return _Words(given, found.address)

    def _place(self, variable: ir.Variable) -> int:
        """Allocate a variable that outlives calls, with its initial value."""
        arena = self._machine.arena
        found = arena.allocate(Home.VARIABLE, max(size_of(variable.type), 1), variable.location, variable.name)
        if found is None:
            raise MemoryError
        for (_, kind, offset), value in zip(leaves(variable.type) if variable.initial else (), variable.initial or (), strict=False):
            data = np.array(value).astype(scalar_dtype(kind)).tobytes()
            arena.view(found.address + offset, len(data))[:] = np.frombuffer(data, np.uint8)
        return found.address

    # ------------------------------------------------------------ called by the program

    def _site(self, number: int) -> tuple[Location, str]:
        """Give the place in the program's text that a site stands for, and what is written there."""
        location, text = self._shared.sites[number]
        return (self._shared.sites[self._caller.value][0] if location == CALLER else location), text

    def _on_fault(self, address: int, size: int, site: int) -> None:
        location, text = self._site(site)
        self._guarded(lambda: self._faulted(address, size, location, text))

    def _faulted(self, address: int, size: int, location: Location, text: str) -> None:
        machine = self._machine
        if text == NO_DIVISION and size == 0:
            machine.find(Wrong.DIVISION, location, message("A whole number is divided by zero, or the least one by −1."))
            raise Ended(ARITHMETIC)
        if text.startswith(NO_ROOM) and size == 0:
            machine.find(Wrong.STACK, location, _no_room(text.removeprefix(NO_ROOM), address))
            raise Ended(SEGMENTATION)
        machine.reach_each(address, abs(size), location, text or "*", writes=size < 0)

    def _on_call(self, which: int, site: int, given: ctypes._Pointer[ctypes.c_int64], count: int) -> int:
        location, kinds = self._site(site)
        self._machine.log.here = location
        arguments = tuple(given[position] for position in range(count))
        return self._guarded(lambda: self._answer(which, arguments, kinds, location))

    def _answer(self, which: int, arguments: tuple[int, ...], kinds: str, location: Location) -> int:
        if which >= len(SERVICES):
            node = self._shared.launches[which - len(SERVICES)]
            self._launching = location
            call = Call("launch", arguments, kinds, location)
            HostLaunch(self._machine, self._kernels).perform(self._kernels[node.entry], call, cooperative=node.cooperative)
            self._launching = None
            return 0
        call = Call(SERVICES[which], arguments, kinds, location)
        answer = ANSWERS[call.name](self._machine, call)
        if isinstance(answer, float):
            return int(struct.unpack("<q", struct.pack("<d", answer))[0])
        value = int(answer or 0) & ((1 << 64) - 1)
        return value - (1 << 64) if value >> 63 else value

    def _guarded(self, answer: Callable[[], int | None]) -> int:
        """Answer the program; where that ends it, or its time is over, its thread goes no further."""
        try:
            if not self._ended.is_set():
                return answer() or 0
        except Ended as end:
            self._end(end.status)
        except BaseException as error:
            self._failure = error
            self._end(1)
        while True:
            threading.Event().wait()

    def _end(self, status: int) -> None:
        if not self._ended.is_set():
            self._status = status
            self._ended.set()


def _no_room(name: str, size: int) -> Message:
    """Say that the stack has no room for a call, or for an array of that name and so many bytes."""
    most = STACK_BYTES >> 20
    if not name:
        return message("The stack is full: it has {limit} MiB for all functions under way.", limit=most)
    if size < 0:
        return message("{name} has a negative length.", name=name)
    return message(
        "{name} takes {bytes} bytes on the stack, which has {limit} MiB for all functions under way: use malloc, or std::vector.",
        name=name, bytes=size, limit=most,
    )  # fmt: skip


class _Words:
    """The words that `main` is given, and where they lie."""

    def __init__(self, given: list[str], address: int) -> None:
        self.given = given
        self.address = address
