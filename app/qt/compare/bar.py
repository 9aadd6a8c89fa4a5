"""The part of the stage's header that begins and ends a comparison, and chooses the view of both sides."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.core.compare.comparison import Comparison, Pair
from app.core.stage.model import Shown
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.gpu_view.gpu_stage import VIEWS
from app.qt.widgets.segmented import Segmented
from kernels.base.messages import Message, message

COMPARE = message("Compare with another rung or other settings")
PIN = message("Pin this launch, and compare it with another rung or other settings (P)")


class CompareBar(QWidget):
    """`tell` is given the reason where what is shown cannot be compared."""

    def __init__(self, look: Look, comparison: Comparison, tell: Callable[[Message], object]) -> None:
        super().__init__()
        self._look = look
        self._comparison = comparison
        self._tell = tell
        self.views = Segmented(
            look, message("View of both sides"), [(view, made.title, "") for view, made in VIEWS.items()], comparison.choose
        )
        self.button = QToolButton()
        self.button.setFont(look.theme.font("body"))
        self.button.setIconSize(QSize(look.px(16), look.px(16)))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self.toggle)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.views)
        row.addWidget(self.button)
        bind(self, comparison.view, self.views.show_choice)
        bind(self, comparison.pair, self._show_pair)
        bind(self, comparison.pinned, lambda _pinned: self._show_pair(comparison.pair.value))
        bind(self, comparison.live.shown, self._show_reason)

    def toggle(self) -> None:
        """Begin to compare or stop it; where that cannot be, say why."""
        reason = self._comparison.toggle()
        if reason is not None:
            self._tell(reason)

    def _show_pair(self, pair: Pair | None) -> None:
        self.views.setVisible(pair is not None)
        pinned = self._comparison.pinned.value is not None
        self.button.setIcon(self._look.icon("x" if pinned else "columns-2"))
        self.button.setText(self._look.text(message("Back to one launch") if pinned else message("Compare")))
        self._show_reason(self._comparison.live.shown.value)

    def _show_reason(self, _shown: Shown | None) -> None:
        """Why it cannot be compared, or what the button does."""
        pinned, reason = self._comparison.pinned.value, self._comparison.refusal
        said = self._look.text(reason or (PIN if pinned is None else message("Show one launch again (P or Esc)")))
        self.button.setToolTip(said)
        self.button.setAccessibleName(self.button.text())
        self.button.setAccessibleDescription(said)
