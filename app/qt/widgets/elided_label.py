"""A label that shortens its text with an ellipsis where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

from app.qt.widgets.terms import with_terms


class ElidedLabel(QLabel):
    """One line. The whole text stays the tooltip where it is shortened."""

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
