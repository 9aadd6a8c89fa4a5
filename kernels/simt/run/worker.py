"""Kernels traced in a process of its own: with a deadline, a limit on memory, and an end at once when nobody wants the trace any more.

A text can make the compiler slow or crash it, a kernel can loop for ever or fill memory: nothing of that reaches this process.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypeVar

from kernels.base.messages import Message, message
from kernels.base.spec import PREPARED
from kernels.base.worker_process import NoAnswer, Why, WorkerProcess
from kernels.simt.base.launch import MIB, LaunchRequest
from kernels.simt.trace.launch_spec import CANCELLED, DIED, LaunchSpec, NotTraced, Outcome, Traced, not_begun, too_large, too_slow

if TYPE_CHECKING:
    from kernels.simt.run.reading import Read

COMPILING_S = 20.0
"""What starting the process, reading and lowering the text may take, by the clock: who asked waits for it."""
OWN_BYTES = 1024 * MIB
"""Memory for the compiler, the interpreter and the trace on its way here."""
COPIES = 4
"""How often the budget's bytes exist at once, at most: while executing, while the trace is put together, while it is sent."""


class Tracer:
    """Traces one job after the other in one process, which is started when needed and replaced when it had to be ended.

    A job that is given up takes its process with it, so that no late answer can be taken for another job's.
    """

    def __init__(self, answer: Callable[[LaunchSpec], object] | None = None) -> None:
        """`answer` is what the process does with a job: a function of a module, `trace_job` where none is given."""
        self._answer = answer or trace_job
        self._worker: WorkerProcess | None = None
        self._cancelled = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process now, so that the first job finds it ready. Raises OSError where the system starts none."""
        if self._worker is None or not self._worker.alive:
            self.close()
            self._worker = WorkerProcess(self._answer, "tracing")

    def trace(self, job: LaunchSpec) -> Outcome:
        """The outcome, after at most the launch's seconds and those for compiling. Never raises for what the job holds."""
        try:
            self.start()
        except OSError as error:
            return not_begun(error)
        assert self._worker is not None
        self._cancelled.clear()
        seconds = job.launch.budget.seconds + COMPILING_S
        try:
            outcome: Outcome = self._worker.ask(job, seconds, self._cancelled.is_set, most_bytes=allowed_bytes(job))
        except NoAnswer as none:
            return _unanswered(none.why, job, seconds)
        return outcome

    def cancel(self) -> None:
        """End the job that runs, at once: its `trace` returns CANCELLED. Does nothing where none runs. Any thread may ask."""
        self._cancelled.set()

    def close(self) -> None:
        """End the process. The next job starts another."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def _unanswered(why: Why, job: LaunchSpec, seconds: float) -> NotTraced:
    if why is Why.CANCELLED:
        return CANCELLED
    if why is Why.LATE:
        return too_slow(seconds)
    return too_large(allowed_bytes(job)) if why is Why.TOO_LARGE else DIED


def allowed_bytes(job: LaunchSpec) -> int:
    """The memory that the process may take for a job."""
    return OWN_BYTES + COPIES * job.launch.budget.bytes


# What follows runs in the process.


T = TypeVar("T")


def trace_job(job: LaunchSpec) -> Outcome:
    """Parse, lower and execute."""
    return guarded(_traced, job)


def guarded(answer: Callable[[LaunchSpec], T], job: LaunchSpec) -> T | NotTraced:
    """What `answer` says of a job within its memory, or why it could not be worked out. Never raises for what the job holds."""
    try:
        with _limited(allowed_bytes(job)):
            return answer(job)
    except MemoryError:
        return too_large(allowed_bytes(job))
    except RecursionError:
        return NotTraced(message("The text is nested too deeply."))
    except Exception as error:  # of ours: to be told, not to end the process
        return NotTraced(message("The interpreter failed: {error}", error=f"{type(error).__name__}: {error}"))


@contextlib.contextmanager
def _limited(size: int) -> Iterator[None]:
    """Allocations fail beyond `size` bytes more than now, where the system can do that; elsewhere the other side watches alone."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    import psutil

    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = psutil.Process().memory_info().vms + size
    with contextlib.suppress(ValueError, OSError):  # a hard limit that is lower stays
        resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def prepare(job: LaunchSpec) -> tuple[Read, LaunchRequest] | NotTraced:
    """The kernel of a job and its launch with all arguments, or why it cannot be executed."""
    from kernels.simt.run.arguments import with_arguments
    from kernels.simt.run.reading import read

    found = read(job)
    if isinstance(found, NotTraced):
        return found
    launch = with_arguments(found.kernel, job.launch, job.texts)
    if isinstance(launch, Message):
        return NotTraced(launch, kernels=found.kernels)
    if job.before is not None:
        prepared = _traced(job.before)
        if isinstance(prepared, NotTraced):
            return prepared
        launch = replace(launch, arguments={**launch.arguments, PREPARED: prepared.trace.values[PREPARED]})
    return found, launch


def _traced(job: LaunchSpec) -> Outcome:
    from kernels.simt.frontend.diagnostics import Diagnostic, Severity
    from kernels.simt.run.execution import NotExecuted, execute

    prepared = prepare(job)
    if isinstance(prepared, NotTraced):
        return prepared
    found, launch = prepared
    try:
        return Traced(execute(found.kernel, launch, job.text, found.kernel_cache), found.diagnostics, found.kernels, found.flows)
    except NotExecuted as error:
        at = error.location
        places = () if at is None else (Diagnostic(at.line, at.column, Severity.ERROR, error.reason, at.file),)
        return NotTraced(error.reason, places, found.kernels)
