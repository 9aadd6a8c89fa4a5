"""The lessons that can be chosen: read in the background, those of the program once, those of a folder of the user's when asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.core.base.background import BackgroundTasks
from app.core.base.files.log import LOG, without_texts
from app.core.base.observable import Field
from app.core.lessons.lesson import Lesson
from kernels.base.messages import Message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Lessons:
    """The lessons that can be chosen. `folder` is the user's, `problems` say which of its lessons cannot be read, and why.

    While `reading` those of the program are still to come, while `reading_own` those of the folder.
    """

    shipped: tuple[Lesson, ...] = ()
    folder: Path | None = None
    own: tuple[Lesson, ...] = ()
    problems: tuple[Message, ...] = ()
    reading: bool = False
    reading_own: bool = False


class UserLessons:
    """Reads lessons in the background: the program's once, those of the user's folder when asked. `lessons` is what was read so far."""

    def __init__(self, background_tasks: BackgroundTasks) -> None:
        self.lessons = Field(Lessons())
        self._background_tasks = background_tasks
        self._asked = False

    def load(self) -> None:
        """Read the lessons of the program, unless that was asked for before."""
        from app.core.lessons.library import shipped

        if not self._asked:
            self._asked = True
            self.lessons.value = replace(self.lessons.value, reading=True)
            self._background_tasks.send("lessons", shipped, self._put)

    def open_folder(self, folder: Path) -> None:
        """Read the lessons of a folder, in place of those of another; again, if its files were changed."""
        from app.core.lessons.library import own

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
