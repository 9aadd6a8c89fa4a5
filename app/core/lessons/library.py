"""The lessons there are: those that come with the program, and those in a folder of the user's."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.lessons.lesson import Lesson
from app.core.lessons.read import STRUCTURE, read_lesson, read_shipped
from kernels.base.messages import Message, message

ORDER = "order.txt"
"""In the folder of the program's lessons: their ids in teaching order, one a line."""
MOST_LESSONS = 500


def shipped() -> tuple[Lesson, ...]:
    """The lessons of the program in teaching order. Raises ValueError where one of them cannot be read."""
    return tuple(_whole(name) for name in shipped_ids())


def shipped_ids() -> list[str]:
    """The ids of the program's lessons in teaching order."""
    return _folder().joinpath(ORDER).read_text(encoding="utf-8").split()


def named(lesson_id: str) -> Lesson | Message:
    """The lesson of the program with this id, or why it cannot be read."""
    return read_shipped(_folder().joinpath(lesson_id))


def own(folder: Path) -> tuple[list[Lesson], list[Message]]:
    """The lessons in a folder of the user's by name, each a folder in it; and why others could not be read."""
    lessons: list[Lesson] = []
    problems: list[Message] = []
    try:
        found = sorted(each for each in folder.iterdir() if each.joinpath(STRUCTURE).is_file())
    except OSError as error:
        return [], [message("{path} cannot be read: {error}.", path=str(folder), error=error.strerror or str(error))]
    for each in found[:MOST_LESSONS]:
        lesson = read_lesson(each)
        if isinstance(lesson, Message):
            problems.append(lesson)
        else:
            lessons.append(lesson)
    return lessons, problems


def topics(lessons: Iterable[Lesson]) -> dict[str, list[Lesson]]:
    """Lessons by topic, both in their order."""
    found: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        found.setdefault(lesson.topic, []).append(lesson)
    return found


def _folder() -> Traversable:
    return files("resources").joinpath("lessons")


def _whole(lesson_id: str) -> Lesson:
    lesson = named(lesson_id)
    if isinstance(lesson, Message):
        raise ValueError(str(lesson))
    return lesson
