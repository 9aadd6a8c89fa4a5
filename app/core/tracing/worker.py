"""The process that traces kernels, and this side's end of the pipe to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from app.core.base.question import Answer, Question
from app.core.cpu_view.cache_question import CacheAnswer
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import LaunchSpec
from kernels.base.messages import message
from kernels.base.spec import Parameters, Problem
from kernels.base.worker_process import WorkerDied, WorkerProcess
from kernels.cpusim.trace import Trace
from kernels.simt.trace.job import NotTraced


@dataclass(frozen=True, slots=True)
class CpuTraceJob:
    """Job of the tracing process: a CPU variant to be traced."""

    variant_id: str
    problem: Problem
    parameters: Parameters


Work = CpuTraceJob | LaunchSpec
"""What can be traced: a CPU variant, or a CUDA launch."""
Outcome = Trace | LaunchRecord | CacheAnswer | Answer | NotTraced
"""A trace, a record or the answer to a question, or the reason why there is none."""

Answering = Callable[[Work | Question], Outcome]
"""What the process does with what it is sent."""

_DIED = NotTraced(message("The tracing process ended unexpectedly; the next trace starts a new one."))
_ARE_YOU_THERE = None


class TraceWorker:
    """A running process that traces one kernel after the other. It ends with this process, however that ends."""

    def __init__(self, answer: Answering) -> None:
        """Raises OSError where the system starts no process. `answer` is called there; it must not be a closure."""
        self._process = WorkerProcess(partial(_reply, answer), "tracing")
        self.connection = self._process.connection
        self.began = time.monotonic()
        self.ready = False
        """Whether the process has started and imported what it needs: on a busy machine that takes longer than many a trace."""
        self._process.send(_ARE_YOU_THERE)

    @property
    def alive(self) -> bool:
        return self._process.alive

    @property
    def pid(self) -> int:
        return self._process.pid

    def arrive(self) -> NotTraced | None:
        """Take in that the process has started, once `connection` can be read; or why it has not."""
        try:
            self._process.receive()
        except WorkerDied:
            return _DIED
        self.ready = True
        return None

    def send(self, work: Work | Question) -> None:
        """Ask a process that is ready; `connection` can be read when there is an outcome, and also when the process has died."""
        self._process.send(work)

    def receive(self) -> Outcome:
        """The outcome that the process sent, or that it died."""
        try:
            outcome: Outcome = self._process.receive()
        except WorkerDied:
            return _DIED
        return outcome

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.end()


def _reply(answer: Answering, work: Work | Question | None) -> Outcome | None:
    return _ARE_YOU_THERE if work is _ARE_YOU_THERE else answer(work)
