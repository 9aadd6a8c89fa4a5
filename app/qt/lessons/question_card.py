"""Card of a step's question: the question, where the answer goes, and afterwards what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.base.observable import Field
from app.core.gpu_view.selection import Selection
from app.core.lessons.current_lesson import LessonMoment, StepState
from app.core.lessons.judging import Answer, number_given, right_answers
from app.core.lessons.lesson import Choice, Question, QuestionKind
from app.core.lessons.numbers import number_text
from app.core.lessons.prose import filled
from app.core.lessons.sentences import verdict_of
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.lessons.prose_label import ProseLabel
from app.qt.lessons.wide_button import WideButton
from app.qt.widgets.labels import label, mark_refused, reason_label, show_reason
from kernels.base.messages import Message, message
from kernels.simt.trace.trace import WARP

_FIELD_WIDTH = 110


class QuestionCard(QFrame):
    """Card of a step's question. `answer` takes what the student says. `pinned` is what is pinned on the stage: a lane of it fills the
    field."""

    def __init__(self, look: Look, playing: LessonMoment, answer: Callable[[Answer], object], pinned: Field[Selection]) -> None:
        super().__init__()
        assert playing.step.question is not None
        self._look = look
        self._question: Question = playing.step.question
        self._answer = answer
        self._text = playing.lesson.step_text(playing.number, look.translator.language)
        self._asked = ProseLabel(look, self._text.question, "fact")
        self._said = label(look, "", "fact")
        self._said.setWordWrap(True)
        self.told = ProseLabel(look, self._text.answer)
        self._choices: list[tuple[Choice, WideButton]] = []
        self._edit = QLineEdit(self)  # where answers are chosen it is not laid out, and would be a window of its own
        self._edit.hide()
        self._reason = reason_label(look, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._asked)
        self._input = self._choices_input() if self._question.kind is QuestionKind.CHOICE else self._field_input()
        for part in (self._input, self._reason, self._said, self.told):
            column.addWidget(part)
        if self._question.kind is QuestionKind.LANE:
            bind(self, pinned, self._show_pinned)

    @property
    def first(self) -> QWidget:
        """What the focus goes to when an answer is awaited."""
        return self._choices[0][1] if self._choices else self._edit

    def refresh(self, playing: LessonMoment, numbers: Mapping[str, str]) -> None:
        """Show what is known by now."""
        told = playing.state is StepState.TOLD
        self._asked.fill(numbers)
        self.told.fill(numbers)
        self.told.setVisible(told)
        verdict = verdict_of(playing, self._look.translator.language, numbers)
        self._said.setText("" if verdict is None else self._look.text(verdict))
        self._said.setVisible(verdict is not None)
        self._input.setEnabled(not told)
        if told:
            self._show_reason(None)
        self._input.setVisible(not told or bool(self._choices))
        if self._choices:
            self._mark_choices(playing, numbers)

    def _choices_input(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for choice in self._question.choices:
            given: Answer = choice.name if choice.number is None else choice.number
            words = number_text(choice.number) if choice.number is not None else self._text.options[choice.name].text
            button = WideButton(self._look, words)
            button.clicked.connect(lambda _=False, given=given: self._answer(given))
            column.addWidget(button)
            self._choices.append((choice, button))
        return holder

    def _field_input(self) -> QWidget:
        lane = self._question.kind is QuestionKind.LANE
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        if lane:
            hint = label(self._look, message("Click a lane on the stage, or write its number here."), rank=2)
            hint.setWordWrap(True)
            column.addWidget(hint)
        self._edit.setFont(self._look.theme.font("reading"))
        self._edit.setFixedWidth(round(_FIELD_WIDTH * self._look.theme.scale))
        self._edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._edit.setAccessibleName(self._look.text(message("Lane") if lane else message("Your answer")))
        self._edit.returnPressed.connect(self._give_typed)
        button = QPushButton(self._look.text(message("Answer")))
        button.setFont(self._look.theme.font("body"))
        button.clicked.connect(self._give_typed)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._edit)
        self._edit.show()
        row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        return holder

    def _give_typed(self) -> None:
        largest = WARP - 1 if self._question.kind is QuestionKind.LANE else None
        given = number_given(self._edit.text(), largest)
        reason = given if isinstance(given, Message) else None
        self._show_reason(reason)
        if not isinstance(given, Message):
            self._answer(given)

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self._reason, self._look, reason)
        mark_refused(self._edit, self._look, reason)

    def _show_pinned(self, selection: Selection) -> None:
        if selection.thread is not None:
            self._edit.setText(str(selection.thread % WARP))

    def _mark_choices(self, playing: LessonMoment, numbers: Mapping[str, str]) -> None:
        told = playing.state is StepState.TOLD
        right = right_answers(self._question, playing.numbers) if told else None
        judged = playing.judged
        given = playing.given if judged is None or isinstance(judged, Message) else judged.given
        for choice, button in self._choices:
            answer: Answer = choice.name if choice.number is None else choice.number
            is_right, chosen = isinstance(right, tuple) and answer in right, given is not None and answer == given
            if choice.name:
                button.show_title(filled(self._text.options[choice.name].text, numbers))
            remark = self._look.text(message("your answer")) if chosen else ""
            button.show_mark("✓" if is_right else "", remark, chosen=chosen)
