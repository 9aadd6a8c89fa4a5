"""The challenge that is tried: what it says, and the buttons that check it, begin it again and hand it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.practice import Practice, Trying
from app.qt.binding import bind, set_shown
from app.qt.challenges.content import Content
from app.qt.lessons.step_page import MARGIN
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.rule import rule
from kernels.messages import Message, message

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class PanelActions:
    """What the panel calls; `name` is what the student was called the last time."""

    open: Callable[[Challenge], object]
    hide: Callable[[], object]
    hand_in: Callable[[str], object]
    name: str = ""


class TryPage(QWidget):
    """Follows one challenge. Its texts scroll where there is no room for all of them."""

    def __init__(self, look: Look, practice: Practice, begun: Trying, actions: PanelActions) -> None:
        super().__init__()
        self._look = look
        self._practice = practice
        self._challenge = begun.challenge
        self._content = Content(look, begun, practice)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(begun.challenge.text(look.translator.language).title)
        self._area.setWidget(self._content)
        self._again = self._button(message("Start again"), practice.start_again)
        self._back = self._button(message("Back to the text"), practice.desk.show)
        self._check = self._button(message("Check"), practice.check)
        self._check.setProperty("primary", "true")
        self._name = QLineEdit(actions.name)
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setPlaceholderText(look.text(message("Your name")))
        self._name.setAccessibleName(look.text(message("Your name")))
        self._hand_in = self._button(message("Hand in…"), lambda: actions.hand_in(self._name.text()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head(actions.hide))
        column.addWidget(rule(vertical=False))
        column.addWidget(self._area, 1)
        column.addWidget(rule(vertical=False))
        column.addLayout(self._foot())
        bind(self, practice.trying, self._show)
        bind(self, practice.desk.on_stage, lambda shown: set_shown(self._back, not shown))

    def _head(self, hide: Callable[[], object]) -> QWidget:
        leave = QToolButton()
        leave.setText("‹ " + self._look.text(message("Challenges")))
        leave.setToolTip(self._look.text(message("Leave the challenge. What you have made of it is kept.")))
        leave.clicked.connect(self._practice.close)
        heading = label(self._look, self._challenge.text(self._look.translator.language).title, "section", rank=2)
        heading.setWordWrap(True)
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(MARGIN, 6, MARGIN, 8)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.setContentsMargins(-10, 0, -8, 0)
        row.addWidget(leave)
        row.addStretch(1)
        row.addWidget(hide_button(self._look, hide))
        column.addLayout(row)
        column.addWidget(heading)
        return head

    def _foot(self) -> QVBoxLayout:
        checking, handing = QHBoxLayout(), QHBoxLayout()
        for row, parts in ((checking, (self._again, self._back, self._check)), (handing, (self._name, self._hand_in))):
            row.setSpacing(8)
            for part in parts:
                row.addWidget(part, 1 if part is self._name else 0)
        checking.insertStretch(1, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(MARGIN, 8, MARGIN, 10)
        foot.setSpacing(8)
        foot.addLayout(checking)
        foot.addLayout(handing)
        return foot

    def _button(self, title: Message, run: Callable[[], object]) -> QPushButton:
        made = QPushButton(self._look.text(title))
        made.clicked.connect(lambda: run())
        return made

    def _show(self, trying: Trying | None) -> None:
        if trying is not None and trying.challenge is self._challenge:  # else another page is shown
            self._content.refresh(trying)


def hide_button(look: Look, hide: Callable[[], object]) -> QToolButton:
    """Closes the panel."""
    made = QToolButton()
    made.setIcon(look.icon("x"))
    made.setToolTip(look.text(message("Hide the challenges")))
    made.setAccessibleName(look.text(message("Hide the challenges")))
    made.clicked.connect(lambda: hide())
    return made
