"""Programs run in a process of their own, one each: with a deadline, a limit on memory, and an end at once when that is asked."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from kernels.base.messages import Message, message
from kernels.base.worker_process import Deadline, NoAnswer, Why, WorkerChannel, WorkerProcess
from kernels.simt.base.launch import MIB
from kernels.simt.base.types import Location
from kernels.simt.host.data_files import Answer, Wanted, opened
from kernels.simt.host.records import Records
from kernels.simt.host.result import (
    Event,
    EventKind,
    HostFinding,
    Looked,
    NotRun,
    ProgramJob,
    ProgramOutcome,
    ProgramRun,
    Progress,
    Wrong,
)

COMPILING_S = 30.0
"""What reading and compiling may take, the first time with all that has to be imported."""
GRACE_S = 5.0
"""How long a process may take to say what it knows once its time is over."""
LOOKING_S = 30.0
"""How long it may take to look for races once a program has ended."""
OWN_BYTES = 2048 * MIB
"""Memory for the compilers, the interpreter and the records of launches."""
KILLED, CRASHED, TIMED_OUT = 137, 139, 124
PRELOADED = "kernels.simt.host.preloaded"
PREPARE = None
"""Asks a process to import what programs need, and to wait for one."""
Write = Callable[[int, bytes], None]
Tell = Callable[[Progress | ProgramRun], None]
"""Is told how far a long launch is; and the run when it has ended, if races in it are yet to be looked for."""
Read = Callable[[], bytes]


def _unread(_stream: int, _data: bytes) -> None:
    """Nobody reads what a program writes until it has ended."""


def _heard(_said: Progress | ProgramRun) -> None:
    """Nobody asks how far a program is."""


class Spare:
    """Process that waits for the next program, all imported that programs need: that takes longer than most programs run. Where it can be
    copied from one that has, the first one takes long, and each later one some milliseconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: WorkerProcess | None = None
        self._ended = threading.Event()
        self._starting = False
        self._preloaded: str | None = None
        """What new processes are copied from, once it was begun to import that: until then a new one is there sooner."""

    def take(self) -> WorkerProcess:
        """Give the waiting process, else a new one. Raises OSError where the system starts none."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.alive:
            return waiting
        return _new_worker(self._preloaded)

    def renew(self) -> None:
        """Start a process that waits, where there is none. Takes as long as starting one; nobody else waits for that."""
        with self._lock:
            if self._waiting is not None or self._ended.is_set() or self._starting:
                return
            self._starting, self._preloaded = True, PRELOADED
        started: WorkerProcess | None = None
        with contextlib.suppress(OSError):  # the next program asks for a process itself, and says why there is none
            started = _new_worker(PRELOADED)
            started.send(PREPARE)
        with self._lock:
            self._starting = False
            if not self._ended.is_set():
                self._waiting, started = started, None
        if started is not None:
            started.end()

    def drop(self) -> None:
        """Let none wait until the next one is started."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.end()

    def end(self) -> None:
        """Let none wait any more."""
        self._ended.set()
        self.drop()


def _new_worker(preloaded: str | None = None) -> WorkerProcess:
    """A copy where one is wanted and can be had, else a new process. Raises OSError."""
    if preloaded is not None:
        with contextlib.suppress(OSError):
            return WorkerProcess(_run_here, "program", channel=True, preloaded=preloaded)
    return WorkerProcess(_run_here, "program", channel=True)


