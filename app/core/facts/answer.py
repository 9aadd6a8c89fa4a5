"""The answer to any fact. It takes as long as executing takes: this is called in a tracing process, and by tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from app.core.facts.caches import COUNTS as OF_CACHES
from app.core.facts.caches import count_in_caches
from app.core.facts.counters import COUNTERS
from app.core.facts.exchanges import COUNTS as OF_EXCHANGES
from app.core.facts.exchanges import count_of_exchange
from app.core.facts.fact import Fact, FactAnswers, FactQuestion, Setting, Source, SubjectQuestion, Value
from app.core.facts.launches import COUNTS as OF_LAUNCHES
from app.core.facts.launches import count_of_launch
from app.core.facts.orders import HOLDS
from app.core.facts.records import BEST_CPU, CROSSOVERS, USES, count_published, count_recorded
from app.core.facts.records import COUNTS as OF_RESULTS
from app.core.facts.rounding import COUNTS as OF_ROUNDING
from app.core.facts.rounding import count_of_rounding
from app.core.facts.settings import COUNTS as OF_SETTINGS
from app.core.facts.settings import count_of_setting
from app.core.facts.teams import COUNTS as OF_TEAMS
from app.core.facts.teams import count_of_team
from app.core.launch.execute import execute
from app.core.launch.index import LaunchIndex
from app.core.launch.subject import Subject, subject_of
from app.core.session import DEFAULT_PROFILE, profile_named
from kernels.messages import Message, message
from kernels.simt.worker import NotTraced

OF_A_SETTING: Mapping[str, Callable[[Fact], Value | Message]] = {
    **dict.fromkeys(OF_SETTINGS, count_of_setting),
    **dict.fromkeys(OF_ROUNDING, count_of_rounding),
    **dict.fromkeys(OF_EXCHANGES, count_of_exchange),
}
"""What finds the counts that need no execution."""
KNOWN: Mapping[Source, tuple[str, ...]] = {
    Source.LAUNCH: tuple(OF_LAUNCHES),
    Source.CACHES: tuple(OF_CACHES),
    Source.TEAM: tuple(OF_TEAMS),
    Source.RECORDED: (*OF_RESULTS, *USES, *CROSSOVERS, *HOLDS, *COUNTERS, BEST_CPU),
    Source.PUBLISHED: tuple(OF_RESULTS),
    Source.SETTING: tuple(OF_A_SETTING),
}
"""The counts of each source."""
KEPT = 4
"""Executions that are kept: several facts speak of one."""


def answer_facts(question: FactQuestion | SubjectQuestion) -> FactAnswers:
    """All that was asked, each a value or why it could not be found."""
    if isinstance(question, SubjectQuestion):
        executed = _index(question.subject)
        return FactAnswers(tuple(executed if isinstance(executed, Message) else count_of_launch(executed, fact) for fact in question.facts))
    return FactAnswers(tuple(answer(fact) for fact in question.facts))


def answer(fact: Fact) -> Value | Message:
    """One fact."""
    match fact.source:
        case Source.LAUNCH:
            executed = _execution(fact.of, fact.text("profile", DEFAULT_PROFILE))
            return executed if isinstance(executed, Message) else count_of_launch(executed, fact)
        case Source.CACHES:
            return count_in_caches(fact)
        case Source.TEAM:
            return count_of_team(fact)
        case Source.RECORDED:
            return count_recorded(fact)
        case Source.PUBLISHED:
            return count_published(fact)
        case Source.SETTING:
            return OF_A_SETTING[fact.count](fact)


@lru_cache(maxsize=KEPT)
def _execution(setting: Setting, profile: str) -> LaunchIndex | Message:
    variant = setting.variant
    if not variant.interpreted:
        return variant.measured_only or message("{variant} is not a CUDA kernel: there is nothing to execute.", variant=variant.id)
    return _index(subject_of(variant, setting.problem, setting.parameters, profile_named(profile)))


def _index(subject: Subject) -> LaunchIndex | Message:
    outcome = execute(subject)
    return outcome.reason if isinstance(outcome, NotTraced) else LaunchIndex(subject, outcome)
