"""Handlers of the tracing process, by what is asked: traces, caches, predictions, checks, lesson metrics.

Each takes as long as executing takes. They alone import the interpreters, the models and the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.core.base.question import Question
from app.core.challenges.challenge import CheckQuestion
from app.core.challenges.check import check
from app.core.cpu_view.cache_question import CacheAnswer, CacheQuestion, CountsQuestion, HistoryQuestion
from app.core.execution.execute import answer_cost, answer_edge, answer_plan, answer_race, execute
from app.core.execution.questions import CostQuestion, EdgeQuestion, EdgesQuestion, RaceQuestion
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.answer import answer_metrics
from app.core.lesson_metrics.metric import MetricQuestion, RunQuestion, SubjectQuestion
from app.core.predictions.counters import Measured
from app.core.predictions.launch_time import LaunchWorkQuestion, work_of
from app.core.predictions.predicted_and_measured import compare
from app.core.predictions.prediction import predict
from app.core.predictions.question import Beside, PredictionQuestion
from app.core.predictions.recorded_counters import recorded_counters, recorded_time
from app.core.predictions.variant_time import LIMITS, error_text, model_time
from app.core.tracing.work import Outcome, Work
from kernels.base.messages import Message, message
from kernels.cachesim.count import count
from kernels.cachesim.history import history
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.cpusim.execute import TraceTooLarge, trace
from kernels.cpusim.trace import Trace
from kernels.simt.trace.launch_spec import NotTraced


def answer_caches(question: CacheQuestion) -> CacheAnswer | NotTraced:
    """Counts or history of the caches, or why there are none. The first question about a variant compiles it."""
    asked = question.execution.case
    variant = find(asked.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=asked.variant_id))
    execution = variant, asked.problem, asked.parameters, question.execution.hierarchy
    found = history(*execution) if isinstance(question, HistoryQuestion) else count(*execution, classified=question.classified)
    return found if isinstance(found, CacheAnswer) else NotTraced(found)


def answer_prediction(question: PredictionQuestion) -> Beside | Message:
    """Predicted beside measured counters of a launch, or why there are none."""
    point, profile = question.point, question.profile
    prediction = predict(point.variant, point.problem, point.parameters, profile)
    if isinstance(prediction, Message):
        return prediction
    model = model_time(prediction)
    words = model
    if not isinstance(model, Message):
        recorded = recorded_time(profile.id, point)
        words = message(
            "Time model: {milliseconds} ms, limited by: {limit}", milliseconds=model.milliseconds, limit=LIMITS[model.longest.limit]
        )
        if recorded is not None:
            words = message(
                "{model}; recorded: {milliseconds} ms, error {error}",
                model=words, milliseconds=recorded, error=error_text(model, recorded),
            )  # fmt: skip
    assert isinstance(words, Message)
    values, source = _values(question)
    return Beside(compare(prediction, values) if values else (), source, words)


def _values(question: PredictionQuestion) -> tuple[Measured | None, Message | None]:
    if question.imported is not None:
        return question.imported, message("Measured: imported from Nsight Compute")
    recording, point = recorded_counters(question.profile.id), question.point
    found = None if recording is None else recording.find(point.variant_id, point.problem, point.parameters)
    if recording is None or found is None:
        return None, None
    return found, message("Measured: recorded on {gpu}", gpu=str(recording.conditions["gpu"]))


SEED = 1


def outcome_of(work: Work | Question) -> Outcome:
    """The outcome of anything that can be asked; never raises."""
    try:
        outcome: Outcome = ANSWERS[type(work)](work)
    except Exception as error:  # a kernel may raise anything
        return NotTraced(message("The kernel stopped with an error: {error}", error=f"{type(error).__name__}: {error}"))
    return outcome


def _predicted(question: PredictionQuestion) -> Beside | NotTraced:
    predicted = answer_prediction(question)
    return NotTraced(predicted) if isinstance(predicted, Message) else predicted


def _loop_nest(work: Case) -> Trace | NotTraced:
    variant = find(work.variant_id)
    if variant is None:
        return NotTraced(message("There is no variant {variant}.", variant=work.variant_id))
    try:
        return trace(variant, work.problem, work.parameters, SEED)
    except TraceTooLarge as too_large:
        return NotTraced(too_large.reason)


ANSWERS: Mapping[type, Callable[[Any], Outcome]] = {
    Subject: execute,
    Case: _loop_nest,
    CostQuestion: answer_cost,
    RaceQuestion: answer_race,
    HistoryQuestion: answer_caches,
    CountsQuestion: answer_caches,
    PredictionQuestion: _predicted,
    LaunchWorkQuestion: work_of,
    MetricQuestion: answer_metrics,
    SubjectQuestion: answer_metrics,
    RunQuestion: answer_metrics,
    CheckQuestion: check,
    EdgesQuestion: answer_plan,
    EdgeQuestion: answer_edge,
}
"""To ask something new: a frozen question, its answer, and a row here."""
