"""Combo box of values that are shown by their titles, and a field for a parameter whose values have names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from app.core.base.value_labels import value_text
from app.qt.base.look import Look
from app.qt.widgets.fields import Propose
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.terms import explain
from kernels.base.messages import Message, message
from kernels.base.spec import Parameter

T = TypeVar("T")
_NARROWEST = 80
"""In pixels: where there is little room, long titles are cut, and are whole in the tooltip."""


class PlainBox(QComboBox):
    """Combo box with a plain arrow in the theme's colour: the style's own has half a frame."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._arrow = QPen(look.theme.t2, 1.6)
        self.setFont(look.theme.font("body"))
        self.setStyleSheet(f"QComboBox::drop-down {{ border: 0; width: {look.px(20)}px; }}")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls around the box: who scrolls past it chooses nothing."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._arrow)
        tip = QPointF(self.width() - 14, self.height() / 2 + 2)
        painter.drawPolyline([tip + QPointF(-4, -4), tip, tip + QPointF(4, -4)])
        painter.end()


class ChoiceBox(PlainBox, Generic[T]):
    """Calls `picked` with the value that the user picks."""

    def __init__(self, look: Look, name: Message, picked: Callable[[T], None]) -> None:
        super().__init__(look)
        self._look, self._name = look, name
        self._values: list[T] = []
        self._titles: list[str] = []
        self.setAccessibleName(look.text(name))
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


class ChoiceField(QWidget):
    """Label, the names of the values to choose from and, below, the reason why one cannot be."""

    def __init__(self, look: Look, parameter: Parameter, title: Message, propose: Propose) -> None:
        super().__init__()
        self._look = look
        self._propose = propose
        self._value = parameter.default
        self._choices = [(value, value_text(parameter, value)) for value in range(len(parameter.names))]
        self._reason = reason_label(look, self)
        self.box = ChoiceBox[int](look, title, self._pick)
        caption = label(look, title, rank=2)
        explain(caption, look, title)
        caption.setWordWrap(True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(caption, 1)
        row.addWidget(self.box)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._reason)
        self.show_value(parameter.default)

    def show_value(self, value: int) -> None:
        """Show the accepted value."""
        self._value = value
        self.box.show_choices(self._choices, value)

    def _pick(self, value: int) -> None:
        show_reason(self._reason, self._look, self._propose(value))
        self.show_value(self._value)
