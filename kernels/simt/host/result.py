"""What is asked of a run of a whole program, and what it leaves: values that are sent between processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from pathlib import Path

from kernels.base.architectures import ARCHITECTURES, Gpu
from kernels.base.messages import Message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3, LaunchRequest
from kernels.simt.base.types import Location
from kernels.simt.frontend.diagnostics import Diagnostic
from kernels.simt.host.records import Records
from kernels.simt.trace.flows import NO_FLOWS, Flows
from kernels.simt.trace.trace import Finding


@dataclass(frozen=True, slots=True)
class Device:
    """The GPU that the program is told of: sizes in bytes, the clock in kHz."""

    name: str = "NVIDIA H100 80GB HBM3"
    capability: tuple[int, int] = (9, 0)
    multiprocessors: int = 132
    memory: int = 80 << 30
    l2: int = 50 << 20
    clock: int = 1_980_000

    @property
    def gpu(self) -> Gpu:
        """The GPU as a launch meets it; KeyError where its compute capability is not known."""
        return Gpu(ARCHITECTURES["{}.{}".format(*self.capability)], self.multiprocessors)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run: seconds by the clock, bytes allocated at once, bytes of output, and for the launches that are kept whole access rows
    of one and bytes of the arrays of all. A launch of up to `recorded` access rows is recorded whole; 0: none, all are compiled that can
    be."""

    seconds: float = 60.0
    bytes: int = 6 << 30
    output: int = 64 << 20
    rows: int = 2_000_000
    arrays: int = 256 << 20
    recorded: int = 200_000


SHORT_RUN = Limits(seconds=10.0, bytes=512 << 20, output=1 << 20)
"""Of a program that is tried again and again, or is small: most take a part of a second."""


@dataclass(frozen=True, slots=True)
class ProgramJob:
    """A text with `main`, where it lies, and the words after its name. `look` looks for data races once the program has ended; without it
    none are looked for. `readable` are the names of files beside it that it may read; None: all that are there."""

    text: str
    path: Path | None = None
    arguments: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    device: Device = field(default_factory=Device)
    look: Look | None = None
    readable: frozenset[str] | None = frozenset()


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a launch: `done` of its blocks have been executed."""

    entry: str
    location: Location
    done: int
    blocks: int


class Wrong(StrEnum):
    """Subject of a finding of the host's side."""

    OUT_OF_BOUNDS = "out-of-bounds"
    AFTER_FREE = "use-after-free"
    BAD_FREE = "bad-free"
    NULL = "null-pointer"
    DEVICE_POINTER = "device-pointer-on-host"
    HOST_POINTER = "host-pointer-on-device"
    DIRECTION = "wrong-direction"
    COPY = "copy-out-of-bounds"
    UNCHECKED = "unchecked-launch"
    LAUNCH = "launch-failed"
    LEAK = "leak"
    UNREAD = "never-copied-back"
    STALE = "stale-value"
    UNWRITTEN = "read-before-written"
    TOO_EARLY = "accessed-too-early"
    DIVISION = "division-by-zero"
    STACK = "stack-overflow"
    ARGUMENT = "wrong-argument"
    KERNEL = "kernel"
    UNCAUGHT = "uncaught-exception"
    REFUSED = "refused"
    CHILD_RACE = "child-race"
    DATA_RACE = "data-race"
    MEMORY = "out-of-memory"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class HostFinding:
    """Something wrong that the program did at `location`; `other` is the second place that it is about, such as the allocation.
    `launch` is the number of the launch that it shows in."""

    wrong: Wrong
    location: Location
    message: Message
    other: Location | None = None
    launch: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Allocated:
    """An allocation: by which function, of how many bytes, where, and where it was freed; None where it never was."""

    home: str
    name: str
    function: str
    bytes: int
    location: Location
    freed: Location | None


@dataclass(frozen=True, slots=True)
class Container:
    """Memory on the host's heap that copies reach in a container of the library, as a std::vector. `made` and `freed` are how many events
    there were by then; None where it never was freed."""

    bytes: int
    made: int
    freed: int | None


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy, or a fill: `direction` as CUDA names it, "HostToDevice", or "Set". `source` and `target` are the numbers of the allocations,
    None where an end is a variable; `containers` are the numbers of the containers in which ends lie; `names` are what the ends are called,
    "" where that is not known."""

    function: str
    direction: str
    bytes: int
    location: Location
    source: int | None = None
    target: int | None = None
    names: tuple[str, str] = ("", "")
    containers: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that the program opened, at `location` first: its bytes; None where it may not be read yet."""

    name: str
    location: Location
    bytes: int | None


