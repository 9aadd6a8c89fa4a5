"""What an open question is about: where the numbers come from that would tell its answer."""

from __future__ import annotations

from collections.abc import Iterable

from app.core.facts.counters import COUNTERS
from app.core.facts.expression import Expression
from app.core.facts.fact import Fact, Source
from app.core.lessons.lesson import Question, Step
from app.core.lessons.playing import Playing, Stage

PREDICTED = frozenset({Source.LAUNCH, Source.SETTING})
"""Where what a profiler counted is predicted from."""


def sources_asked(playing: Playing | None) -> frozenset[Source]:
    """While an answer is awaited: the sources of the numbers that decide it, all where they stand in the lesson alone. None are asked of a
    step whose scene is meant to be looked at beforehand."""
    if playing is None or playing.stage is not Stage.ASKING or playing.step.question is None:
        return frozenset()
    step, scene = playing.step, playing.step.scene
    if scene is not None and not scene.before:
        return frozenset()
    facts = tuple(_facts(step, _names(playing.step.question)))
    sources = {fact.source for fact in facts}
    if any(fact.count in COUNTERS for fact in facts):
        sources |= PREDICTED
    return frozenset(sources or Source)


def _names(question: Question) -> set[str]:
    """The numbers that the right answer is worked out from."""
    calculations = [question.answer, *(choice.holds for choice in question.choices)]
    names = {name for each in calculations if each is not None for name in each.names}
    return names | ({question.lanes} if question.lanes else set())


def _facts(step: Step, names: Iterable[str]) -> Iterable[Fact]:
    """What must be found for numbers of these names. A calculation uses only what stands above it, so that this ends."""
    for name in names:
        value = step.values.get(name)
        if isinstance(value, Expression):
            yield from _facts(step, value.names)
        elif value is not None:
            yield value
