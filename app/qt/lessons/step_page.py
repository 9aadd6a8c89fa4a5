"""Page of the step that is played: idea, narration, question or task, answer, and the buttons that lead on.

A row of dots shows which step it is and which are done; a click on a dot goes to its step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.core.base.i18n import CHINESE
from app.core.base.observable import Field
from app.core.gpu_view.selection import Selection
from app.core.lessons.current_lesson import LessonMoment, StepState, first_state, scene_number
from app.core.lessons.judging import Answer
from app.core.lessons.numbers import written
from app.core.lessons.sentences import place_of, task_of
from app.core.workbench.lesson_controller import LessonController
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.lessons.prose_label import ProseLabel
from app.qt.lessons.question_card import QuestionCard
from app.qt.widgets.labels import ElidedLabel, label, reason_label, rule, show_reason
from app.qt.widgets.side_panel import MARGIN, SidePage, hide_button, leave_button, page_head, push_button
from app.qt.widgets.zoomed import Zoomed
from kernels.base.messages import Message, message


class StepContent(QWidget):
    """Built for one step; `refresh` shows what changes while it is shown."""

    def __init__(self, look: Look, playing: LessonMoment, answer: Callable[[Answer], object], pinned: Field[Selection]) -> None:
        super().__init__()
        self.number = playing.number
        self._look = look
        text = playing.lesson.step_text(playing.number, look.translator.language)
        headline = label(look, text.headline, "view_caption")
        headline.setWordWrap(True)
        self._narration = ProseLabel(look, text.narration)
        self._task = label(look, "", "fact")
        self._task.setWordWrap(True)
        self._reason = reason_label(look, self)
        self._card = QuestionCard(look, playing, answer, pinned) if playing.step.question is not None else None
        self._told = ProseLabel(look, text.answer if playing.step.question is None else ())
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 14, MARGIN, 14)
        column.setSpacing(10)
        for part in (headline, self._narration, self._task):
            column.addWidget(part)
        if self._card is not None:
            column.addWidget(rule(vertical=False))
            column.addWidget(self._card)
        column.addWidget(self._told)
        column.addWidget(self._reason)
        column.addStretch(1)

    @property
    def first(self) -> QWidget:
        """What the focus goes to where an answer is awaited."""
        return self if self._card is None else self._card.first

    @property
    def told(self) -> QWidget:
        """What is told once it was answered."""
        return self._told if self._card is None else self._card.told

    @property
    def has_focus(self) -> bool:
        focused = self.window().focusWidget()  # its own also while slides have the keys
        return focused is not None and self.isAncestorOf(focused)

    def refresh(self, playing: LessonMoment, numbers: Mapping[str, str]) -> None:
        """Show what is known by now, and what the step waits for."""
        self._narration.fill(numbers)
        task = task_of(playing)
        self._task.setText("" if task is None else self._look.text(task))
        self._task.setVisible(task is not None)
        self._told.fill(numbers)
        self._told.setVisible(playing.state is StepState.TOLD and bool(self._told.text()))
        if self._card is not None:
            self._card.refresh(playing, numbers)
        failed = next((value for value in playing.numbers.values() if isinstance(value, Message)), None)
        show_reason(self._reason, self._look, failed)


_HEIGHT = 24
_WIDEST = 24.0
_RADII = 4.5, 6.5
"""Of a dot, and of that of the step that is shown."""


class StepDots(Zoomed):
    """Dots, one for each step of a lesson. `titles` are what the steps are about; `go` is called with the number of a step."""

    def __init__(self, look: Look, titles: Sequence[str], go: Callable[[int], object]) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._titles = titles
        self._go = go
        self._number = 0
        self._done: frozenset[int] = frozenset()
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_place(self, number: int, done: frozenset[int]) -> None:
        """Which step is shown, and which are done, by number."""
        self._number, self._done = number, done
        self.update()

    def sizeHint(self) -> QSize:
        return self.grown(QSize(int(_WIDEST * len(self._titles)), _HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(len(self._titles)):
            shown, done = number == self._number, number in self._done
            radius = min(_RADII[shown], self._pitch / 2 - 0.5)
            painter.setPen(QPen(theme.now if shown else theme.line2, 1.5))
            painter.setBrush(theme.now if shown else theme.line2 if done else theme.bg1)
            painter.drawEllipse(self._middle(number), radius, radius)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go(number)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self._at(QPointF(event.pos()) / self._zoom)
            if number is not None:
                QToolTip.showText(event.globalPos(), f"<p>{number + 1}&nbsp; {escape(self._titles[number])}</p>", self)
            return True
        return super().event(event)

    @property
    def _pitch(self) -> float:
        return min(_WIDEST, self.width() / max(len(self._titles), 1))

    def _middle(self, number: int) -> QPointF:
        return QPointF((number + 0.5) * self._pitch, self.height() / 2)

    def _at(self, point: QPointF) -> int | None:
        number = int(point.x() // self._pitch) if self._pitch else -1
        return number if 0 <= number < len(self._titles) and QRectF(self.rect()).contains(point) else None


HIDE = message("Hide the lessons")
_CLOSE = message("Close the lesson. It goes on here another time.")
_ON = {StepState.ASKING: message("Show the answer"), StepState.WAITING: message("Do it for me"), StepState.TOLD: message("Next")}
_FINISH = message("Finish")
_ROOMY = 1.1
"""The largest zoom at which all buttons stand in one row."""


class StepPage(SidePage):
    """Follows the player for one lesson. Its texts scroll where there is no room for all of them."""

    def __init__(
        self, look: Look, lesson_controller: LessonController, pinned: Field[Selection], begun: LessonMoment, close: Callable[[], object]
    ) -> None:
        text = begun.lesson.text(look.translator.language)
        super().__init__(text.title)
        self._look = look
        self._lesson_controller = lesson_controller
        self._player = lesson_controller.player
        self._pinned = pinned
        self._lesson = begun.lesson
        self._content: StepContent | None = None
        self._state: StepState | None = None
        self._place = ElidedLabel()
        self._place.setFont(look.theme.font("small"))
        self._place.setProperty("rank", "2")
        self._dots = StepDots(look, [text.steps[step.name].headline for step in begun.lesson.steps], self._player.go)
        self._again = push_button(look, message("Show again"), self._player.show_again)
        self._back = push_button(look, message("Back"), self._player.back)
        self._on = push_button(look, _FINISH, self._go_on)
        self._on.setProperty("primary", "true")
        self.arrange(self._head(text.title, close), self._foot())
        bind(self, self._player.playing, self._show)

    def _head(self, title: str, close: Callable[[], object]) -> QWidget:
        hint = message("Leave the lesson. It goes on here another time.")
        leave = leave_button(self._look, message("Lessons"), hint, self._player.close)
        return page_head(self._look, title, leave, self._place, hide_button(self._look, _CLOSE, close), below=self._dots)

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

    def take_focus(self) -> None:
        """Give the focus to where an answer goes, else to the way on."""
        awaited = self._content if self._state is StepState.ASKING else None
        (self._on if awaited is None else awaited.first).setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_on(self) -> None:
        playing = self._player.playing.value
        if playing is not None and playing.last and playing.state is StepState.TOLD:
            self._player.close()
            return
        self._player.next()

    def _show(self, playing: LessonMoment | None) -> None:
        if playing is None or playing.lesson is not self._lesson:  # another page is shown
            return
        focused, before = self._content is not None and self._content.has_focus, self._state
        if self._content is None or self._content.number != playing.number:
            self._content = StepContent(self._look, playing, self._player.answer, self._pinned)
            self.area.setWidget(self._content)
        between = "、" if self._look.translator.language == CHINESE else ", "
        self._content.refresh(playing, written(playing.numbers, between))
        self._state = playing.state
        number, steps = playing.number + 1, len(playing.lesson.steps)
        self._place.say(self._look.text(place_of(playing)), self._look.text(message("{left} / {right}", left=number, right=steps)))
        self._dots.show_place(playing.number, self._lesson_controller.progress.done_steps(playing.lesson))
        self._on.setText(self._look.text(_FINISH if playing.last and playing.state is StepState.TOLD else _ON[playing.state]))
        self._back.setEnabled(playing.number > 0 or playing.state is not first_state(playing.step))
        self._again.setEnabled(scene_number(playing.lesson, playing.number) is not None)
        asked = playing.state is StepState.ASKING and before not in (None, StepState.ASKING)
        if asked or (focused and playing.state is not StepState.ASKING):  # it can be answered at once; what had it is not there any more
            self.take_focus()
        if playing.state is StepState.TOLD and before in (StepState.ASKING, StepState.WAITING):
            QTimer.singleShot(0, self, self._bring_to_sight)  # once it has its place

    def _bring_to_sight(self) -> None:
        """Let what is told be seen: below the answers to choose from there may be no room for it."""
        if self._content is not None and self._content.told.isVisible():
            self.area.ensureWidgetVisible(self._content.told)
