"""The map of the keyboard, made of the very commands that the keys call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.help.pages import says
from app.qt.commands import Command, Hint, shown_keys
from app.qt.look import Look
from app.qt.widgets.labels import label, repolish
from kernels.messages import Message, message


class KeyboardMap(QScrollArea):
    """Groups of keys and what they do, side by side; each pair of labels is one row."""

    def __init__(self, look: Look, groups: Mapping[Message, Sequence[Command | Hint]]) -> None:
        super().__init__()
        self._look = look
        self._rows: list[tuple[QLabel, QLabel]] = []
        content = QWidget()
        row = QHBoxLayout(content)
        row.setSpacing(look.px(28))
        for title, commands in groups.items():
            row.addLayout(self._group(title, commands))
        self.setWidgetResizable(True)
        self.setWidget(content)
        self.setAccessibleName(look.text(message("Keyboard map")))

    def mark(self, words: Sequence[str]) -> None:
        """Leave only those rows in full strength that say all words."""
        for keys, what in self._rows:
            rank = "1" if says((f"{keys.text()} {what.text()}",), words) else "3"
            for part in (keys, what):
                part.setProperty("rank", rank)
                repolish(part)

    def _group(self, title: Message, commands: Sequence[Command | Hint]) -> QVBoxLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(self._look.px(12))
        grid.setVerticalSpacing(self._look.px(5))
        for line, command in enumerate(commands):
            keys = label(self._look, " / ".join(shown_keys(each) for each in command.keys), "label")
            what = label(self._look, command.title)
            what.setWordWrap(True)
            self._rows.append((keys, what))
            grid.addWidget(keys, line, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(what, line, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout()
        head = label(self._look, title, "section", rank=2)
        head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        column.addWidget(head)
        column.addLayout(grid)
        column.addStretch(1)
        return column
