"""What one step says, from its idea to its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.core.launch.selection import Selection
from app.core.lessons.asking import Answer
from app.core.lessons.playing import Playing, Stage
from app.core.lessons.words import task_of
from app.core.observable import Field
from app.qt.lessons.prose_label import ProseLabel
from app.qt.lessons.question_card import QuestionCard
from app.qt.look import Look
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.rule import rule
from app.qt.widgets.side_panel import MARGIN
from kernels.messages import Message


class StepContent(QWidget):
    """Built for one step; `refresh` shows what changes while it is shown."""

    def __init__(self, look: Look, playing: Playing, answer: Callable[[Answer], object], pinned: Field[Selection]) -> None:
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
    def has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def refresh(self, playing: Playing, numbers: Mapping[str, str]) -> None:
        """Show what is known by now, and what the step waits for."""
        self._narration.fill(numbers)
        task = task_of(playing)
        self._task.setText("" if task is None else self._look.text(task))
        self._task.setVisible(task is not None)
        self._told.fill(numbers)
        self._told.setVisible(playing.stage is Stage.TOLD and bool(self._told.text()))
        if self._card is not None:
            self._card.refresh(playing, numbers)
        failed = next((value for value in playing.numbers.values() if isinstance(value, Message)), None)
        show_reason(self._reason, self._look, failed)
