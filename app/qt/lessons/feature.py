"""Lessons as a part of the window: the button, the commands, and the dialogs for a lecturer's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.base.i18n import Translator
from app.core.lessons.current_lesson import LessonMoment, StepState, scene_number
from app.core.lessons.lesson import Lesson
from app.core.stage.model import AnyPicture
from app.qt.base.commands import Command, Place, titled
from app.qt.base.feature import Feature, Host
from kernels.base.messages import Message, message
from kernels.catalogue.case import Case

if TYPE_CHECKING:
    from app.qt.lessons.panel import LessonsPanel

FOLDER = "lessons/folder"
"""Where the settings have the user's folder."""


class LessonsFeature(Feature):
    """The panel opens with its button, and whenever a lesson begins."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lesson_controller = host.workbench.lesson_controller
        self._lesson: Lesson | None = None
        self._panel: LessonsPanel | None = None
        self._lists = Command(message("Lessons"), ("Ctrl+L",), self.toggle)
        self._unsubscribe = (
            self._lesson_controller.player.playing.subscribe(self._played),
            host.workbench.session.stage.subscribe(self._went),
        )

    def commands(self) -> tuple[Command, ...]:
        return (
            self._lists,
            Command(message("Lesson: on"), ("Ctrl+PgDown",), self._lesson_controller.player.next),
            Command(message("Lesson: back"), ("Ctrl+PgUp",), self._lesson_controller.player.back),
            Command(message("Lesson: show again"), ("Ctrl+Shift+PgUp",), self._lesson_controller.player.show_again),
            Command(message("Open a folder of lessons…"), ("Ctrl+Shift+F",), self.open_folder),
            Command(message("Add this state as a lesson step…"), ("Ctrl+Shift+A",), self.record),
        )

    def places(self) -> tuple[Place, ...]:
        """The lessons that are read; they are read in the background, from the first time that somebody asks. While one is played, also
        the way out of it."""
        self._load()
        read = self._lesson_controller.user_lessons.lessons.value
        leaving = titled(message("lesson"), message("Leave the lesson"), self.end, also="close end quit 退出 结束")
        return (
            *(() if self._lesson is None else (leaving,)),
            *(
                Place(message("lesson"), partial(_title_of, lesson), partial(self._lesson_controller.player.open, lesson), also=lesson.id)
                for lesson in (*read.shipped, *read.own)
            ),
        )

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("book-open", self._lists),)

    def side(self) -> QWidget | None:
        if not self._shown:
            return None
        from app.qt.lessons.list_page import ListActions
        from app.qt.lessons.panel import LessonsPanel

        actions = ListActions(self.toggle, self.end, self.open_folder, self.record)
        self._panel = LessonsPanel(self._host.look(), self._host.workbench, actions, self._host.window.width())
        return self._panel

    def leave(self) -> bool:
        """Hide the list; what is played or tried stays beside the stage."""
        listed = self._shown and self._lesson is None
        if listed:
            self.toggle()
        return listed

    def close(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()

    def toggle(self) -> None:
        """Open the panel, or hide it; a lesson that is played stays where it is."""
        shown = self._shown
        if not shown:
            self._load()
        self._host.put_side(None if shown else self)
        if self._shown and self._panel is not None:
            self._panel.take_focus()

    def end(self) -> None:
        """Leave the lesson that is played, and hide the panel. One that is only hidden goes on, and what it asks stays untold as long as
        its rung is shown.
        """
        self._lesson_controller.player.close()
        self._host.put_side(None)

    def open_folder(self) -> None:
        """Ask for the folder of the user's lessons, and read it."""
        title = self._host.look().text(message("The folder that has your lessons, each in a folder of its own"))
        chosen = QFileDialog.getExistingDirectory(
            self._host.window, title, str(self._lesson_controller.user_lessons.lessons.value.folder or Path.home())
        )
        if not chosen:
            return
        self._host.settings.save_text(FOLDER, chosen)
        self._lesson_controller.user_lessons.open_folder(Path(chosen))
        self._show_list()

    def record(self) -> None:
        """Ask for a lesson's folder, and add what is shown to it."""
        from app.core.lessons.recorder import record_step

        workbench = self._host.workbench
        snapshot, words = workbench.states.now(), _words(workbench.stage.picture.value, workbench.session.stage.value.variant.title)
        title = self._host.look().text(message("The folder of the lesson that gets one more step"))
        chosen = QFileDialog.getExistingDirectory(
            self._host.window, title, str(self._lesson_controller.user_lessons.lessons.value.folder or Path.home())
        )
        if not chosen:
            return
        outcome = record_step(Path(chosen), snapshot, words)
        if isinstance(outcome, Message):
            workbench.tell(outcome)
            return
        workbench.tell(
            message("Added to {path}: step {name}. Its texts stand in {file}.", path=chosen, name=outcome, file="en.md, zh_CN.md")
        )
        self._lesson_controller.user_lessons.read_again()

    def _played(self, playing: LessonMoment | None) -> None:
        lesson = None if playing is None else playing.lesson
        began, self._lesson = lesson is not None and lesson is not self._lesson, lesson
        if began and not self._shown:
            self.toggle()

    def _went(self, stage: Case) -> None:
        """Who chooses another rung than those of a question that is out of sight has left the lesson."""
        playing = self._lesson_controller.player.playing.value
        if self._shown or playing is None or playing.state is not StepState.ASKING:
            return
        number = scene_number(playing.lesson, playing.number)
        scene = None if number is None else playing.lesson.steps[number].scene
        cases = () if scene is None else (scene.snapshot.stage, scene.beside)
        if stage.variant not in [case.variant for case in cases if case is not None]:
            self._lesson_controller.player.close()

    def _show_list(self) -> None:
        self._lesson_controller.player.close()
        if not self._shown:
            self.toggle()

    @property
    def _shown(self) -> bool:
        """Whether the panel at the left is the lessons'."""
        return self._host.side.value is self

    def _load(self) -> None:
        user_lessons = self._lesson_controller.user_lessons
        user_lessons.load()
        self._lesson_controller.progress.load()
        folder = self._host.settings.text(FOLDER)
        if folder and user_lessons.lessons.value.folder is None:
            user_lessons.open_folder(Path(folder))


def _title_of(lesson: Lesson, translator: Translator) -> str:
    return lesson.text(translator.language).title


def _words(picture: AnyPicture | None, title: Message) -> tuple[Message, Message]:
    """The headline and the narration that a new step begins with."""
    return (title, title) if picture is None else (title, picture.description.sentence)
