"""The panel of the lessons: their list, or the step that is played."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget

from app.core.lessons.lesson import Lesson
from app.core.lessons.playing import Playing
from app.core.workbench import Workbench
from app.qt.binding import bind
from app.qt.lessons.list_page import ListActions, ListPage
from app.qt.lessons.step_page import StepPage
from app.qt.look import Look

WIDTHS = 348, 376
"""In a narrow window, and else, at zoom 100 %."""
NARROW_BELOW = 1500
_MOST = 0.4
"""Of the window's width, however large the type is."""


class LessonsPanel(QStackedWidget):
    """What it shows is in the classroom: built anew for another look it shows the same step. It is wider where the type is larger."""

    def __init__(self, look: Look, workbench: Workbench, actions: ListActions, window_width: int) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self._actions = actions
        self._lesson: Lesson | None = None
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(side_width(look, window_width))
        self.addWidget(ListPage(look, workbench.classroom, actions))
        bind(self, workbench.classroom.player.playing, self._show)

    def _show(self, playing: Playing | None) -> None:
        lesson = None if playing is None else playing.lesson
        if lesson is self._lesson and self.count():
            return
        self._lesson = lesson
        classroom = self._workbench.classroom
        page = (
            ListPage(self._look, classroom, self._actions)
            if playing is None
            else StepPage(self._look, classroom, self._workbench.stage.pinned, playing, self._actions.hide)
        )
        before = self.currentWidget()
        self.addWidget(page)
        self.setCurrentWidget(page)
        if before is not None:
            self.removeWidget(before)
            before.deleteLater()


def side_width(look: Look, window_width: int) -> int:
    """How wide a panel at the left of a window is that has texts to read."""
    wanted = round(WIDTHS[window_width >= NARROW_BELOW] * look.theme.scale)
    return min(wanted, max(round(_MOST * window_width), WIDTHS[0]))
