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

MOST_COLUMNS = 3


class KeyboardMap(QScrollArea):
    """Groups of keys and what they do, side by side; each pair of labels is one row."""

    def __init__(self, look: Look, groups: Mapping[Message, Sequence[Command | Hint]]) -> None:
        super().__init__()
        self._look = look
        self._rows: list[tuple[QLabel, QLabel]] = []
        content = QWidget()
        row = QHBoxLayout(content)
        row.setSpacing(look.px(28))
        for titles in _columns(groups):
            column = QVBoxLayout()
            for title in titles:
                column.addLayout(self._group(title, groups[title]))
            column.addStretch(1)
            row.addLayout(column)
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
        column.addSpacing(self._look.px(14))
        return column


def _columns(groups: Mapping[Message, Sequence[Command | Hint]]) -> list[list[Message]]:
    """Which groups stand below each other: side by side as long as there is room, then below the one that is shortest."""
    columns: list[list[Message]] = []
    for title in groups:
        if len(columns) < MOST_COLUMNS:
            columns.append([title])
        else:
            min(columns, key=lambda column: sum(len(groups[each]) for each in column)).append(title)
    return columns
