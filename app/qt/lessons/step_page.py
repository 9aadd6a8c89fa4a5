"""The step that is played: its idea, what it says, what it asks or waits for, and the buttons that lead on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.classroom import Classroom
from app.core.i18n import CHINESE
from app.core.launch.selection import Selection
from app.core.lessons.numbers import written
from app.core.lessons.playing import Playing, Stage, first_stage, scene_number
from app.core.lessons.words import place_of
from app.core.observable import Field
from app.qt.binding import bind
from app.qt.lessons.step_content import StepContent
from app.qt.lessons.step_dots import StepDots
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.side_panel import SidePage, hide_button, leave_button, page_head, push_button
from kernels.messages import message

HIDE = message("Hide the lessons")
_ON = {Stage.ASKING: message("Show the answer"), Stage.WAITING: message("Do it for me"), Stage.TOLD: message("Next")}
_FINISH = message("Finish")
_ROOMY = 1.1
"""The largest zoom at which all buttons stand in one row."""


class StepPage(SidePage):
    """Follows the player for one lesson. Its texts scroll where there is no room for all of them."""

    def __init__(self, look: Look, classroom: Classroom, pinned: Field[Selection], begun: Playing, hide: Callable[[], object]) -> None:
        text = begun.lesson.text(look.translator.language)
        super().__init__(text.title)
        self._look = look
        self._classroom = classroom
        self._player = classroom.player
        self._pinned = pinned
        self._lesson = begun.lesson
        self._content: StepContent | None = None
        self._stage: Stage | None = None
        self._place = label(look, "", "small", rank=2)
        self._dots = StepDots(look, [text.steps[step.name].headline for step in begun.lesson.steps], self._player.go)
        self._again = push_button(look, message("Show again"), self._player.show_again)
        self._back = push_button(look, message("Back"), self._player.back)
        self._on = push_button(look, _FINISH, self._go_on)
        self._on.setProperty("primary", "true")
        self.arrange(self._head(text.title, hide), self._foot())
        bind(self, self._player.playing, self._show)

    def _head(self, title: str, hide: Callable[[], object]) -> QWidget:
        hint = message("Leave the lesson. It goes on here another time.")
        leave = leave_button(self._look, message("Lessons"), hint, self._player.close)
        return page_head(self._look, title, leave, self._place, hide_button(self._look, HIDE, hide), below=self._dots)

    def _foot(self) -> QVBoxLayout:
        """One row; where the type is large the way on has a row of its own."""
        row, column = QHBoxLayout(), QVBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._again)
        row.addStretch(1)
        row.addWidget(self._back)
        column.addLayout(row)
        (column if self._look.theme.scale > _ROOMY else row).addWidget(self._on)
        return column

    def _go_on(self) -> None:
        """The next thing; a question that comes gets the focus, so that it can be answered at once."""
        playing = self._player.playing.value
        if playing is not None and playing.last and playing.stage is Stage.TOLD:
            self._player.close()
            return
        self._player.next()
        if self._content is not None and self._stage is Stage.ASKING:
            self._content.first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, playing: Playing | None) -> None:
        if playing is None or playing.lesson is not self._lesson:  # another page is shown
            return
        focused = self._content is not None and self._content.has_focus
        if self._content is None or self._content.number != playing.number:
            self._content = StepContent(self._look, playing, self._player.answer, self._pinned)
            self.area.setWidget(self._content)
        between = "、" if self._look.translator.language == CHINESE else ", "
        self._content.refresh(playing, written(playing.numbers, between))
        self._stage = playing.stage
        self._place.setText(self._look.text(place_of(playing)))
        self._dots.show_place(playing.number, self._classroom.progress.done_steps(playing.lesson))
        self._on.setText(self._look.text(_FINISH if playing.last and playing.stage is Stage.TOLD else _ON[playing.stage]))
        self._back.setEnabled(playing.number > 0 or playing.stage is not first_stage(playing.step))
        self._again.setEnabled(scene_number(playing.lesson, playing.number) is not None)
        if focused and playing.stage is not Stage.ASKING:  # what had it is not there any more
            self._on.setFocus(Qt.FocusReason.OtherFocusReason)
