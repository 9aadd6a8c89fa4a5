"""A field for a list of numbers that says beside itself why a text cannot be."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.qt.look import Look
from app.qt.widgets.labels import label, mark_refused, reason_label, show_reason
from kernels.messages import Message

Propose = Callable[[str], Message | None]


class ListField(QWidget):
    """`propose` takes the typed text and returns why it is refused, or None. Leaving the field or Escape brings back the last good list."""

    def __init__(self, look: Look, title: Message, hint: Message, propose: Propose) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._values: tuple[int, ...] = ()
        self._settled: tuple[int, ...] = ()
        self._written: Callable[[int], str] = str
        self.edit = QLineEdit()
        self.edit.setFont(look.theme.font("body"))
        self.edit.textEdited.connect(self._edited)
        self.edit.installEventFilter(self)
        self.reason = reason_label(look, self)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        self._title = label(look, title, rank=2)
        row.addWidget(self._title)
        row.addWidget(self.edit, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.reason)
        self.show_title(title, hint)

    def show_values(self, values: tuple[int, ...], written: Callable[[int], str] = str) -> None:
        """Show the accepted list, each value as `written`, but leave a text alone that is being typed."""
        self._values, self._written = values, written
        if not self.edit.hasFocus():
            self.restore()

    def show_title(self, title: Message, hint: Message) -> None:
        """Show what the list is of, and what may be typed."""
        self._title.setText(self._look.text(title))
        self.edit.setAccessibleName(self._look.text(title))
        self.edit.setToolTip(self._look.text(hint))

    def restore(self) -> None:
        """Show the last good list."""
        self._settled = self._values
        self.edit.setText(self._listed(self._values))
        self._show_reason(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape
        if escape or event.type() is QEvent.Type.FocusOut:
            self.restore()
        return escape or super().eventFilter(watched, event)

    def _edited(self, text: str) -> None:
        """What is typed takes effect at once. If it turns out refused, so does what its beginning had done."""
        reason = self._propose(text)
        if reason is not None and self._values != self._settled:
            self._propose(self._listed(self._settled))
        self._show_reason(reason)

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self.reason, self._look, reason)
        mark_refused(self.edit, self._look, reason)

    def _listed(self, values: tuple[int, ...]) -> str:
        return ", ".join(map(self._written, values))
