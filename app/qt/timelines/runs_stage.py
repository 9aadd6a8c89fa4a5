"""Stage of real runs: controls above, and below them the chart of threads or of ranks.

The controls: how large the runs are, once more, stop, and how far the present one is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.core.base.job_queues import JobState
from app.core.timelines.model import ExecutionTimelines
from app.core.timelines.sentences import status_text
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.timelines.ranks_timeline import RanksTimeline
from app.qt.timelines.runs_view import RunsView
from app.qt.timelines.threads_gantt import ThreadsGantt
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import ElidedLabel, reason_label, repolish, rule
from kernels.base.messages import Message, message


class RunBar(QWidget):
    """Stands above the charts."""

    def __init__(self, look: Look, runs: ExecutionTimelines) -> None:
        super().__init__()
        self._look = look
        self._runs = runs
        self._reason = reason_label(look)
        self.size_field = NumberField(look, message("n of the run"), runs.choose_size, short="n", reason=self._reason)
        self.again = _button(look, message("Run again"), "play", runs.again)
        self.cancel = _button(look, message("Cancel"), "x", runs.cancel)
        self.forget = _button(look, message("Only the newest"), "", runs.forget_earlier)
        self.state = ElidedLabel()
        self.state.setFont(look.theme.font("small"))
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.size_field, self.again, self.cancel):
            row.addWidget(widget)
        row.addWidget(self.state, 1)
        row.addWidget(self.forget)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 6)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self._reason)
        bind(self, runs.n, self.size_field.show_value)
        bind(self, runs.status, lambda _status: self._show_state())
        bind(self, runs.refusal, lambda _reason: self._show_state())
        bind(self, runs.kept, lambda _kept: self._show_state())

    def _show_state(self) -> None:
        status, refusal = self._runs.status.value, self._runs.refusal.value
        state = None if refusal is not None or status is None else status.state
        wrong = refusal is not None or state is JobState.FAILED
        said = self._look.text(status_text(status, refusal))
        self.state.setText(f"✕ {said}" if wrong else said)
        self.state.setToolTip(said)
        self.state.setProperty("tone", "bad" if wrong else "")
        self.state.setProperty("rank", "" if wrong else "2")
        repolish(self.state)
        self.cancel.setEnabled(state in (JobState.QUEUED, JobState.RUNNING))
        self.forget.setVisible(len(self._runs.comparable) > 1)


class RunSwitch(QToolButton):
    """Chooses between the animation of a kernel and its real run; hidden where there is no choice."""

    def __init__(self, look: Look, runs: ExecutionTimelines) -> None:
        super().__init__()
        self.setText(look.text(message("Real run")))
        self.setFont(look.theme.font("body"))
        self.setIcon(look.icon("chart-line"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCheckable(True)
        hint = look.text(message("What each thread does when, in a real run on this machine"))
        self.setToolTip(hint)
        self.setAccessibleName(hint)
        self.clicked.connect(runs.toggle)
        bind(self, runs.chosen, self.setChecked)
        bind(self, runs.offered, lambda offered: set_shown(self, offered))


def _button(look: Look, text: Message, icon: str, pressed: Callable[[], None]) -> QToolButton:
    button = QToolButton()
    button.setText(look.text(text))
    button.setFont(look.theme.font("body"))
    if icon:
        button.setIcon(look.icon(icon))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.clicked.connect(lambda: pressed())
    return button


class TimelinesStage(QWidget):
    """Shows the runs that can stand beside one of the shown variant, the newest first."""

    def __init__(self, look: Look, runs: ExecutionTimelines) -> None:
        super().__init__()
        self._runs = runs
        self.setProperty("surface", "canvas")
        self.bar = RunBar(look, runs)
        self.threads, self.ranks = ThreadsGantt(look), RanksTimeline(look)
        self._below = QStackedWidget()
        for view in (self.threads, self.ranks):
            self._below.addWidget(view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(rule(vertical=False))
        column.addWidget(self._below, 1)
        bind(self, runs.kept, lambda _kept: self._show())
        bind(self, runs.shown, lambda _variant: self._show())
        bind(self, runs.status, lambda _status: self._show())
        bind(self, runs.refusal, lambda _reason: self._show())

    @property
    def view(self) -> RunsView[Any]:
        """The chart for the variant that is shown."""
        return self.ranks if self._runs.ranked else self.threads

    def _show(self) -> None:
        self._below.setCurrentWidget(self.view)
        shown = self._runs.comparable
        if [chart.recording for chart in self.view.charts] != list(shown):
            self.view.show_runs(shown)
        self.view.show_words(status_text(self._runs.status.value, self._runs.refusal.value))
