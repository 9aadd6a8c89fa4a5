"""A button that paints itself, and knows whether the pointer is on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QAbstractButton


class HoverButton(QAbstractButton):
    """`hovered` is what a subclass asks when it paints. The tab key stops at it."""

    def __init__(self) -> None:
        super().__init__()
        self.hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered = False
        self.update()
        super().leaveEvent(event)
