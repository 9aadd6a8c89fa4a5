"""The process that traces kernels, and this side's end of the pipe to it."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.challenges.challenge import CheckQuestion, Verdict
from app.core.challenges.check import check
from app.core.facts.answer import answer_facts
from app.core.facts.fact import FactAnswers, FactQuestion, SubjectQuestion
from app.core.launch.cost import CostQuestion, LaunchCost, answer
from app.core.launch.record import LaunchRecord
from app.core.launch.subject import Subject
from app.core.nest.question import CacheAnswer, CacheQuestion, answer_caches
from app.core.predictions.question import Beside, PredictionQuestion, answer_prediction
from kernels.catalog import find
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message
from kernels.simt.worker import NotTraced
from kernels.spec import Parameters, Problem
from kernels.worker import WorkerDied, WorkerProcess

SEED = 1


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


class TraceWorker:
    """A running process that traces one kernel after the other. It ends with this process, however that ends."""

    def __init__(self) -> None:
        """Raises OSError where the system starts no process."""
        self._process = WorkerProcess(_outcome, "tracing")
        self.connection = self._process.connection

    @property
    def alive(self) -> bool:
        return self._process.alive

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, work: Work | Question) -> None:
        """Ask for a trace; `connection` can be read when there is an outcome, and also when the process has died."""
        self._process.send(work)

    def receive(self) -> Outcome:
        """The outcome that the process sent, or that it died."""
        try:
            outcome: Outcome = self._process.receive()
        except WorkerDied:
            return NotTraced(message("The tracing process ended unexpectedly; the next trace starts a new one."))
        return outcome

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        self._process.end()


def _outcome(work: Work | Question) -> Outcome:
    try:
        if isinstance(work, CostQuestion):
            return answer(work)
        if isinstance(work, CacheQuestion):
            return answer_caches(work)
        if isinstance(work, CheckQuestion):
            return check(work)
        if isinstance(work, FactQuestion | SubjectQuestion):
            return answer_facts(work)
        if isinstance(work, PredictionQuestion):
            predicted = answer_prediction(work)
            return NotTraced(predicted) if isinstance(predicted, Message) else predicted
        return _launch(work) if isinstance(work, Subject) else _loop_nest(work)
    except Exception as error:  # a kernel may raise anything
        return NotTraced(message("The kernel stopped with an error: {error}", error=f"{type(error).__name__}: {error}"))


def _launch(subject: Subject) -> Outcome:
    from app.core.launch.execute import execute

    return execute(subject)


def _loop_nest(work: LoopNest) -> Trace | NotTraced:
    variant = find(work.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=work.variant_id))
    try:
        return trace(variant, work.problem, work.parameters, SEED)
    except TraceTooLarge as too_large:
        return NotTraced(too_large.reason)
