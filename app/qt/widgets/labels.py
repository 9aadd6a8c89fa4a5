"""Labels by role, and how a field says why it takes no text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app.qt.look import Look
from kernels.messages import Message


def label(look: Look, text: Message | str, role: str = "body", rank: int = 1, parent: QWidget | None = None) -> QLabel:
    """A label in the font of `role` and the text colour of `rank` (1 to 3). A plain string is not translated."""
    made = QLabel(look.text(text) if isinstance(text, Message) else text, parent)
    made.setFont(look.theme.font(role))
    made.setTextFormat(Qt.TextFormat.PlainText)
    if rank > 1:
        made.setProperty("rank", str(rank))
    return made


def reason_label(look: Look, parent: QWidget | None = None) -> QLabel:
    """An empty, hidden label for the sentence that says why something cannot be."""
    made = label(look, "", "small", parent=parent)
    made.setProperty("tone", "bad")
    made.setWordWrap(True)
    made.hide()
    return made


def show_reason(where: QLabel, look: Look, reason: Message | None) -> None:
    """Show the reason, with a sign before it so that colour is not all that tells; None hides the label."""
    where.setText("" if reason is None else f"✕ {look.text(reason)}")
    where.setVisible(reason is not None)


def mark_refused(edit: QLineEdit, look: Look, reason: Message | None) -> None:
    """Give a field the look of a refusal, and its reason to readers of the screen; None takes both away."""
    edit.setProperty("invalid", "true" if reason else "false")
    repolish(edit)
    edit.setAccessibleDescription(look.text(reason) if reason else "")


def repolish(widget: QWidget) -> None:
    """Let a changed property that the style sheet asks for take effect."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
