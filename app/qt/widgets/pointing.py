"""Tells when somebody points at a widget, with the mouse or with the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

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
