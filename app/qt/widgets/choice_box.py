"""A combo box of values that are shown by their titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox

from app.qt.look import Look
from kernels.messages import Message, message

T = TypeVar("T")
_NARROWEST = 80
"""In pixels: where there is little room, long titles are cut, and are whole in the tooltip."""


class ChoiceBox(QComboBox, Generic[T]):
    """Calls `picked` with the value that the user picks. A plain arrow in the theme's colour."""

    def __init__(self, look: Look, name: Message, picked: Callable[[T], None]) -> None:
        super().__init__()
        self._look, self._name = look, name
        self._values: list[T] = []
        self._titles: list[str] = []
        self._arrow = QPen(look.theme.t2, 1.6)
        self.setFont(look.theme.font("body"))
        self.setAccessibleName(look.text(name))
        self.setStyleSheet(f"QComboBox::drop-down {{ border: 0; width: {look.px(20)}px; }}")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(look.px(_NARROWEST))
        self.activated.connect(lambda index: picked(self._values[index]))

    def show_choices(self, choices: Sequence[tuple[T, Message]], chosen: T) -> None:
        """Offer these values, and show the one that holds; nothing where it is none of them."""
        self._values = [value for value, _ in choices]
        titles = [self._look.text(title) for _, title in choices]
        if titles != self._titles:
            self._titles = titles
            self.clear()
            self.addItems(titles)
        self.setCurrentIndex(self._values.index(chosen) if chosen in self._values else -1)
        tip = message("{place}: {reason}", place=self._name, reason=self.currentText()) if self.currentText() else self._name
        self.setToolTip(self._look.text(tip))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._arrow)
        tip = QPointF(self.width() - 14, self.height() / 2 + 2)
        painter.drawPolyline([tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)])
        painter.end()
