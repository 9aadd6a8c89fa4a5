"""Programs run in a process of their own, one each: with a deadline, a limit on memory, and an end at once when that is asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from kernels.base.messages import Message, message
from kernels.base.worker_process import WorkerDied, WorkerProcess
from kernels.simt.base.launch import MIB
from kernels.simt.base.types import Location
from kernels.simt.host.result import Event, EventKind, HostFinding, NotRun, ProgramJob, ProgramOutcome, ProgramRun, Wrong
from kernels.simt.run.worker import resident_bytes

COMPILING_S = 30.0
"""What reading and compiling may take, the first time with all that has to be imported."""
GRACE_S = 5.0
"""How long a process may take to say what it knows once its time is over."""
WATCH_S = 0.05
OWN_BYTES = 2048 * MIB
"""Memory for the compilers, the interpreter and the records of launches."""
KILLED, CRASHED, TIMED_OUT = 137, 139, 124
Write = Callable[[int, bytes], None]


class Programs:
    """Runs one program after the other, each in a new process."""

    def __init__(self) -> None:
        self._worker: WorkerProcess | None = None
        self._lock = threading.Lock()
        self._cancelled = False

    def run(self, job: ProgramJob, write: Write) -> ProgramOutcome:
        """Run a program; `write` is given what it writes, as it does: the stream's number (1 or 2) and the bytes. Never raises for what
        the program does."""
        try:
            worker = WorkerProcess(_run_here, "program", talks=True)
        except OSError as error:
            return NotRun(message("The process for the program could not be started: {error}", error=str(error)))
        with self._lock:
            self._worker = worker
            if self._cancelled:  # while the process was being started
                worker.kill()
        written: list[bytes] = []
        began = time.monotonic()
        try:
            worker.send(job)
            return self._follow(worker, job, write, written, began)
        except WorkerDied:
            return _stopped(written, began, *self._death(worker))
        finally:
            with self._lock:
                self._worker, self._cancelled = None, False
            worker.end()

    def cancel(self) -> None:
        """End the program that runs, or is about to, at once. Any thread may ask."""
        with self._lock:
            self._cancelled = True
            if self._worker is not None:
                self._worker.kill()

    def _follow(self, worker: WorkerProcess, job: ProgramJob, write: Write, written: list[bytes], began: float) -> ProgramOutcome:
        """Hand on what the program writes, until it has ended or must end."""
        seconds = job.limits.seconds + COMPILING_S + GRACE_S
        while True:
            if worker.connection.poll(WATCH_S):
                said = worker.receive()
                if not isinstance(said, tuple):
                    outcome: ProgramOutcome = said
                    return outcome
                if said[0] == 1:
                    written.append(said[1])
                write(*said)
            elif time.monotonic() - began > seconds:
                text = message("Stopped after {seconds} s.", seconds=job.limits.seconds)
                return _stopped(written, began, TIMED_OUT, text)
            elif resident_bytes(worker.pid) > job.limits.bytes + OWN_BYTES:
                text = message("Stopped: more than {limit} MiB of memory.", limit=(job.limits.bytes + OWN_BYTES) // MIB)
                return _stopped(written, began, KILLED, text)

    def _death(self, worker: WorkerProcess) -> tuple[int, Message]:
        if self._cancelled:
            return KILLED, message("The program was cancelled.")
        return CRASHED, message("The process of the program ended unexpectedly: {how}.", how=worker.how_it_ended or "?")


def _stopped(written: list[bytes], began: float, status: int, reason: Message) -> ProgramRun:
    """Give the run of a program that could not say what it did."""
    output = b"".join(written).decode("utf-8", "surrogateescape")
    finding = HostFinding(Wrong.STOPPED, Location(0, 0), reason)
    end = Event(EventKind.END, Location(0, 0), 0.0, 0.0, output=len(output))
    return ProgramRun(output, status, findings=(finding,), seconds=time.monotonic() - began, events=(end,))


# What follows runs in the process.


def _run_here(job: ProgramJob, connection: Connection) -> ProgramOutcome:
    """Execute a program, and say what it writes."""
    from kernels.simt.host.execution import execute

    try:
        return execute(job, lambda stream, data: connection.send((stream, data)))
    except MemoryError:
        return NotRun(message("There is not enough memory for this program."))
    except RecursionError:
        return NotRun(message("The text is nested too deeply."))
    except Exception as error:  # of ours: to be told, not to end the process
        return NotRun(message("The interpreter failed: {error}", error=f"{type(error).__name__}: {error}"))