class Programs:
    """Runs one program after the other, each in a new process, or in one that waits in `spare`."""

    def __init__(self, spare: Spare | None = None) -> None:
        self._cancelled = threading.Event()
        self._take = _new_worker if spare is None else spare.take

    def run(self, job: ProgramJob, write: Write = _unread, tell: Tell = _heard, read: Read = bytes) -> ProgramOutcome:
        """Run a program; `write` is given what it writes, as it does: the stream's number (1 or 2) and the bytes; `tell` how far it is;
        `read` gives more of standard input, nothing at its end. Never raises for what the program does."""
        try:
            worker = self._take()
        except OSError as error:
            return NotRun(message("The process for the program could not be started: {error}", error=str(error)))
        written: list[bytes] = []
        ended: list[ProgramRun] = []
        began, deadline = time.monotonic(), Deadline(job.limits.seconds + COMPILING_S + GRACE_S)

        def hear(said: tuple[int, bytes] | Progress | ProgramRun | Wanted | None) -> None:
            if said is None:
                worker.send(read())
                return
            if isinstance(said, Wanted):
                worker.send(opened(job, said.name))
                return
            if isinstance(said, ProgramRun):
                ended.append(said)
                deadline.put_off(LOOKING_S)
            if isinstance(said, Progress | ProgramRun):
                tell(said)
                return
            if said[0] == 1:
                written.append(said[1])
            write(*said)

        most_bytes = job.limits.bytes + OWN_BYTES
        try:
            outcome: ProgramOutcome | Looked = worker.ask(job, deadline.left, self._cancelled.is_set, most_bytes=most_bytes, heard=hear)
        except NoAnswer as none:
            return Looked().added_to(ended[0]) if ended else _stopped(written, began, *_unanswered(none, job, begun=bool(written)))
        finally:
            self._cancelled.clear()
            worker.end()
        return outcome.added_to(ended[0]) if isinstance(outcome, Looked) else outcome

    def cancel(self) -> None:
        """End the program that runs, or is about to, at once. Any thread may ask."""
        self._cancelled.set()


def _unanswered(none: NoAnswer, job: ProgramJob, *, begun: bool) -> tuple[int, Message]:
    """The exit status and the reason of a program that could not say what it did; one that has `begun` has written something."""
    if none.why is Why.CANCELLED:
        return KILLED, message("The program was cancelled.")
    if none.why is Why.LATE:
        return TIMED_OUT, message("Stopped after {seconds} s.", seconds=job.limits.seconds)
    if none.why is Why.TOO_LARGE:
        return KILLED, message("Stopped: more than {limit} MiB of memory.", limit=(job.limits.bytes + OWN_BYTES) // MIB)
    if none.how == "SIGABRT" and not begun:
        return CRASHED, message("The compiler that reads the program got no more memory, and ended: has it an array of very many objects?")
    return CRASHED, message("The process of the program ended unexpectedly: {how}.", how=none.how or "?")


def _stopped(written: list[bytes], began: float, status: int, reason: Message) -> ProgramRun:
    """Give the run of a program that could not say what it did."""
    output = b"".join(written).decode("utf-8", "surrogateescape")
    finding = HostFinding(Wrong.STOPPED, Location(0, 0), reason)
    end = Event(EventKind.END, Location(0, 0), 0.0, 0.0, output=len(output))
    return ProgramRun(output, status, findings=(finding,), seconds=time.monotonic() - began, events=(end,))


# What follows runs in the process.


def _run_here(job: ProgramJob | None, channel: WorkerChannel) -> ProgramOutcome | Looked:
    """Execute a program, and say what it writes. Where there is something to look for races in, say the run, and answer what was found."""
    from kernels.simt.host.execution import execute

    if job is PREPARE:
        import llvmlite.binding  # noqa: F401 - what compiles imports it as late as this

        job = channel.hear()
    assert job is not None

    records = None if job.look is None else Records()
    try:
        outcome = execute(
            job,
            lambda stream, data: channel.say((stream, data)),
            channel.say,
            lambda: _asked(channel),
            records,
            lambda name: _wanted(channel, name),
        )
    except MemoryError:
        return NotRun(message("There is not enough memory for this program."))
    except RecursionError:
        return NotRun(message("The text is nested too deeply."))
    except Exception as error:  # of ours: to be told, not to end the process
        return NotRun(message("The interpreter failed: {error}", error=f"{type(error).__name__}: {error}"))
    if job.look is None or records is None or isinstance(outcome, NotRun) or not any(True for _ in records):
        return outcome
    channel.say(replace(outcome, searching=True))
    try:
        return job.look(records)
    except Exception:  # of ours: the run is told without, and that nothing was looked at
        return Looked()


def _asked(channel: WorkerChannel) -> bytes:
    """Ask for more of standard input."""
    channel.say(None)
    found: bytes = channel.hear()
    return found


def _wanted(channel: WorkerChannel, name: str) -> Answer:
    """Ask for what is in a file."""
    channel.say(Wanted(name))
    found: Answer = channel.hear()
    return found
