"""The lessons there are: those that come with the program, and those in a folder of the user's.

The lessons that can be chosen: read in the background, those of the program once, those of a folder of the user's when asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.log import LOG, without_texts
from app.core.base.observable import Field
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


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is on the shelf. `folder` is the user's, `problems` say which of its lessons cannot be read, and why.

    While `reading` those of the program are still to come, while `reading_own` those of the folder.
    """

    shipped: tuple[Lesson, ...] = ()
    folder: Path | None = None
    own: tuple[Lesson, ...] = ()
    problems: tuple[Message, ...] = ()
    reading: bool = False
    reading_own: bool = False


class UserLessons:
    """`lessons` is what was read so far."""

    def __init__(self, background_tasks: BackgroundTasks) -> None:
        self.lessons = Field(Lessons())
        self._background_tasks = background_tasks
        self._asked = False

    def load(self) -> None:
        """Read the lessons of the program, unless that was asked for before."""

        if not self._asked:
            self._asked = True
            self.lessons.value = replace(self.lessons.value, reading=True)
            self._background_tasks.send("lessons", shipped, self._put)

    def open_folder(self, folder: Path) -> None:
        """Read the lessons of a folder, in place of those of another; again, if its files were changed."""

        self.lessons.value = replace(self.lessons.value, folder=folder, own=(), problems=(), reading_own=True)
        self._background_tasks.send("own lessons", lambda: own(folder), lambda found: self._put_own(folder, *found))

    def read_again(self) -> None:
        """Read the user's folder again."""
        if self.lessons.value.folder is not None:
            self.open_folder(self.lessons.value.folder)

    def _put(self, lessons: tuple[Lesson, ...]) -> None:
        self.lessons.value = replace(self.lessons.value, shipped=lessons, reading=False)

    def _put_own(self, folder: Path, lessons: list[Lesson], problems: list[Message]) -> None:
        for problem in problems:
            LOG.info("lesson refused: %s", without_texts(problem))
        if self.lessons.value.folder == folder:
            self.lessons.value = replace(self.lessons.value, own=tuple(lessons), problems=tuple(problems), reading_own=False)
