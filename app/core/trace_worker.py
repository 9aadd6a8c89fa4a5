"""The process that traces kernels, and this side's end of the pipe to it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from app.core.challenges.challenge import CheckQuestion, Verdict
from app.core.facts.fact import FactAnswers, FactQuestion, SubjectQuestion
from app.core.launch.cost_question import CostQuestion, LaunchCost
from app.core.launch.record import LaunchRecord
from app.core.launch.subject import Subject
from app.core.nest.question import CacheAnswer, CacheQuestion
from app.core.predictions.question import Beside, PredictionQuestion
from kernels.cpusim.trace import Trace
from kernels.messages import message
from kernels.simt.worker import NotTraced
from kernels.spec import Parameters, Problem
from kernels.worker import WorkerDied, WorkerProcess


@dataclass(frozen=True, slots=True)
class LoopNest:
    """A CPU variant to be traced."""

    variant_id: str
    problem: Problem
    parameters: Parameters


Work = LoopNest | Subject
"""What can be traced: a CPU variant, or a CUDA launch."""
Question = CostQuestion | CacheQuestion | PredictionQuestion | FactQuestion | SubjectQuestion | CheckQuestion
"""What is asked besides, when nothing is to be traced."""
Outcome = Trace | LaunchRecord | LaunchCost | CacheAnswer | Beside | FactAnswers | Verdict | NotTraced
"""A trace, a record or the answer to a question, or the reason why there is none."""

_DIED = NotTraced(message("The tracing process ended unexpectedly; the next trace starts a new one."))
_ARE_YOU_THERE = None


class TraceWorker:
    """A running process that traces one kernel after the other. It ends with this process, however that ends."""

    def __init__(self) -> None:
        """Raises OSError where the system starts no process."""
        self._process = WorkerProcess(_outcome, "tracing")
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


def _outcome(work: Work | Question | None) -> Outcome | None:
    """What answers is imported where it answers, not where it is asked for."""
    from app.core.trace_work import outcome_of

    return _ARE_YOU_THERE if work is _ARE_YOU_THERE else outcome_of(work)
