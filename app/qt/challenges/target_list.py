"""What a challenge wants, line by line: whether it is so, said by a sign and in words, and what is the case now."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.core.challenges.words import Line
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.messages import Message, message

MARK_WIDTH = 22
MARKS = {True: "✓", False: "✕", None: "·"}
SAID: dict[bool | None, Message] = {True: message("Met"), False: message("Not met"), None: message("Not checked yet")}


class TargetList(QWidget):
    """Made anew for each verdict: there are few lines."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._shown: tuple[Line, ...] = ()

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show these in place of those before."""
        lines = tuple(lines)
        if lines == self._shown:
            return
        self._shown = lines
        while (item := self._column.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for line in lines:
            self._column.addWidget(self._row(line))

    def _row(self, line: Line) -> QWidget:
        look = self._look
        mark = label(look, MARKS[line.met], "fact")
        mark.setFixedWidth(look.px(MARK_WIDTH))
        if line.met is False:
            mark.setProperty("tone", "bad")
        texts = [self._wrapped(look.text(line.wanted), "section", 1)]
        texts += [self._wrapped(look.text(each), "body", 2) for each in line.found]
        row = QWidget()
        row.setAccessibleName(look.text(message("{met}: {target}", met=SAID[line.met], target=line.sentence)))
        column = QVBoxLayout()
        column.setSpacing(2)
        for each in texts:
            column.addWidget(each)
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        across.addLayout(column, 1)
        return row

    def _wrapped(self, text: str, role: str, rank: int) -> QLabel:
        made = label(self._look, text, role, rank)
        made.setWordWrap(True)
        return made
