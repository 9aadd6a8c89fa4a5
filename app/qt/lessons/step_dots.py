"""The steps of a lesson as a row of dots: which is shown, which are done. A click goes to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip

from app.qt.look import Look
from app.qt.widgets.zoomed import Zoomed

_HEIGHT = 24
_WIDEST = 24.0
_RADII = 4.5, 6.5
"""Of a dot, and of that of the step that is shown."""


class StepDots(Zoomed):
    """`titles` are what the steps are about; `go` is called with the number of a step."""

    def __init__(self, look: Look, titles: Sequence[str], go: Callable[[int], object]) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._titles = titles
        self._go = go
        self._number = 0
        self._done: frozenset[int] = frozenset()
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_place(self, number: int, done: frozenset[int]) -> None:
        """Which step is shown, and which are done, by number."""
        self._number, self._done = number, done
        self.update()

    def sizeHint(self) -> QSize:
        return self.grown(QSize(int(_WIDEST * len(self._titles)), _HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._look.theme
        painter = self.painter()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number in range(len(self._titles)):
            shown, done = number == self._number, number in self._done
            radius = min(_RADII[shown], self._pitch / 2 - 0.5)
            painter.setPen(QPen(theme.now if shown else theme.line2, 1.5))
            painter.setBrush(theme.now if shown else theme.line2 if done else theme.bg1)
            painter.drawEllipse(self._middle(number), radius, radius)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if number is not None and event.button() is Qt.MouseButton.LeftButton:
            self._go(number)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self._at(QPointF(event.pos()) / self._zoom)
            if number is not None:
                QToolTip.showText(event.globalPos(), f"<p>{number + 1}&nbsp; {escape(self._titles[number])}</p>", self)
            return True
        return super().event(event)

    @property
    def _pitch(self) -> float:
        return min(_WIDEST, self.width() / max(len(self._titles), 1))

    def _middle(self, number: int) -> QPointF:
        return QPointF((number + 0.5) * self._pitch, self.height() / 2)

    def _at(self, point: QPointF) -> int | None:
        number = int(point.x() // self._pitch) if self._pitch else -1
        return number if 0 <= number < len(self._titles) and QRectF(self.rect()).contains(point) else None
