"""The badge of a verdict: a check mark on grey, an outline, or a filled triangle. The number is always written."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.core.launch.verdict import Verdict
from app.qt.look import Look
from app.qt.widgets.steady_label import SteadyLabel
from app.qt.widgets.terms import term_tip, with_terms

HEIGHT = 22
CHECK, WARNING = "✓", "▲"


class Badge(SteadyLabel):
    """Empty while there is no verdict; its place is kept for the next one."""

    def __init__(self, look: Look) -> None:
        super().__init__(look.theme.font("label"), ground=look.theme.bg3)
        self._look = look
        self._shown: Verdict | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedHeight(look.px(HEIGHT))

    def show_verdict(self, verdict: Verdict | None) -> None:
        """Say it; nothing is done where it is what is said already."""
        if verdict == self._shown:
            return
        self._shown = verdict
        theme = self._look.theme
        text = "" if verdict is None else self._look.text(verdict.text)
        self.setToolTip("" if verdict is None else with_terms(text, term_tip(self._look, verdict.text)))
        if verdict is None:
            self.setText("")
        elif verdict.good:
            self.colour(theme.t1, theme.bg3, theme.bg3)
            self.setText(f"{CHECK} {text}")
        elif verdict.severe:
            self.colour(theme.bad, theme.bad_bg, theme.bad)
            self.setText(f"{WARNING} {text}")
        else:
            self.colour(theme.bad, theme.bg1, theme.bad)
            self.setText(text)
