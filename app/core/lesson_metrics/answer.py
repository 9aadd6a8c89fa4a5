"""Answers to every kind of lesson metric, among them whether ranks get through their blocking calls, and the share of a program's copies.

Answering takes as long as executing takes: it is done in a tracing process, and by tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from app.core.execution.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject, subject_of
from app.core.lesson_metrics.cpu_kernels import CACHE_COUNTS as OF_CACHES
from app.core.lesson_metrics.cpu_kernels import TEAM_COUNTS as OF_TEAMS
from app.core.lesson_metrics.cpu_kernels import count_in_caches, count_of_team
from app.core.lesson_metrics.launches import COUNTS as OF_LAUNCHES
from app.core.lesson_metrics.launches import count_of_launch
from app.core.lesson_metrics.metric import Metric, MetricAnswers, MetricQuestion, RunQuestion, Source, SubjectQuestion, Value
from app.core.lesson_metrics.programs import COPY_SHARE, count_of_run
from app.core.lesson_metrics.programs import COUNTS as OF_PROGRAMS
from app.core.lesson_metrics.records import BEST_CPU, COUNTERS, CROSSOVERS, HOLDS, USES, count_published, count_recorded
from app.core.lesson_metrics.records import COUNTS as OF_RESULTS
from app.core.lesson_metrics.rounding import COUNTS as OF_ROUNDING
from app.core.lesson_metrics.rounding import count_of_rounding
from app.core.lesson_metrics.settings import COUNTS as OF_SETTINGS
from app.core.lesson_metrics.settings import count_of_setting
from app.core.predictions.launch_time import LaunchWork, LaunchWorkQuestion, time_on, work_of
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.base.limits import refuse_execution
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.catalogue.case import Case
from kernels.mpi.deadlock_check import Call, Outcome, calls_of, exchange
from kernels.simt.host.result import EventKind, Launched, ProgramRun
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

COUNTS: Mapping[str, Callable[[Outcome], float]] = {
    "stuck_ranks": lambda outcome: float(len(outcome.stuck)),
    "rounds": lambda outcome: float(outcome.rounds),
}


def count_of_exchange(metric: Metric) -> Value | Message:
    """Return a lesson metric about ranks that all call `every`, but rank 0 `zero` and those of odd number `odd` where these are given."""
    setting = metric.of
    if setting.variant.device is not Device.MPI:
        return message("{variant} sends no messages.", variant=setting.variant.id)
    ranks = setting.parameters.get("ranks", 2)
    programs: list[tuple[Call, ...]] = []
    for rank in range(ranks):
        calls = calls_of(_text(metric, rank), rank, ranks)
        if isinstance(calls, Message):
            return calls
        programs.append(calls)
    return COUNTS[metric.count](exchange(programs, buffered=bool(metric.number("buffered"))))


def _text(metric: Metric, rank: int) -> str:
    every = metric.text("every")
    if rank == 0:
        return metric.text("zero", every)
    return metric.text("odd", every) if rank % 2 else every


OF_A_SETTING: Mapping[str, Callable[[Metric], Value | Message]] = {
    **dict.fromkeys(OF_SETTINGS, count_of_setting),
    **dict.fromkeys(OF_ROUNDING, count_of_rounding),
    **dict.fromkeys(COUNTS, count_of_exchange),
}
"""What finds the counts that need no execution."""
KNOWN: Mapping[Source, tuple[str, ...]] = {
    Source.LAUNCH: tuple(OF_LAUNCHES),
    Source.CACHES: tuple(OF_CACHES),
    Source.TEAM: tuple(OF_TEAMS),
    Source.RECORDED: (*OF_RESULTS, *USES, *CROSSOVERS, *HOLDS, *COUNTERS, BEST_CPU),
    Source.PUBLISHED: tuple(OF_RESULTS),
    Source.SETTING: tuple(OF_A_SETTING),
    Source.PROGRAM: (*OF_PROGRAMS, COPY_SHARE),
}
"""The counts of each source."""
KEPT = 4
"""Executions that are kept: several lesson metrics speak of one."""


def answer_metrics(question: MetricQuestion | SubjectQuestion | RunQuestion) -> MetricAnswers:
    """Answer all lesson metrics that were asked, each with a value or why it could not be found."""
    if isinstance(question, RunQuestion):
        run = question.run
        return MetricAnswers(
            tuple(
                copy_share(run, question.text, metric) if metric.count == COPY_SHARE else count_of_run(run, metric)
                for metric in question.metrics
            )
        )
    if isinstance(question, SubjectQuestion):
        executed = _index(question.subject)
        return MetricAnswers(
            tuple(executed if isinstance(executed, Message) else count_of_launch(executed, metric) for metric in question.metrics)
        )
    return MetricAnswers(tuple(answer(metric) for metric in question.metrics))


def answer(metric: Metric) -> Value | Message:
    """Return the value of one lesson metric, or why it has none."""
    match metric.source:
        case Source.LAUNCH:
            executed = _execution(metric.of, metric.text("profile", DEFAULT_PROFILE))
            return executed if isinstance(executed, Message) else count_of_launch(executed, metric)
        case Source.CACHES:
            return count_in_caches(metric)
        case Source.TEAM:
            return count_of_team(metric)
        case Source.RECORDED:
            return count_recorded(metric)
        case Source.PUBLISHED:
            return count_published(metric)
        case Source.SETTING:
            return OF_A_SETTING[metric.count](metric)
        case Source.PROGRAM:
            return message("{name} was not run.", name=metric.kernel)


@lru_cache(maxsize=KEPT)
def _execution(setting: Case, profile: str) -> LaunchIndex | Message:
    variant = setting.variant
    reason = refuse_execution(variant)
    if reason is not None:
        return reason
    return _index(subject_of(variant, setting.problem, setting.parameters, profile_named(profile)))


def _index(subject: Subject) -> LaunchIndex | Message:
    outcome = execute(subject)
    return outcome.reason if isinstance(outcome, NotTraced) else LaunchIndex(subject, outcome)


def copy_share(run: ProgramRun, text: str, metric: Metric) -> Value | Message:
    """Return the copies' share, from 0 to 1, in the time of a program's copies and launches: by the simulated clock, and by the time model
    of the GPU that the option `profile` names; or why it is not known."""
    copies = sum(event.ended - event.began for event in run.events if event.kind is EventKind.COPY)
    launches, profile = 0.0, profile_named(metric.text("profile", DEFAULT_PROFILE))
    for launched in run.launches:
        if launched.refused is not None:
            continue
        work = _work(launched, text)
        if isinstance(work, NotTraced):
            return work.reason
        time = time_on(work, profile)
        if isinstance(time, Message):
            return time
        launches += time.milliseconds
    if not copies + launches:
        return message("The program copies and launches nothing.")
    return copies / (copies + launches)


def _work(launched: Launched, text: str) -> LaunchWork | NotTraced:
    if launched.request is None:
        return NotTraced(message("{kernel} ran, but what it worked on is too large to be kept.", kernel=launched.entry))
    return work_of(LaunchWorkQuestion(LaunchSpec(text, launched.entry, launched.request)))
