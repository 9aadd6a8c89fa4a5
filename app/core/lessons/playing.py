"""A moment of a lesson that is being played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.core.facts.fact import Value
from app.core.lessons.asking import Answer, Judged
from app.core.lessons.lesson import Lesson, QuestionKind, Step
from app.core.session import Workspace
from kernels.messages import Message


class Stage(StrEnum):
    """What a step waits for."""

    ASKING = "asking"
    """An answer."""
    WAITING = "waiting"
    """An action."""
    TOLD = "told"
    """Nothing: all is said."""


@dataclass(frozen=True, slots=True)
class Playing:
    """Which step, and what is known. `given` is an answer that cannot be judged yet; `answers` are those of all steps, by number."""

    lesson: Lesson
    number: int
    stage: Stage = Stage.TOLD
    numbers: Mapping[str, Value | Message] = field(default_factory=dict)
    given: Answer | None = None
    answers: Mapping[int, Judged | Message] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def judged(self) -> Judged | Message | None:
        """What became of the answer to this step's question."""
        return self.answers.get(self.number)

    @property
    def last(self) -> bool:
        return self.number + 1 == len(self.lesson.steps)


def first_stage(step: Step) -> Stage:
    """What a step waits for when it is entered."""
    return Stage.ASKING if step.question is not None else Stage.WAITING if step.action is not None else Stage.TOLD


def waits_to_show(step: Step) -> bool:
    """Whether what the scene shows is what is asked for: then the stage comes to it with the answer."""
    scene, question = step.scene, step.question
    if scene is None or question is None or question.kind is QuestionKind.LANE:
        return False
    return scene.before and (bool(scene.line) or scene.snapshot.workspace is Workspace.TIMING or scene.snapshot.run > 0)


def scene_number(lesson: Lesson, number: int) -> int | None:
    """The step whose scene a step shows: itself, or the last one before it that has one; None where none has."""
    return next((each for each in range(number, -1, -1) if lesson.steps[each].scene is not None), None)
