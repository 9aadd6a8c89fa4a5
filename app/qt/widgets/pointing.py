"""Pointing at widgets with mouse or keyboard: a notice of it, a button that paints itself, the one that counts findings, and the ring
round what has the focus.

The ring is for widgets whose focus no style sheet draws.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget

from app.qt.base.look import Look
from app.qt.base.theme import Theme
from kernels.base.messages import Message, message

_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_ENDS = (QEvent.Type.Leave, QEvent.Type.FocusOut, QEvent.Type.Hide)


class Pointing(QObject):
    """Calls `tell` with whether the mouse is over the widget, or it has the focus by the tab key."""

    def __init__(self, widget: QWidget, tell: Callable[[bool], None]) -> None:
        super().__init__(widget)
        self._tell = tell
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        by_keyboard = isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in _BY_KEYBOARD
        begins = event.type() is QEvent.Type.Enter or by_keyboard
        if begins or event.type() in _ENDS:
            self._tell(begins)
        return super().eventFilter(watched, event)


class HoverButton(QAbstractButton):
    """Button that a subclass paints: `hovered` tells whether the mouse is over it. The tab key stops at it."""

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


WIDTH = 2


def paint_ring(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    """Draw the ring inside the widget's edge if it has the focus."""
    if widget.hasFocus():
        draw_ring(painter, widget.rect(), theme)


def draw_ring(painter: QPainter, area: QRect, theme: Theme) -> None:
    """Draw the ring of what has the focus, inside its edge."""
    painter.setPen(QPen(theme.ink, WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(WIDTH // 2, WIDTH // 2, -WIDTH // 2, -WIDTH // 2))


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
