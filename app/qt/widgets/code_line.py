"""One line of source of which some parts are emphasised."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.qt.look import Look

HEIGHT = 20


class CodeLine(QWidget):
    """Cut at its right end where there is no room; the whole line is then its tooltip."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._font, self._bold = look.theme.font("code"), look.theme.font("code")
        self._bold.setBold(True)
        self._text = ""
        self._spans: tuple[tuple[int, int], ...] = ()
        self.setFixedHeight(look.px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        return self._text

    @property
    def emphasised(self) -> tuple[str, ...]:
        """The parts that are emphasised."""
        return tuple(self._text[first:last] for first, last in self._spans)

    def show_line(self, text: str, spans: tuple[tuple[int, int], ...]) -> None:
        """Show a line; `spans` are its emphasised parts, each from its first character to the one after its last."""
        if (text, spans) != (self._text, self._spans):
            self._text, self._spans = text, spans
            self.setAccessibleName(text)
            self.setToolTip(text if QFontMetricsF(self._bold).horizontalAdvance(text) > self.width() else "")
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self._bold).horizontalAdvance(self._text)), self._look.px(HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        left, done = 0.0, 0
        for first, last in (*self._spans, (len(self._text), len(self._text))):
            left = self._write(painter, self._text[done:first], left, strong=False)
            left = self._write(painter, self._text[first:last], left, strong=True)
            done = last

    def _write(self, painter: QPainter, text: str, left: float, *, strong: bool) -> float:
        """One part, as much of it as fits; where it ends."""
        font, room = self._bold if strong else self._font, self.width() - left
        metrics = QFontMetricsF(font)
        if not text or room <= 0:
            return left
        painter.setFont(font)
        painter.setPen(self._look.theme.t1 if strong else self._look.theme.t2)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, 0, room, self.height()), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        return left + metrics.horizontalAdvance(text)
