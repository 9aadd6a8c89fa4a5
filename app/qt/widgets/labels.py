"""Labels by role, the reason below a refused field, a label that shortens its text with an ellipsis, and a hairline."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QWidget

from app.qt.base.look import Look
from app.qt.widgets.terms import with_terms
from kernels.base.messages import Message


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


class ElidedLabel(QLabel):
    """Label of one line. The whole text stays the tooltip where it is shortened."""

    _brief = ""
    _meaning = ""

    def say(self, text: str, brief: str = "") -> None:
        """Show `text`; where it has no room `brief` instead, if there is one, and else as much of it as fits."""
        self._brief = brief
        self.setText(text)

    def explain(self, meaning: str) -> None:
        """What the tooltip says, after the whole text where it is shortened."""
        self._meaning = meaning
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self._fitting()
        whole = self.text() if shown != self.text() else ""
        rich = self._meaning.startswith("<p>")
        self.setToolTip(with_terms(whole, self._meaning) if rich else "\n".join(filter(None, (whole, self._meaning))))
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _fitting(self) -> str:
        metrics, text = self.fontMetrics(), self.text()
        if self._brief and metrics.horizontalAdvance(text) > self.width():
            text = self._brief
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, self.width())


def rule(vertical: bool) -> QFrame:
    """A line of one pixel."""
    line = QFrame()
    line.setProperty("rule", "left" if vertical else "top")
    if vertical:
        line.setFixedWidth(1)
    else:
        line.setFixedHeight(1)
    return line
