"""The bar that the pointer's motion brings: where the lesson stands, the animation, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.core.base.observable import Field
from app.core.base.timeline import UNIT_TITLES, Timeline
from app.core.stage.controller import TRACE_AGAIN
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.widgets.labels import label
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

TURN_UNIT = message("Forward and back: by another unit")
HEIGHT = 56
_BUTTON = 40


@dataclass(frozen=True, slots=True)
class BarActions:
    """Functions that its buttons call. `screen` None: there is no other screen to go to."""

    back: Callable[[], object]
    forward: Callable[[], object]
    theme: Callable[[], object]
    notes: Callable[[], object]
    screen: Callable[[], object] | None
    leave: Callable[[], object]
    again: Callable[[], object]
    failed: Field[bool]
    """Whether there is something to try again."""


class PresenterBar(QWidget):
    """Bar of the presentation, 56 pixels high, at the top of the screen."""

    def __init__(self, look: Look, timeline: Timeline, actions: BarActions, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.setProperty("surface", "panel")
        self.setProperty("rule", "bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(16, 0, 16, 0)
        self.row.setSpacing(6)
        self._button("step-back", message("Take that back (PageUp)"), actions.back)
        self.step = self._label()
        self._button("step-forward", message("Next (PageDown)"), actions.forward)
        self.row.addSpacing(24)
        self.play = self._button("play", message("Play or pause (Space)"), timeline.toggle)
        self._button("", message("Slower"), timeline.slower, "−")
        self._speed = self._label()
        self._button("", message("Faster"), timeline.faster, "+")
        self.unit = self._button("", TURN_UNIT, timeline.turn_unit, " ")
        self.row.addStretch(1)
        self.again = self._button("", TRACE_AGAIN, actions.again, look.text(TRACE_AGAIN))
        bind(self.again, actions.failed, partial(set_shown, self.again))
        self._button("sun-moon", message("Light or dark"), actions.theme, look.text(message("Light or dark")))
        self._button("", message("Notes"), actions.notes, look.text(message("Notes")))
        self.other = (
            None
            if actions.screen is None
            else self._button("", message("Other screen"), actions.screen, look.text(message("Other screen")))
        )
        self._button("x", message("Leave (Esc)"), actions.leave, look.text(message("Leave")))
        bind(self, timeline.speed, lambda speed: self._speed.setText(f"{speed:g}×"))
        bind(self, timeline.unit, lambda unit: self.unit.setText(look.text(UNIT_TITLES[unit])))
        bind(self, timeline.playing, self._show_playing)
        self.hide()

    def show_step(self, text: str) -> None:
        """Show where the lesson stands."""
        self.step.setText(text)

    def _show_playing(self, playing: bool) -> None:
        self.play.setIcon(self._look.icon("pause" if playing else "play", self._look.theme.t1, 18))

    def _label(self) -> QLabel:
        made = label(self._look, "", "step")
        made.setMouseTracking(True)
        self.row.addWidget(made)
        return made

    def _button(self, icon: str, title: Message, run: Callable[[], object], text: str = "") -> QToolButton:
        button = QToolButton()
        if icon:
            button.setIcon(self._look.icon(icon, self._look.theme.t1, 18))
            button.setIconSize(QSize(18, 18))
        button.setText(text)
        button.setFont(self._look.theme.font("step"))
        both = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        button.setToolButtonStyle(both if icon and text else Qt.ToolButtonStyle.ToolButtonTextOnly if text else button.toolButtonStyle())
        button.setMinimumSize(_BUTTON, _BUTTON)
        button.setToolTip(self._look.text(title))
        button.setAccessibleName(self._look.text(title))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setMouseTracking(True)
        button.clicked.connect(lambda: run())
        self.row.addWidget(button)
        return button
