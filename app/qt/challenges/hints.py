"""Hints that were asked for, one below the other, and the button that shows one more."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.core.challenges.challenge import Challenge
from app.qt.lessons.prose_label import ProseLabel
from app.qt.look import Look
from app.qt.widgets.labels import label
from kernels.messages import message


class Hints(QWidget):
    """Those of one challenge."""

    def __init__(self, look: Look, challenge: Challenge, show_hint: Callable[[], object]) -> None:
        super().__init__()
        self._look = look
        self._names = challenge.hints
        self._texts = challenge.text(look.translator.language).steps
        self._shown = 0
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
        self.more = QPushButton()
        self.more.clicked.connect(lambda: show_hint())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(self._column)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_first(0)

    def show_first(self, count: int) -> None:
        """Show so many; those that are shown stay."""
        for name in self._names[self._shown : count]:
            self._add(name)
        self._shown = max(count, self._shown)
        left = self._shown < len(self._names)
        self.more.setVisible(left)
        if left:
            self.more.setText(self._look.text(message("Show hint {number} of {count}", number=self._shown + 1, count=len(self._names))))

    def _add(self, name: str) -> None:
        said = self._texts[name]
        headline = label(self._look, said.headline, "section")
        headline.setWordWrap(True)
        prose = ProseLabel(self._look, said.narration)
        prose.fill({})
        self._column.addWidget(headline)
        self._column.addWidget(prose)
        self._column.addSpacing(4)
