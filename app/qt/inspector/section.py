"""A part of the inspector: a heading with a remark at its right, and what belongs to it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.qt.base.look import Look
from app.qt.widgets.labels import label, rule
from app.qt.widgets.terms import explain
from kernels.base.messages import Message

_LINE = 3
"""Pixels of the lines above and below a section that has the focus: a ring would go through its letters."""


class Section(QWidget):
    """Add to `column`. `remark` is a label at the right of the heading. What is covered is out of sight, whoever shows it."""

    def __init__(self, look: Look, title: Message, *, ruled: bool = True) -> None:
        super().__init__()
        self.look = look
        self._wanted, self._covered = True, False
        self.remark = label(look, "", "small", rank=3)
        self.remark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.remark.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)
        if ruled:
            self.column.addWidget(rule(vertical=False))
            self.column.addSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(8)
        self.heading = label(look, title, "section")
        explain(self.heading, look, title)
        head.addWidget(self.heading)
        head.addWidget(self.remark, 1)
        self.column.addLayout(head)

    def be_a_stop(self, *, wanted: bool = True) -> None:
        """Let Tab come to the section, so that keys bring to sight what it says: nothing in it has the focus."""
        self.column.setContentsMargins(0, 0, 0, 2 * _LINE)
        self.setAccessibleName(self.heading.text())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if wanted else Qt.FocusPolicy.NoFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter, ink = QPainter(self), self.look.theme.ink
            painter.fillRect(0, 0, self.width(), _LINE, ink)
            painter.fillRect(0, self.height() - _LINE, self.width(), _LINE, ink)

    def setVisible(self, visible: bool) -> None:
        self._wanted = visible
        super().setVisible(visible and not self._covered)

    def cover(self, *, covered: bool) -> None:
        """Keep it out of sight, or let it be shown again where it was."""
        if covered != self._covered:
            self._covered = covered
            super().setVisible(self._wanted and not covered)
