"""What the tracing process does: it alone imports the interpreters, the models and the checks."""

from __future__ import annotations

from app.core.challenges.challenge import CheckQuestion
from app.core.challenges.check import check
from app.core.facts.answer import answer_facts
from app.core.facts.fact import FactQuestion, SubjectQuestion
from app.core.launch.cost import answer
from app.core.launch.cost_question import CostQuestion
from app.core.launch.execute import execute
from app.core.launch.subject import Subject
from app.core.nest.answer import answer_caches
from app.core.nest.question import CacheQuestion
from app.core.predictions.answer import answer_prediction
from app.core.predictions.question import PredictionQuestion
from app.core.trace_worker import LoopNest, Outcome, Question, Work
from kernels.catalog import find
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.messages import Message, message
from kernels.simt.worker import NotTraced

SEED = 1


def outcome_of(work: Work | Question) -> Outcome:
    """The outcome of anything that can be asked; never raises."""
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
    return execute(subject)


def _loop_nest(work: LoopNest) -> Trace | NotTraced:
    variant = find(work.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=work.variant_id))
    try:
        return trace(variant, work.problem, work.parameters, SEED)
    except TraceTooLarge as too_large:
        return NotTraced(too_large.reason)
