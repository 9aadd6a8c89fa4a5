"""The stage of real runs: controls above, and below them the chart of threads or of ranks."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.core.real_runs.model import RealRuns
from app.core.real_runs.words import status_words
from app.qt.binding import bind
from app.qt.gantt.ranks_timeline import RanksTimeline
from app.qt.gantt.run_bar import RunBar
from app.qt.gantt.runs_view import RunsView
from app.qt.gantt.threads_gantt import ThreadsGantt
from app.qt.look import Look
from app.qt.widgets.rule import rule


class RunsStage(QWidget):
    """Shows the runs that can stand beside one of the shown variant, the newest first."""

    def __init__(self, look: Look, runs: RealRuns) -> None:
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
        self.view.show_words(status_words(self._runs.status.value, self._runs.refusal.value))
