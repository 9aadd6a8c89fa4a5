"""The buttons that move the timeline."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.core.timeline import Timeline, Unit
from app.qt.binding import bind
from app.qt.look import Look
from kernels.messages import Message, message

_SIDE = 32


class Transport(QWidget):
    """To the start, back, play or pause, forward, next tile, to the end."""

    def __init__(self, look: Look, timeline: Timeline) -> None:
        super().__init__()
        self._look = look
        buttons = QHBoxLayout(self)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        self.to_start = icon_button(look, "to-start", message("To the start (Home)"), timeline.to_start)
        self.back = icon_button(look, "step-back", message("Back (←)"), timeline.back)
        self.play = icon_button(look, "play", message("Play (Space)"), timeline.toggle)
        self.forward = icon_button(look, "step-forward", message("Forward (→)"), timeline.forward)
        self.next_tile = icon_button(look, "next-tile", message("Next tile step (Ctrl →)"), lambda: timeline.next(Unit.TILE))
        self.to_end = icon_button(look, "to-end", message("To the end (End)"), timeline.to_end)
        ink = look.theme.ink.name()
        self.play.setStyleSheet(
            f"QToolButton {{ background: {ink}; padding: 0; border-radius: 6px; }}"
            f"QToolButton:focus {{ border: 2px solid {ink}; padding: 2px; background-clip: content; }}"
        )
        self.play.setFixedSize(QSize(look.px(46), look.px(_SIDE)))
        for button in (self.to_start, self.back, self.play, self.forward, self.next_tile, self.to_end):
            buttons.addWidget(button)
        bind(self, timeline.playing, self._show_playing)

    def _show_playing(self, playing: bool) -> None:
        hint = self._look.text(message("Pause (Space)") if playing else message("Play (Space)"))
        self.play.setIcon(self._look.icon("pause" if playing else "play", self._look.theme.ink_text, 18))
        self.play.setToolTip(hint)
        self.play.setAccessibleName(hint)


def icon_button(look: Look, icon: str, hint: Message, pressed: Callable[[], object]) -> QToolButton:
    """A square button with an icon; what it does is its tooltip and its name."""
    button = QToolButton()
    button.setStyleSheet("QToolButton { padding: 0; }")
    button.setIconSize(QSize(look.px(18), look.px(18)))
    button.setFixedSize(QSize(look.px(_SIDE), look.px(_SIDE)))
    button.setIcon(look.icon(icon, size=18))
    button.setToolTip(look.text(hint))
    button.setAccessibleName(look.text(hint))
    button.clicked.connect(lambda: pressed())
    return button
