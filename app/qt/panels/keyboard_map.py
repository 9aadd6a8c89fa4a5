"""The map of the keyboard, made of the very commands that the keys call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.qt.commands import Command, Hint, shown_keys
from app.qt.look import Look
from app.qt.widgets.labels import label
from app.qt.widgets.overlay import Overlay
from kernels.messages import Message, message

_SIZE = (1060, 620)
_MARGIN = 12


class KeyboardMap(Overlay):
    """Groups of keys and what they do, side by side; each pair of labels is one row."""

    def __init__(self, look: Look, over: QWidget, groups: Mapping[Message, Sequence[Command | Hint]]) -> None:
        super().__init__(look, over, _middle)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setSpacing(28)
        for title, commands in groups.items():
            row.addLayout(self._group(title, commands))
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setWidget(content)
        self._area.setAccessibleName(look.text(message("Keyboard map")))
        self.column.addWidget(self._area)

    def toggle(self) -> None:
        """Show it, or close it."""
        if self.isHidden():
            self.open(message("Keyboard map"), self._area)
        else:
            self.leave()

    def _group(self, title: Message, commands: Sequence[Command | Hint]) -> QVBoxLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        for line, command in enumerate(commands):
            keys = label(self.look, " / ".join(shown_keys(each) for each in command.keys), "label")
            grid.addWidget(keys, line, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._what(command.title), line, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout()
        column.addWidget(label(self.look, title, "section", rank=2))
        column.addLayout(grid)
        column.addStretch(1)
        return column

    def _what(self, title: Message) -> QLabel:
        made = label(self.look, title)
        made.setWordWrap(True)
        return made


def _middle(area: QRect) -> QRect:
    width, height = (min(wanted, room - 2 * _MARGIN) for wanted, room in zip(_SIZE, (area.width(), area.height()), strict=True))
    return QRect(area.left() + (area.width() - width) // 2, area.top() + (area.height() - height) // 2, width, height)
