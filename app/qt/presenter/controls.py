"""How the hall's answer is given: by a button, or typed."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from app.core.presenter.slide import Mark, ShownChoice
from app.qt.look import Look
from app.qt.presenter.text import Placed
from app.qt.presenter.type import NUMBER, STRONG, type_of
from kernels.messages import message

_SIGNS = {Mark.RIGHT: "✓", Mark.WRONG: "✕"}


class ChoiceButton(QAbstractButton):
    """An answer that can be chosen, or what became of it: the right one is filled and ticked, a wrong one crossed."""

    def __init__(self, look: Look, choice: ShownChoice, unit: float, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._choice, self._unit = look, choice, unit
        self._label: Placed | None = None
        self.setText(choice.text)
        self.setAccessibleName(f"{choice.text} {_SIGNS.get(choice.mark, '')}".strip())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if choice.mark is Mark.OPEN else Qt.FocusPolicy.NoFocus)
        self.setEnabled(choice.mark is Mark.OPEN)
        self.setMouseTracking(True)

    def place(self, place: QRectF, label: Placed) -> None:
        """Stand there, with this label in pixels of the sheet."""
        self.setGeometry(place.toAlignedRect())
        corner = QPointF(self.pos())
        self._label = Placed(label.document, label.place.translated(-corner), label.units)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, mark, unit = self._look.theme, self._choice.mark, self._unit
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edges = {Mark.RIGHT: theme.ink, Mark.WRONG: theme.bad, Mark.CHOSEN: theme.ink, Mark.LEFT: theme.line}
        strong = mark in (Mark.CHOSEN, Mark.WRONG) or self.hasFocus() or self.underMouse()
        painter.setPen(QPen(theme.ink if self.hasFocus() else edges.get(mark, theme.line2), (4 if strong else 2) * unit))
        painter.setBrush(theme.ink if mark is Mark.RIGHT else theme.bg1)
        inset = 2 * unit
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 12 * unit, 12 * unit)
        if self._label is not None:
            self._label.paint(painter)
        if mark in _SIGNS:
            painter.setFont(type_of(36, unit, STRONG))
            painter.setPen(theme.ink_text if mark is Mark.RIGHT else theme.bad)
            corner = QRectF(self.rect()).adjusted(0, 4 * unit, -14 * unit, -4 * unit)
            flags = Qt.AlignmentFlag.AlignRight | (Qt.AlignmentFlag.AlignTop if self._short else Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(corner, flags, _SIGNS[mark])
        painter.end()

    @property
    def _short(self) -> bool:
        return self.width() < 400 * self._unit


class NumberField(QLineEdit):
    """Where the hall's answer is typed. It has the keys only while it was clicked into; Escape gives them back."""

    number = Signal(object)

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setPlaceholderText("?")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(look.text(message("Your answer")))
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.hide()

    def place(self, place: QRectF, unit: float) -> None:
        """Stand there."""
        self.setGeometry(place.toAlignedRect())
        self.setFont(type_of(NUMBER, unit, STRONG))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._answer()
        elif event.key() in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _answer(self) -> None:
        try:
            given = float(self.text().replace("−", "-").replace(" ", "").replace(",", "."))
        except ValueError:
            given = math.nan
        if not math.isfinite(given):
            self.selectAll()
            return
        self.clearFocus()
        self.number.emit(given)
