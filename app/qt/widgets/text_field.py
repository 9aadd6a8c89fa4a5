"""A field for a short text that says beside itself why it cannot be, and never passes a bad one on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.qt.look import Look
from app.qt.widgets.elided_label import ElidedLabel
from app.qt.widgets.labels import label, mark_refused, reason_label, show_reason
from kernels.messages import Message

WIDTH = 132
REST_MS = 300
"""How long the keys must rest before what was typed takes effect."""


class TextField(QWidget):
    """Label, line edit and, below, the reason. `propose` takes the typed text and returns why it is refused, or None."""

    def __init__(self, look: Look, name: str, detail: str, propose: Callable[[str], Message | None]) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._value = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.apply)
        self.edit = _Edit(self)
        self.edit.setFont(look.theme.font("code"))
        self.edit.setFixedWidth(look.px(WIDTH))
        self.edit.setAccessibleName(f"{name} {detail}".strip())
        self.edit.textEdited.connect(lambda _text: self._rest.start())
        self.edit.editingFinished.connect(self._settle)
        self._reason = reason_label(look, self)
        title, kind = label(look, name), ElidedLabel(detail)
        kind.setFont(look.theme.font("small"))
        kind.setProperty("rank", "3")
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(title)
        row.addWidget(kind, 1)
        row.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._reason)

    def show_value(self, value: str) -> None:
        """Show the accepted value, unless the user is typing."""
        self._value = value
        if not self.edit.hasFocus():
            self.restore()

    def restore(self) -> None:
        """Show the value that holds."""
        self._rest.stop()
        self.edit.setText(self._value)
        self._show_reason(None)

    def apply(self) -> Message | None:
        """Let what is typed take effect now; returns why it cannot."""
        self._rest.stop()
        text = self.edit.text()
        reason = self._propose(text) if text != self._value else None
        if reason is None:
            self._value = text
        self._show_reason(reason)
        return reason

    def _settle(self) -> None:
        """Leaving the field keeps what holds."""
        if self.apply() is not None:
            self.restore()

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self._reason, self._look, reason)
        mark_refused(self.edit, self._look, reason)


class _Edit(QLineEdit):
    """Escape brings back the last good value; Return keeps the focus and the reason in sight."""

    def __init__(self, field: TextField) -> None:
        super().__init__(field)
        self._field = field

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._field.restore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._field.apply()
        else:
            super().keyPressEvent(event)
