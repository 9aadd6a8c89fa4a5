"""What is to be thought of a step, large."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.launch.verdict import Verdict
from app.qt.launch.badge import CHECK, WARNING
from app.qt.look import Look

HEIGHT = 28


class VerdictLabel(QWidget):
    """A check mark and ink, or a triangle and crimson; empty where there is no verdict."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: Verdict | None = None
        self._font = look.theme.font("view_caption")
        self.text = ""
        self.setFixedHeight(look.px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_verdict(self, verdict: Verdict | None) -> None:
        """Say it; nothing is done where it is what is said already."""
        if verdict == self._shown:
            return
        self._shown = verdict
        self.text = "" if verdict is None else f"{CHECK if verdict.good else WARNING} {self._look.text(verdict.text)}"
        self.setAccessibleName(self.text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._font).horizontalAdvance(self.text)) + 4, self._look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width() * 2 // 3, self._look.px(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._shown is None:
            return
        painter = QPainter(self)
        font = self._font if self.width() >= self.sizeHint().width() else self._look.theme.font("section")
        painter.setFont(font)
        painter.setPen(self._look.theme.t1 if self._shown.good else self._look.theme.bad)
        shown = QFontMetricsF(font).elidedText(self.text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)
