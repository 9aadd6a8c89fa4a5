"""Every moment of every lesson of the program, with numbers put in the place of those that executing would find."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.lessons.current_lesson import LessonMoment, StepState, first_state
from app.core.lessons.lesson import Lesson

WIDE = 98_765.0
"""A number that takes as much room as any that lessons speak of."""


def moments_of(lesson: Lesson) -> Iterator[LessonMoment]:
    """As the presenter meets them: each step while it asks, and with all that it says."""
    for number, step in enumerate(lesson.steps):
        for stage in dict.fromkeys((first_state(step), StepState.TOLD)):
            yield LessonMoment(lesson, number, stage, numbers(lesson, number))


def numbers(lesson: Lesson, number: int) -> dict[str, float | frozenset[int]]:
    """A number for each name; lanes for the name whose lanes are asked for."""
    step = lesson.steps[number]
    lanes = "" if step.question is None else step.question.lanes
    return {name: frozenset(range(1, 16)) if name == lanes else WIDE for name in step.values}


def name_of(playing: LessonMoment) -> str:
    """For the list of tests."""
    return f"{playing.lesson.id}-{playing.step.name}-{playing.state}"
