"""Fields for a whole number, or the name of one, and for a short text: a bad value is never passed on, and the field says why."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.core.base.parsing import number_list, parameter_value, whole_number
from app.qt.base.look import Look
from app.qt.widgets.labels import ElidedLabel, label, mark_refused, reason_label, show_reason
from app.qt.widgets.terms import term_tip, with_terms
from kernels.base.messages import Message
from kernels.base.spec import Parameter

Propose = Callable[[int], Message | None]
_LARGEST = 1 << 20
_WIDE, _NARROW = 84, 56


class NumberField(QWidget):
    """Label, line edit and, below, the reason. `propose` takes the typed number and returns why it is refused, or None.

    `short` takes the title's place in a narrow field, the title then being its tooltip. With `reason` the reason is shown there.
    The values of `named` are typed and shown by their names. `several` is why a list of numbers is refused.
    """

    def __init__(
        self, look: Look, title: Message, propose: Propose, *,
        short: str = "", reason: QLabel | None = None, named: Parameter | None = None, several: Message | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._look = look
        self._title = title
        self._propose = propose
        self._named = named
        self._several = several
        self.edit = _NumberEdit(self)
        self.edit.setFont(look.theme.font("body"))
        self.edit.setAccessibleName(look.text(title))
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(look.px(_NARROW if short else _WIDE))
        self.edit.setProperty("narrow", bool(short))
        self.edit.textEdited.connect(self._edited)
        self.edit.editingFinished.connect(self._settle)
        self._value = self._settled = 0
        self._reason = reason_label(look, self) if reason is None else reason
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4 if short else 8)
        caption = label(look, short or title, rank=2)
        caption.setWordWrap(not short)
        row.addWidget(caption, 1)
        self.setToolTip(with_terms(look.text(title) if short else "", term_tip(look, title)))
        row.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        if reason is None:
            column.addWidget(self._reason)

    def show_value(self, value: int) -> None:
        """Show the accepted value, unless the user is typing. Another one than before takes a refusal's reason away."""
        changed, self._value = value != self._value, value
        if not self.edit.hasFocus():
            self._settle()
            if changed:
                self._show_reason(None)

    def _edited(self, text: str) -> None:
        """What is typed takes effect at once. If it turns out refused, so does what its first digits had done: 6 of 64."""
        named = self._named
        parsed = whole_number(self._title, text, -_LARGEST, _LARGEST) if named is None else parameter_value(self._title, text, named)
        reason = parsed if isinstance(parsed, Message) else self._propose(parsed)
        if isinstance(parsed, Message) and isinstance(number_list(self._title, text, -_LARGEST, _LARGEST), tuple):
            reason = self._several or reason
        if reason is not None and self._value != self._settled:
            self._propose(self._settled)
        self._show_reason(reason)

    def _settle(self) -> None:
        """Leaving the field shows the value that holds. Why another one was refused can be read until the field is entered again."""
        self._settled = self._value
        self.edit.setText(str(self._value) if self._named is None else self._named.written(self._value))
        mark_refused(self.edit, self._look, None)

    def take_back(self) -> None:
        """Have the value of before it was edited hold again, and show it."""
        if self._value != self._settled:
            self._propose(self._settled)
        self._settle()
        self.forget_reason()

    def forget_reason(self) -> None:
        """Let what was refused be over."""
        self._show_reason(None)

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self._reason, self._look, reason)
        mark_refused(self.edit, self._look, reason)


FOCUS_COMES_BACK = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons for which a field's focus leaves for a menu or another window, and comes back."""


class _NumberEdit(QLineEdit):
    """Escape brings back the value of before; where that stands there it is for what the field lies in."""

    def __init__(self, field: NumberField) -> None:
        super().__init__(field)
        self._field = field

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() not in FOCUS_COMES_BACK:
            self._field.forget_reason()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.text()
        if event.key() == Qt.Key.Key_Escape:
            self._field.take_back()
            event.setAccepted(self.text() != before)
        else:
            super().keyPressEvent(event)


WIDTH = 132
REST_MS = 300
"""How long the keys must rest before what was typed takes effect."""


class TextField(QWidget):
    """Label, line edit and, below, the reason. `propose` takes the typed text and returns why it is refused, or None.

    `may_be` says what can be entered: below the field, and its reason, while it has the focus.
    """

    resized = Signal()

    def __init__(self, look: Look, name: str, detail: str, propose: Callable[[str], Message | None], may_be: str = "") -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._value = self._entered = ""
        self._refused = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.apply)
        self.edit = _TextEdit(self)
        self.edit.setFont(look.theme.font("code"))
        self.edit.setFixedWidth(look.px(WIDTH))
        self.edit.setAccessibleName(f"{name} {detail}".strip())
        self.edit.textEdited.connect(lambda _text: self._rest.start())
        self.edit.editingFinished.connect(self.apply)
        self.reason = reason_label(look, self)
        self.may_be = label(look, may_be, "small", rank=3, parent=self)
        self.may_be.setWordWrap(True)
        self.may_be.hide()
        self.edit.setToolTip(may_be)
        self.edit.setPlaceholderText(may_be)
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
        column.addWidget(self.reason)
        column.addWidget(self.may_be)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def tell(self, *, focused: bool) -> None:
        """Say what can be entered while the field has the focus; what holds then comes back with Escape."""
        self._entered = self._value
        self.may_be.setVisible(focused and bool(self.may_be.text()))

    def show_value(self, value: str) -> None:
        """Show the accepted value, unless the user is typing, or typed what is refused: that stays, with the reason."""
        changed, self._value = value != self._value, value
        if not self.edit.hasFocus() and (changed or not self._refused):
            self.restore()

    def restore(self) -> None:
        """Show the value that holds."""
        self._rest.stop()
        self._refused = False
        self.edit.setText(self._value)
        self._show_reason(None)

    def take_back(self) -> None:
        """Have the value of before it was edited hold again, and show it."""
        if self._value != self._entered and self._propose(self._entered) is None:
            self._value = self._entered
        self.restore()

    def apply(self) -> Message | None:
        """Let what is typed take effect now; returns why it cannot."""
        self._rest.stop()
        text = self.edit.text()
        reason = self._propose(text) if text != self._value else None
        self._refused = reason is not None
        if reason is None:
            self._value = text
        self._show_reason(reason)
        return reason

    def _show_reason(self, reason: Message | None) -> None:
        show_reason(self.reason, self._look, reason)
        mark_refused(self.edit, self._look, reason)


class _TextEdit(QLineEdit):
    """Escape brings back the value of before, or is for what the field lies in; Return keeps the focus and the reason in sight."""

    def __init__(self, field: TextField) -> None:
        super().__init__(field)
        self._field = field

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._field.tell(focused=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._field.tell(focused=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.text()
        if event.key() == Qt.Key.Key_Escape:
            self._field.take_back()
            event.setAccepted(self.text() != before)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._field.apply()
        else:
            super().keyPressEvent(event)
