"""Lesson metrics of the schedules of a launch's first data race: how many were tried, and what the one that breaks it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import Subject
from app.core.lesson_metrics.metric import Metric, Value
from kernels.base.messages import Message
from kernels.exploration.breaking_schedules import Interleavings, Played, schedules_of_race
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Finding

Count = Callable[[LaunchIndex, Metric], Value | Message]
KEPT = 4
"""Searches that are kept: several lesson metrics speak of one."""


def _of_search(number: Callable[[Interleavings], float]) -> Count:
    """A number of what was found, whether a schedule breaks the race or not; 0 where there is no race."""

    def count(index: LaunchIndex, _fact: Metric) -> Value | Message:
        race = next((each for each in index.record.findings if each.kind is FindingKind.DATA_RACE), None)
        if race is None:
            return 0.0
        found = _searched(index.subject, race)
        return found.reason if isinstance(found, NotTraced) else number(found)

    return count


@lru_cache(maxsize=KEPT)
def _searched(subject: Subject, race: Finding) -> Interleavings | NotTraced:
    return schedules_of_race(subject, race)


def _turns(played: Played | None) -> float:
    return float(len(played.turns)) if played is not None else 0.0


COUNTS: Mapping[str, Count] = {
    "schedules_tried": _of_search(lambda found: float(found.tried)),
    "breaking_turns": _of_search(lambda found: _turns(found.breaks)),
    "working_turns": _of_search(lambda found: _turns(found.works)),
    "wrong_elements": _of_search(lambda found: float(found.count)),
}
"""Turns and elements are 0 where no schedule that was tried changes the result."""
