"""What there is to read of a challenge: its task, its targets as they stand, hints, and what is told when it is solved."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.challenges.practice import Practice, Trying
from app.core.challenges.words import lines_of
from app.qt.binding import set_shown
from app.qt.challenges.hints import Hints
from app.qt.challenges.target_list import TargetList
from app.qt.lessons.prose_label import ProseLabel
from app.qt.look import Look
from app.qt.widgets.labels import label, reason_label, show_reason
from app.qt.widgets.rule import rule
from app.qt.widgets.side_panel import MARGIN
from kernels.messages import message

CHECKING = message("Checking…")
CHECKED = message("Checked: this is how the text stands.")


class Content(QWidget):
    """Built for one challenge; `refresh` shows what changes. While a text is checked the verdict on the one before stays."""

    def __init__(self, look: Look, begun: Trying, practice: Practice) -> None:
        super().__init__()
        self._look = look
        text = begun.challenge.text(look.translator.language)
        task, solved = text.steps["task"], text.steps["solved"]
        self._solved = ProseLabel(look, solved.narration)
        self._headline = label(look, f"✓ {solved.headline}", "view_caption")
        self._state = label(look, "", "small", rank=2)
        self._fresh = begun.fresh
        self._trouble = reason_label(look, self)
        self._targets = TargetList(look)
        self._hints = Hints(look, begun.challenge, practice.show_hint)
        headline, prose = label(look, task.headline, "view_caption"), ProseLabel(look, task.narration)
        for each in (headline, self._headline):
            each.setWordWrap(True)
        for each in (prose, self._solved):
            each.fill({})
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, 14, MARGIN, 14)
        column.setSpacing(10)
        parts: tuple[QWidget, ...] = (
            headline, prose, rule(vertical=False), self._targets, self._trouble, self._state,
            self._headline, self._solved, rule(vertical=False), self._hints,
        )  # fmt: skip
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)

    def show_seconds(self, seconds: int) -> None:
        """For how long the text has been executed."""
        checking = message("Checking… {seconds} s", seconds=seconds) if seconds else CHECKING
        self._state.setText(self._look.text(CHECKED if self._fresh else checking))

    def refresh(self, trying: Trying) -> None:
        """Show what is known by now."""
        verdict = trying.verdict
        self._targets.show_lines(lines_of(trying.challenge, verdict, self._look.translator.language))
        show_reason(self._trouble, self._look, None if verdict is None else verdict.trouble)
        self._fresh = trying.fresh
        set_shown(self._state, not trying.fresh or verdict is None or verdict.trouble is None)
        self.show_seconds(0)
        self._headline.setVisible(trying.solved)
        self._solved.setVisible(trying.solved)
        self._hints.show_first(trying.hints)
