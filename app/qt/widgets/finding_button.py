"""The button that counts findings, and leads from one to the next."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.qt.base.look import Look
from kernels.base.messages import Message, message


class FindingButton(QToolButton):
    """Button with a count of findings; hidden where there is none. `called` goes to the next one."""

    def __init__(self, look: Look, called: Callable[[], object]) -> None:
        super().__init__()
        self._look = look
        self.setFont(look.theme.font("small"))
        self.setIcon(look.icon("triangle-alert", look.theme.bad))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(look.text(message("Next finding")))
        self.setStyleSheet(f"QToolButton {{ padding: 1px 6px; color: {look.theme.bad.name()}; }}")
        self.clicked.connect(lambda: called())
        self.hide()

    def show_count(self, words: Message | None) -> None:
        """Say how many there are; None: there is none."""
        text = "" if words is None else self._look.text(words)
        self.setText(text)
        self.setAccessibleName(text)
        self.setVisible(words is not None)
