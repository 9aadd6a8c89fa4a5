"""How far each lesson was, and what was answered rightly: kept in a small file, written in the background."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.errands import Errands
from app.core.lessons.asking import Judged
from app.core.lessons.lesson import Lesson
from app.core.lessons.playing import Playing, Stage
from app.core.observable import Field
from app.core.places import prepare
from app.core.source_files import read_source, write_whole
from kernels.messages import Message

FORMAT = "tilescope progress 1"


@dataclass(frozen=True, slots=True)
class Course:
    """Of one lesson, by the names of its steps: where it was left, which are done, and which questions were last answered rightly."""

    at: str = ""
    done: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tally:
    """Of the steps that a lesson has now."""

    steps: int
    done: int
    asked: int
    right: int

    @property
    def over(self) -> bool:
        return self.done == self.steps


class Progress:
    """`courses` by lesson. The file is read when it is first needed; until it is read nothing is written over it."""

    def __init__(self, file: Path | None, errands: Errands) -> None:
        """Without a file nothing is kept."""
        self.courses: Field[Mapping[str, Course]] = Field({})
        self.failure: Field[Message | None] = Field(None)
        """Why the file cannot be written."""
        self._file = file
        self._errands = errands
        self._asked = self._loaded = self._writing = False
        self._written: Mapping[str, Course] = {}
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Keep nothing from now on."""
        self._file = None

    def load(self) -> None:
        """Read the file in the background, unless that was asked for before."""
        if self._file is not None and not self._asked:
            file, self._asked = self._file, True
            self._errands.send("progress", lambda: read_progress(file), self._take)

    def read_now(self) -> None:
        """Read the file and wait for it."""
        if self._file is not None and not self._loaded:
            self._asked = True
            self._take(read_progress(self._file))

    def note(self, playing: Playing) -> None:
        """Take over what a moment of a lesson tells."""
        self.load()
        key, name = key_of(playing.lesson), playing.step.name
        course = replace(self.courses.value.get(key, Course()), at=name)
        if playing.stage is Stage.TOLD:
            course = replace(course, done=course.done | {name})
        if isinstance(judged := playing.judged, Judged):
            course = replace(course, right=course.right | {name} if judged.correct else course.right - {name})
        self.courses.value = {**self.courses.value, key: course}

    def place_of(self, lesson: Lesson) -> int:
        """The number of the step to go on with: where the lesson was left, its beginning where it is over or was never begun."""
        if self.tally(lesson).over:
            return 0
        at = self.courses.value.get(key_of(lesson), Course()).at
        return next((number for number, step in enumerate(lesson.steps) if step.name == at), 0)

    def tally(self, lesson: Lesson) -> Tally:
        """How many of a lesson's steps are done, and of its questions right."""
        course = self.courses.value.get(key_of(lesson), Course())
        asked = {step.name for step in lesson.steps if step.question is not None}
        return Tally(len(lesson.steps), sum(step.name in course.done for step in lesson.steps), len(asked), len(asked & course.right))

    def done_steps(self, lesson: Lesson) -> frozenset[int]:
        """The numbers of the steps that are done."""
        course = self.courses.value.get(key_of(lesson), Course())
        return frozenset(number for number, step in enumerate(lesson.steps) if step.name in course.done)

    def tick(self) -> None:
        """Have the file written if there is something new. Never waits."""
        courses = self.courses.value
        if self._loaded and not self._writing and courses != self._written:
            self._writing = True
            self._errands.send("progress", lambda: self._write(courses), lambda failure: self._done(courses, failure))

    def finish(self) -> None:
        """Write what is not written yet, now."""
        if self._file is None or not self.courses.value:
            return
        self.read_now()
        if self.courses.value != self._written:
            self._write(self.courses.value)

    def _take(self, kept: Mapping[str, Course]) -> None:
        """What was noted meanwhile is newer than what was kept."""
        if not self._loaded:
            self._loaded, self._written = True, kept
            self.courses.value = {**kept, **{key: _joined(kept.get(key), course) for key, course in self.courses.value.items()}}

    def _write(self, courses: Mapping[str, Course]) -> Message | None:
        file = self._file
        if file is None:
            return None
        with self._lock:
            return prepare(file.parent) or write_whole(file, text_of(courses))

    def _done(self, courses: Mapping[str, Course], failure: Message | None) -> None:
        self._writing, self._written, self.failure.value = False, courses, failure


def key_of(lesson: Lesson) -> str:
    """What a lesson is called in the file: those of the user's by their folders."""
    return lesson.id if lesson.folder is None else str(lesson.folder.absolute())


def text_of(courses: Mapping[str, Course]) -> str:
    """The file's text."""
    lessons = {
        key: {"at": course.at, "done": sorted(course.done), "right": sorted(course.right)} for key, course in sorted(courses.items())
    }
    return json.dumps({"format": FORMAT, "lessons": lessons}, ensure_ascii=False, indent=1) + "\n"


def read_progress(file: Path) -> dict[str, Course]:
    """What a file holds; nothing where it is not there, and without what in it cannot be understood."""
    text = read_source(file)
    try:
        content: Any = {} if isinstance(text, Message) else json.loads(text)
    except (ValueError, RecursionError):
        return {}
    lessons = content.get("lessons") if isinstance(content, dict) else None
    return {key: _course(value) for key, value in (lessons or {}).items()} if isinstance(lessons, dict) else {}


def _course(value: Any) -> Course:
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    at = fields.get("at")
    return Course(at if isinstance(at, str) else "", _names(fields.get("done")), _names(fields.get("right")))


def _names(value: Any) -> frozenset[str]:
    return frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else frozenset()


def _joined(kept: Course | None, course: Course) -> Course:
    return course if kept is None else replace(course, done=kept.done | course.done, right=kept.right | course.right)
