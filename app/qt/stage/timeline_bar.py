"""Timeline bar under the stage: transport, speed, the number of the step, and the overview of the trace."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpacerItem,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.core.base.timeline import SPEEDS, UNIT_TITLES, Extent, Position, Timeline, Unit
from app.core.gpu_view.index import LaunchIndex
from app.core.stage.model import Shown, StageModel
from app.qt.base.binding import bind
from app.qt.base.look import Look
from app.qt.base.refresh import IdleNotifier
from app.qt.cpu_view.timeline_overview import TimelineOverview
from app.qt.gpu_view.timeline_legend import TimelineLegend
from app.qt.gpu_view.timeline_overview import GpuTimelineOverview
from app.qt.widgets.labels import SteadyLabel
from app.qt.widgets.responsive_row import give_way, hidden
from app.qt.widgets.segmented import stop_at_the_chosen
from kernels.base.messages import Message, message

_BUTTON_SIDE = 32


class Transport(QWidget):
    """Buttons of the timeline: to the start, back, play or pause, forward, next tile, to the end."""

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
        self.play.setFixedSize(QSize(look.px(46), look.px(_BUTTON_SIDE)))
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
    button.setFixedSize(QSize(look.px(_BUTTON_SIDE), look.px(_BUTTON_SIDE)))
    button.setIcon(look.icon(icon, size=18))
    button.setToolTip(look.text(hint))
    button.setAccessibleName(look.text(hint))
    button.clicked.connect(lambda: pressed())
    return button


TICK_MS = 16
SPARING_S = 0.1
"""From one picture to the next while something is measured."""
HEIGHT = 112
COMPACT_HEIGHT = 72
_SIDE = 14
_UNIT_HINTS = {
    Unit.STEP: message("One step: an executed line of a loop nest, or one instruction of one warp"),
    Unit.BARRIER: message("From barrier to barrier (Shift ←, Shift →)"),
    Unit.TILE: message("From tile to tile (Ctrl ←, Ctrl →)"),
    Unit.BLOCK: message("From block to block (Page Up, Page Down)"),
}


class TimelineBar(QWidget):
    """Moves the timeline of a stage model. `clock` gives seconds; the timer runs only while the timeline plays."""

    def __init__(
        self, look: Look, model: StageModel, *, compact: bool = False, clock: Callable[[], float] = time.perf_counter,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._look = look
        self._model = model
        self._timeline = model.timeline
        self._clock = clock
        self._shown_at = 0.0
        self._compact = compact
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(COMPACT_HEIGHT if compact else HEIGHT))
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._build()
        bind(self, self._timeline.playing, self._show_playing)
        bind(self, self._timeline.speed, self._show_speed)
        bind(self, self._timeline.unit, self._show_unit)
        bind(self, self._timeline.position, self._show_position)
        bind(self, self._timeline.extent, self._show_extent)
        bind(self, self._timeline.loop, self.loop.setChecked)
        bind(self, model.shown, self._show_kind)
        bind(self, model.unbegun, lambda _unbegun: self._show_position(self._timeline.position.value))
        IdleNotifier(self, model, lambda _picture: self._describe())

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 4 if self._compact else 8, _SIDE, 4 if self._compact else 8)
        column.setSpacing(2 if self._compact else 8)
        self._row = row = QHBoxLayout()
        self._gaps: list[tuple[QSpacerItem, int]] = []
        row.setSpacing(4)
        self.transport = Transport(self._look, self._timeline)
        row.addWidget(self.transport)
        self._add_gap(row, 10)
        switch = self._unit_switch()
        row.addWidget(switch)
        self._add_gap(row, 14)
        speed = self._add_speed(row)
        self._add_gap(row, 18)
        self._step, self._short = SteadyLabel(self._look.theme.font("step")), False
        row.addWidget(self._step)
        row.addStretch(1)
        self.legend = TimelineLegend(self._look, self._model, barriers=not self._compact)
        row.addWidget(self.legend)
        self._add_gap(row, 10)
        hint = message("Repeat: at the end, or at the end of the part marked with Shift, begin again")
        self.loop = icon_button(self._look, "repeat", hint, self._toggle_loop)
        self.loop.setCheckable(True)
        row.addWidget(self.loop)
        column.addLayout(row)
        ends = hidden(self.transport.to_start, self.transport.to_end)
        legend = self.legend.shorten, hidden(self.legend)
        self._concessions = (hidden(speed), *legend, hidden(self.speed), hidden(switch), hidden(self._speed_text), self._shorten, ends)
        self.strip = TimelineOverview(self._look, self._model, 6 if self._compact else 12)
        self.launch_strip = GpuTimelineOverview(self._look, self._model, compact=self._compact)
        self._strips = QStackedWidget()
        self._strips.addWidget(self.strip)
        self._strips.addWidget(self.launch_strip)
        column.addWidget(self._strips)

    def _add_gap(self, row: QHBoxLayout, width: int) -> None:
        gap = QSpacerItem(width, 0, QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        row.addItem(gap)
        self._gaps.append((gap, width))

    def _unit_switch(self) -> QWidget:
        """What one press of back and forward moves by."""
        frame = QFrame()
        frame.setProperty("segmented", "true")
        frame.setFixedHeight(self._look.px(32))
        row = QHBoxLayout(frame)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        group = QButtonGroup(frame)
        group.buttonToggled.connect(stop_at_the_chosen)
        self.units: dict[Unit, QToolButton] = {}
        for unit, title in UNIT_TITLES.items():
            button = QToolButton()
            button.setText(self._look.text(title))
            button.setFont(self._look.theme.font("small"))
            button.setStyleSheet("QToolButton { padding: 2px 10px; }")  # Han characters are higher
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setToolTip(self._look.text(_UNIT_HINTS[unit]))
            button.clicked.connect(lambda _checked=False, unit=unit: self._choose_unit(unit))
            group.addButton(button)
            row.addWidget(button)
            self.units[unit] = button
        return frame

    def _add_speed(self, row: QHBoxLayout) -> QLabel:
        title = self._look.text(message("Speed"))
        label = QLabel(title)
        label.setFont(self._look.theme.font("body"))
        label.setProperty("rank", "2")
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setRange(0, len(SPEEDS) - 1)
        self.speed.setPageStep(1)
        self.speed.setFixedWidth(self._look.px(90))
        self.speed.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.speed.setAccessibleName(title)
        self.speed.valueChanged.connect(self._choose_speed)
        self._speed_text = QLabel()
        self._speed_text.setFont(self._look.theme.font("section"))
        self._speed_text.setMinimumWidth(self._look.px(44))
        for widget in (label, self.speed, self._speed_text):
            row.addWidget(widget)
            self._add_gap(row, 4)
        return label

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The step number stays; what keys do as well gives way to it."""
        super().resizeEvent(event)
        self._fit(event.size().width())

    def showEvent(self, event: QShowEvent) -> None:
        """Only now are its buttons as wide as their style makes them."""
        super().showEvent(event)
        self._fit(self.width())

    def _fit(self, width: int) -> None:
        give_way(self._row, width - 2 * _SIDE, self._concessions)

    def _shorten(self, on: bool) -> None:
        """Say the step in numbers alone, without gaps round what is hidden."""
        for gap, width in self._gaps:
            gap.changeSize(0 if on else width, 0, QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        if on != self._short:
            self._short = on
            self._keep_room()

    def _toggle_loop(self) -> None:
        self._timeline.loop.value = not self._timeline.loop.value

    def _choose_unit(self, unit: Unit) -> None:
        self._timeline.unit.value = unit

    def _choose_speed(self, place: int) -> None:
        self._timeline.set_speed(SPEEDS[place])

    def _tick(self) -> None:
        now = self._clock()
        if self._timeline.sparing and now - self._shown_at < SPARING_S:
            return
        passed, self._shown_at = now - self._shown_at, now
        self._timeline.advance(passed)

    def _show_playing(self, playing: bool) -> None:
        if playing:
            self._shown_at = self._clock()
            self._timer.start()
        else:
            self._timer.stop()

    def _show_speed(self, speed: float) -> None:
        self.speed.setValue(min(range(len(SPEEDS)), key=lambda place: abs(SPEEDS[place] - speed)))
        self._speed_text.setText(f"{speed:g}×")

    def _show_unit(self, unit: Unit) -> None:
        self.units[unit].setChecked(True)

    def _show_position(self, position: Position) -> None:
        begun = self._timeline.extent.value.steps and not self._model.unbegun.value
        self._show_step(position.step + 1 if begun else 0)

    def _show_step(self, number: int) -> None:
        steps = self._timeline.extent.value.steps
        whole, short = (
            message("Step {number} of {total}", number=number, total=steps),
            message("{left} / {right}", left=number, right=steps),
        )
        self._step.setText(self._look.text(short if self._short else whole))

    def _describe(self) -> None:
        """Tell screen readers where the timeline overviews stand."""
        for strip in (self.strip, self.launch_strip):
            strip.setAccessibleDescription(self._step.text())

    def _show_kind(self, shown: Shown | None) -> None:
        self._strips.setCurrentWidget(self.launch_strip if isinstance(shown, LaunchIndex) else self.strip)
        self._fit(self.width())

    def _show_extent(self, extent: Extent) -> None:
        self.setEnabled(extent.steps > 0)
        for unit, button in self.units.items():
            button.setVisible(unit in extent.units)
        self._step.setVisible(extent.steps > 0)
        self._keep_room()
        self._fit(self.width())

    def _keep_room(self) -> None:
        """Let the number have room for the last step, whichever is shown."""
        self._show_step(self._timeline.extent.value.steps)
        self._step.forget()
        self._show_position(self._timeline.position.value)
