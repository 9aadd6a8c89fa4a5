"""The challenge that is tried: what it says, and the buttons that check it, begin it again and hand it in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.core.challenges.practice import Practice, Trying
from app.qt.binding import bind, set_shown
from app.qt.challenges.content import Content
from app.qt.look import Look
from app.qt.widgets.side_panel import SidePage, hide_button, leave_button, page_head, push_button
from kernels.messages import message

HIDE = message("Hide the challenges")
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class PanelActions:
    """What the panel calls; `name` is what the student was called the last time."""

    open: Callable[[Challenge], object]
    hide: Callable[[], object]
    hand_in: Callable[[str], object]
    name: str = ""


class TryPage(SidePage):
    """Follows one challenge. Its texts scroll where there is no room for all of them."""

    def __init__(self, look: Look, practice: Practice, begun: Trying, actions: PanelActions) -> None:
        title = begun.challenge.text(look.translator.language).title
        super().__init__(title)
        self._look = look
        self._practice = practice
        self._challenge = begun.challenge
        self._content = Content(look, begun, practice)
        self._again = push_button(look, message("Start again"), practice.start_again)
        self._back = push_button(look, message("Back to the text"), practice.desk.show)
        self._check = push_button(look, message("Check"), self._check_or_stop)
        self._check.setProperty("primary", "true")
        self._name = QLineEdit(actions.name)
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setPlaceholderText(look.text(message("Your name")))
        self._name.setAccessibleName(look.text(message("Your name")))
        self._hand_in = push_button(look, message("Hand in…"), lambda: actions.hand_in(self._name.text()))
        self.arrange(self._head(title, actions.hide), self._foot())
        self.area.setWidget(self._content)
        bind(self, practice.trying, self._show)
        bind(self, practice.seconds, self._count)
        bind(self, practice.desk.on_stage, lambda shown: set_shown(self._back, not shown))

    def _head(self, title: str, hide: Callable[[], object]) -> QWidget:
        hint = message("Leave the challenge. What you have made of it is kept.")
        leave = leave_button(self._look, message("Challenges"), hint, self._practice.close)
        return page_head(self._look, title, leave, hide_button(self._look, HIDE, hide))

    def _foot(self) -> QVBoxLayout:
        checking, handing = QHBoxLayout(), QHBoxLayout()
        for row, parts in ((checking, (self._again, self._back, self._check)), (handing, (self._name, self._hand_in))):
            row.setSpacing(8)
            for part in parts:
                row.addWidget(part, 1 if part is self._name else 0)
        checking.insertStretch(1, 1)
        foot = QVBoxLayout()
        foot.addLayout(checking)
        foot.addLayout(handing)
        return foot

    def _check_or_stop(self) -> None:
        if self._practice.seconds.value:
            self._practice.stop()
        else:
            self._practice.check()

    def _count(self, seconds: int) -> None:
        """A check that takes long can be stopped; what is over at once has no such button."""
        self._check.setText(self._look.text(message("Stop") if seconds else message("Check")))
        self._content.show_seconds(seconds)

    def _show(self, trying: Trying | None) -> None:
        if trying is not None and trying.challenge is self._challenge:  # else another page is shown
            self._content.refresh(trying)
