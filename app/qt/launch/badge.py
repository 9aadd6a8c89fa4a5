"""The badge of a verdict: a check mark on grey, an outline, or a filled triangle. The number is always written."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from app.core.launch.verdict import Verdict
from app.qt.look import Look

HEIGHT = 22
CHECK, WARNING = "✓", "▲"


class Badge(QLabel):
    """Hidden while there is no verdict."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._shown: Verdict | None = None
        self.setFont(look.theme.font("label"))
        self.setFixedHeight(HEIGHT)
        self.hide()

    def show_verdict(self, verdict: Verdict | None) -> None:
        """Say it; nothing is done where it is what is said already."""
        if verdict == self._shown:
            return
        self._shown = verdict
        self.setVisible(verdict is not None)
        if verdict is None:
            return
        theme = self._look.theme
        text = self._look.text(verdict.text)
        if verdict.good:
            self.setText(f"{CHECK} {text}")
            self._style(theme.t1.name(), theme.bg3.name(), theme.bg3.name())
        elif verdict.severe:
            self.setText(f"{WARNING} {text}")
            self._style(theme.bad.name(), theme.bad_bg.name(), theme.bad.name())
        else:
            self.setText(text)
            self._style(theme.bad.name(), theme.bg1.name(), theme.bad.name())

    def _style(self, text: str, ground: str, border: str) -> None:
        shape = f"border-radius: {HEIGHT // 2}px; padding: 0 9px"
        self.setStyleSheet(f"color: {text}; background: {ground}; border: 1px solid {border}; {shape}")
