"""Progress in lessons: how far each was, and what was answered rightly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.core.base.background import BackgroundTasks
from app.core.base.files.documents import kept_object
from app.core.base.files.json_store import Form, JsonStore
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Judged
from app.core.lessons.lesson import Lesson
from kernels.base.values import dataclass

FORMAT = "tilescope progress 1"


@dataclass(frozen=True, slots=True)
class Course:
    """Progress in one lesson, by the names of its steps: where it was left, which are done, and which questions were last answered
    rightly.
    """

    at: str = ""
    done: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StepCount:
    """Numbers of steps and questions of a lesson as it is now: how many there are, how many are done or right."""

    steps: int
    done: int
    asked: int
    right: int

    @property
    def over(self) -> bool:
        return self.done == self.steps


class LessonProgress(JsonStore[Course]):
    """Progress in all lessons, kept in a file; `courses` by lesson."""

    def __init__(self, file: Path | None, background_tasks: BackgroundTasks) -> None:
        """Without a file nothing is kept."""
        super().__init__(file, background_tasks, Form("progress", FORMAT, read_progress, text_of, _joined))
        self.courses = self.entries

    def note(self, playing: LessonMoment) -> None:
        """Take over what a moment of a lesson tells."""
        key, name = key_of(playing.lesson), playing.step.name
        course = replace(self.courses.value.get(key, Course()), at=name)
        if playing.state is StepState.TOLD:
            course = replace(course, done=course.done | {name})
        if isinstance(judged := playing.judged, Judged):
            course = replace(course, right=course.right | {name} if judged.correct else course.right - {name})
        self.put(key, course)

    def place_of(self, lesson: Lesson) -> int:
        """The number of the step to go on with: where the lesson was left, its beginning where it is over or was never begun."""
        if self.steps_of(lesson).over:
            return 0
        at = self.courses.value.get(key_of(lesson), Course()).at
        return next((number for number, step in enumerate(lesson.steps) if step.name == at), 0)

    def steps_of(self, lesson: Lesson) -> StepCount:
        """How many of a lesson's steps are done, and of its questions right."""
        course = self.courses.value.get(key_of(lesson), Course())
        asked = {step.name for step in lesson.steps if step.question is not None}
        return StepCount(len(lesson.steps), sum(step.name in course.done for step in lesson.steps), len(asked), len(asked & course.right))

    def done_steps(self, lesson: Lesson) -> frozenset[int]:
        """The numbers of the steps that are done."""
        course = self.courses.value.get(key_of(lesson), Course())
        return frozenset(number for number, step in enumerate(lesson.steps) if step.name in course.done)


def key_of(lesson: Lesson) -> str:
    """What a lesson is called in the file: those of the user's by their folders."""
    return lesson.id if lesson.folder is None else str(lesson.folder.absolute())


def text_of(courses: Mapping[str, Course]) -> str:
    """Return the text of the file of progress."""
    lessons = {
        key: {"at": course.at, "done": sorted(course.done), "right": sorted(course.right)} for key, course in sorted(courses.items())
    }
    return json.dumps({"format": FORMAT, "lessons": lessons}, ensure_ascii=False, indent=1) + "\n"


def read_progress(file: Path) -> dict[str, Course]:
    """What a file holds; nothing where it is not there, and without what in it cannot be understood."""
    lessons = kept_object(file).get("lessons")
    return {key: _course(value) for key, value in lessons.items()} if isinstance(lessons, dict) else {}


def _course(value: Any) -> Course:
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    at = fields.get("at")
    return Course(at if isinstance(at, str) else "", _names(fields.get("done")), _names(fields.get("right")))


def _names(value: Any) -> frozenset[str]:
    return frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else frozenset()


def _joined(kept: Course, course: Course) -> Course:
    return replace(course, done=kept.done | course.done, right=kept.right | course.right)