class EventKind(StrEnum):
    """Kind of an event: what happens."""

    ALLOCATE = "allocate"
    FREE = "free"
    COPY = "copy"
    LAUNCH = "launch"
    WAIT = "wait"
    PRINT = "print"
    END = "end"


@dataclass(frozen=True, slots=True)
class Event:
    """Event on the host, in order. `began` and `ended` are milliseconds of the simulated clock, `number` the place among the allocations,
    copies or launches of the run, `output` the characters of standard output that were written by its end, `containers` the bytes that
    containers of the library hold on the host's heap then."""

    kind: EventKind
    location: Location
    began: float
    ended: float
    number: int = 0
    output: int = 0
    containers: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Launched:
    """A launch. `request` is what the interpreter takes to execute it again, with the arrays as they were; None where it did not run, or
    its arrays are not kept. `recorded` are the blocks whose accesses were recorded, of `blocks` in all; `compiled` is whether all of them
    were executed by compiled code, without a record; `why_not`, of a large launch, why they were not. `refused` says why it did not
    run. Of a launch by a kernel `parent` is the number of the launch that made it, and `by` are its block and thread; such a launch ends
    before the one that made it does."""

    entry: str
    location: Location
    grid: Dim3
    block: Dim3
    shared_bytes: int
    stream: int
    error: str = "cudaSuccess"
    refused: Message | None = None
    request: LaunchRequest | None = None
    blocks: int = 0
    recorded: int = 0
    compiled: bool = False
    why_not: Message | None = None
    given: tuple[int, ...] = ()
    """The numbers of the allocations that it was given pointers to."""
    accesses: int = 0
    flops: int = 0
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()
    thread_accesses: int = 0
    """Recorded accesses of single threads."""
    flows: Flows = NO_FLOWS
    parent: int | None = None
    by: tuple[Dim3, Dim3] | None = None
    compared: bool | None = None
    """Whether its accesses were compared with those of the launches around it, where kernels launch kernels; None where none do."""
    searched: int = 0
    """Its blocks in which data races were looked for, once the program had ended."""


@dataclass(frozen=True, slots=True, eq=False)
class ProgramRun:
    """A run of a program, as far as it came. `status` as a shell has it: 128 and the signal where one would have ended it."""

    stdout: str
    status: int
    allocations: tuple[Allocated, ...] = ()
    copies: tuple[Copied, ...] = ()
    launches: tuple[Launched, ...] = ()
    findings: tuple[HostFinding, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    seconds: float = 0.0
    events: tuple[Event, ...] = ()
    events_left_out: int = 0
    """Events beyond those that are kept."""
    searching: bool = False
    """Whether data races are still looked for: all else is known."""
    files: tuple[DataFile, ...] = ()
    containers: tuple[Container, ...] = ()


@dataclass(frozen=True, slots=True)
class NotRun:
    """Reason why a program was not begun, with the places."""

    reason: Message
    diagnostics: tuple[Diagnostic, ...] = ()


ProgramOutcome = ProgramRun | NotRun


@dataclass(frozen=True, slots=True)
class Looked:
    """Result of looking through the records of a run: findings of the whole, and by launches in how many of their blocks, and what."""

    findings: tuple[HostFinding, ...] = ()
    launches: Mapping[int, tuple[int, tuple[Finding, ...]]] = field(default_factory=dict)

    def added_to(self, run: ProgramRun) -> ProgramRun:
        """The run with what was found in its launches: one that was stopped may end a launch when it has been told already. What was
        never given back is told last: nothing goes wrong by it."""
        launches = list(run.launches)
        for number, (blocks, found) in self.launches.items():
            if number < len(launches):
                launches[number] = replace(launches[number], searched=blocks, findings=(*launches[number].findings, *found))
        own = (each for each in self.findings if each.launch is None or each.launch < len(launches))
        findings = sorted((*run.findings, *own), key=lambda each: each.wrong is Wrong.LEAK)
        return replace(run, launches=tuple(launches), findings=tuple(findings), searching=False)


Look = Callable[[Records], Looked]
