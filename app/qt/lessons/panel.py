"""The panel of the lessons: their list, or the step that is played."""

from __future__ import annotations

from app.core.lessons.current_lesson import LessonMoment
from app.core.lessons.lesson import Lesson
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.lessons.list_page import ListActions, ListPage
from app.qt.lessons.step_page import StepPage
from app.qt.widgets.side_panel import SidePanel


class LessonsPanel(SidePanel):
    """Panel of the lessons. What it shows is kept by the lesson controller: built anew for another look it shows the same step."""

    def __init__(self, look: Look, workbench: Workbench, actions: ListActions, window_width: int) -> None:
        super().__init__(look, window_width)
        self._look = look
        self._workbench = workbench
        self._actions = actions
        self._lesson: Lesson | None = None
        bind(self, workbench.lesson_controller.player.playing, self._show)

    def _show(self, playing: LessonMoment | None) -> None:
        lesson = None if playing is None else playing.lesson
        if lesson is self._lesson and self.count():
            return
        left, self._lesson = self._lesson, lesson
        lesson_controller = self._workbench.lesson_controller
        page = (
            ListPage(self._look, lesson_controller, self._actions, left)
            if playing is None
            else StepPage(self._look, lesson_controller, self._workbench.stage.pinned, playing, self._actions.close)
        )
        again = self.count() > 0
        self.put(page)
        if again:
            self.take_focus()
