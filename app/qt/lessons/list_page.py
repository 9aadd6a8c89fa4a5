"""The lessons there are: first those of a folder of the user's, then the program's by topic; how long each is, how far one has come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QLabel, QVBoxLayout, QWidget

from app.core.lessons.lesson import Lesson
from app.core.lessons.library import topics
from app.core.lessons.sentences import length_of, topic_title
from app.core.lessons.user_lessons import Lessons
from app.core.workbench.lesson_controller import LessonController
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.lessons.step_page import HIDE
from app.qt.lessons.wide_button import WideButton
from app.qt.widgets.labels import label, reason_label, rule, show_reason
from app.qt.widgets.side_panel import MARGIN, SidePage, hide_button, list_head, push_button
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

READING = message("Reading the lessons…")


@dataclass(frozen=True, slots=True)
class ListActions:
    """Functions that the page calls."""

    hide: Callable[[], object]
    close: Callable[[], object]
    """Ends the lesson that is played, and hides the panel."""
    open_folder: Callable[[], object]
    record: Callable[[], object]


class ListPage(SidePage):
    """Fills itself as lessons are read."""

    def __init__(self, look: Look, lesson_controller: LessonController, actions: ListActions, left: Lesson | None = None) -> None:
        """`left` is the lesson that was left for the list: its row is shown, and has the focus."""
        super().__init__()
        self._left = left
        self._row_left: WideButton | None = None
        self.arrange(list_head(look, message("Lessons"), hide_button(look, HIDE, actions.hide)))
        self._look = look
        self._lesson_controller = lesson_controller
        self._actions = actions
        bind(self, lesson_controller.user_lessons.lessons, self._show)
        bind(self, lesson_controller.progress.courses, lambda _courses: self._show(lesson_controller.user_lessons.lessons.value))

    def _show(self, lessons: Lessons) -> None:
        if self._lesson_controller.player.playing.value is not None:  # nobody sees the list
            return
        self._row_left = None
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(MARGIN, 10, MARGIN, 14)
        column.setSpacing(6)
        if lessons.folder is not None:
            self._add_own(column, lessons, lessons.folder)
        for topic, members in topics(lessons.shipped).items():
            title = topic_title(topic)
            self._add_group(column, title, members)
        if lessons.reading:
            column.addWidget(self._reading())
        self._add_buttons(column, lessons)
        column.addStretch(1)
        focused = self.window().focusWidget()
        held = focused is not None and self.area.isAncestorOf(focused)
        pressed = focused.text() if held and isinstance(focused, QAbstractButton) else ""
        self.area.setWidget(content)
        if held:
            self._take_focus_back(pressed)

    def _take_focus_back(self, text: str) -> None:
        """Give the focus to the button that has the text of the one that had it: pressed again it does the same."""
        same = next((each for each in self.area.findChildren(QAbstractButton) if text and each.text() == text), None)
        if same is None:
            self.take_focus()
        else:
            self._focus_in_sight(same)

    def take_focus(self) -> None:
        """Give the focus to the lesson that was left, else to the first, while there is none to what says that they are read: what follows
        it opens dialogs."""
        if self._row_left is not None:
            self._focus_in_sight(self._row_left)
            return
        waits = [each for each in self.area.findChildren(QLabel) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for first in [*self.area.findChildren(WideButton), *waits][:1]:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().take_focus()

    def _focus_in_sight(self, button: QAbstractButton) -> None:
        button.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, button, lambda: self.area.ensureWidgetVisible(button))  # the rows have no places yet

    def _reading(self) -> QLabel:
        made = self._wrapped(self._look.text(READING))
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return made

    def _add_group(self, column: QVBoxLayout, title: Message | str, lessons: Sequence[Lesson]) -> None:
        column.addWidget(label(self._look, title, "label", rank=2))
        for lesson in lessons:
            column.addWidget(self._row(lesson))
        column.addSpacing(8)

    def _row(self, lesson: Lesson) -> WideButton:
        steps = self._lesson_controller.progress.steps_of(lesson)
        text = lesson.text(self._look.translator.language)
        row = WideButton(self._look, text.title, self._look.text(length_of(lesson, steps)))
        row.share = steps.done / steps.steps if steps.done else None
        row.setToolTip(f"<p>{escape(text.summary)}</p>")  # so that long lines wrap, and its marks are no markup
        row.clicked.connect(lambda: self._lesson_controller.resume(lesson))
        self._row_left = row if lesson is self._left else self._row_left
        return row

    def _add_own(self, column: QVBoxLayout, lessons: Lessons, folder: Path) -> None:
        column.addWidget(self._own_title())
        column.addWidget(self._wrapped(str(folder)))
        for lesson in lessons.own:
            column.addWidget(self._row(lesson))
        for problem in lessons.problems:
            reason = reason_label(self._look, self)
            reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            show_reason(reason, self._look, problem)
            column.addWidget(reason)
        if not lessons.own and not lessons.problems:
            none_yet = self._look.text(message("There is no lesson in this folder yet."))
            column.addWidget(self._reading() if lessons.reading_own else self._wrapped(none_yet))
        column.addWidget(push_button(self._look, message("Read them again"), self._lesson_controller.user_lessons.read_again))
        column.addSpacing(8)
        column.addWidget(rule(vertical=False))
        column.addSpacing(4)

    def _add_buttons(self, column: QVBoxLayout, lessons: Lessons) -> None:
        column.addWidget(rule(vertical=False))
        column.addSpacing(4)
        if lessons.folder is None:
            column.addWidget(self._own_title())
        column.addWidget(push_button(self._look, message("Open a folder of lessons…"), self._actions.open_folder))
        column.addWidget(push_button(self._look, message("Add this state as a lesson step…"), self._actions.record))

    def _own_title(self) -> QLabel:
        return label(self._look, message("Your own lessons"), "label", rank=2)

    def _wrapped(self, text: str) -> QLabel:
        made = label(self._look, text.replace("/", "/\u200b").replace("\\", "\\\u200b"), "small", rank=2)
        made.setWordWrap(True)
        return made
