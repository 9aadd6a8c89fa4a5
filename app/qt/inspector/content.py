"""Content of the inspector: a section for each thing that follows from what the stage is executed with, the most important first.

It takes a sixth of what the window is made of, and a narrow window hides it: it is made when it is first shown or asked.
"""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.setting_bars import launch_bars, miss_bars, stop_times
from app.core.lesson_metrics.metric import Source
from app.core.session.session import STAGE_SIZES
from app.core.stage.model import Shown
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.inspector.cache_section import CacheSection
from app.qt.inspector.counters_section import CountersSection, PredictionSection
from app.qt.inspector.findings_section import FindingsSection
from app.qt.inspector.occupancy_section import OccupancySection
from app.qt.inspector.parameters import ParameterControl, ParametersSection
from app.qt.inspector.roofline_section import RooflineSection
from app.qt.inspector.section import Section
from app.qt.inspector.stop_chart import StopChart
from app.qt.widgets.answer_first import ANSWER_FIRST, TOLD_BY_COUNTS, TOLD_BY_TIMES
from app.qt.widgets.labels import label
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.stops import order_stops
from kernels.base.messages import message
from kernels.base.spec import Parameter
from kernels.cachesim.count import refuse_count
from kernels.catalogue.case import Case


class InspectorContent(QWidget):
    """Rebuilds its fields a turn of the event loop after another variant is shown; what only a launch has is hidden for a CPU kernel."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self._shown = workbench.session.stage.value.variant.id
        self._chart: StopChart | None = None
        self._size_chart: StopChart | None = None
        self._anew = Refresh(self._rebuild, self)
        self._fields = self._made_fields()
        self.occupancy = OccupancySection(look, workbench)
        self.caches = CacheSection(look, workbench)
        self.counters = CountersSection(look, workbench)
        self.findings = FindingsSection(look, workbench.stage, workbench.races, workbench.go_to_step)
        self.roofline = RooflineSection(look, workbench)
        self.predictions = PredictionSection(look, workbench.studies.predictions, workbench.session.draft_editor)
        self._answer_first = label(look, ANSWER_FIRST, "small", rank=2)
        self._answer_first.setWordWrap(True)
        self._build()
        bind(self, workbench.stage.asking, self._cover)
        bind(self, workbench.session.stage, self._show_stage)
        bind(self, workbench.stage.shown, self._show_kind)
        bind(self, workbench.session.draft_editor.on_stage, lambda _draft_shown: self._show_fields())
        self._refresh = Refresh(self._show_charts, self)
        bind(self, workbench.studies.stop_costs.costs, self._follow_study)
        bind(self, workbench.timing.revision, self._refresh.soon)
        study = workbench.studies.caches
        bind(self, study.by_tile, self._follow_study)
        bind(self, study.by_size, self._follow_study)
        bind(self, workbench.stage.cache_level, self._follow_study)

    @property
    def parameters(self) -> dict[str, ParameterControl]:
        """The controls of the shown variant's parameters, by name."""
        self._anew.now()
        return self._fields.parameters

    def _build(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(12)
        for section in (self._fields, self.occupancy, self.caches, self.counters, self.findings, self.roofline, self.predictions):
            self._column.addWidget(section)
        self._column.addWidget(self._answer_first)
        self._column.addStretch(1)

    def _show_stage(self, stage: Case) -> None:
        if stage.variant.id != self._shown:
            self._shown = stage.variant.id
            self._anew.within(0)  # with the source and the ladder it would be a long turn of the event loop
            if (focused := self.window().focusWidget()) is not None and self._fields.isAncestorOf(focused):
                self._anew.now()  # what has the focus there leaves it before anybody asks who has it
        if not self._anew.due:
            self._fields.show_stage(stage)
            self._show_charts()

    def _show_kind(self, shown: Shown | None) -> None:
        launched = isinstance(shown, LaunchIndex)
        for section in (self.occupancy, self.findings, self.roofline):
            section.setVisible(launched)
        set_shown(self.caches, isinstance(shown, TraceIndex) and not shown.is_library)
        if shown is not None:  # until then all stand as they were built
            self._place_findings(first=isinstance(shown, LaunchIndex) and bool(shown.record.findings))

    def _cover(self, asked: frozenset[Source]) -> None:
        """Keep what would tell the answer of an open question from being seen until it is answered."""
        told: dict[Section, frozenset[Source]] = {
            self.occupancy: frozenset({Source.SETTING}), self.caches: frozenset({Source.CACHES}), self.counters: TOLD_BY_COUNTS,
            self.findings: TOLD_BY_COUNTS, self.roofline: TOLD_BY_COUNTS | TOLD_BY_TIMES | {Source.SETTING},
            self.predictions: TOLD_BY_COUNTS | TOLD_BY_TIMES,
        }  # fmt: skip
        for section, sources in told.items():
            section.cover(covered=bool(asked & sources))
        set_shown(self._answer_first, any(asked & sources for sources in told.values()))
        self._show_charts()

    def _place_findings(self, *, first: bool) -> None:
        """Place the findings: what is wrong comes before what is counted."""
        place = 1 if first else 4
        moved = self._column.indexOf(self.findings) != place
        if moved:
            self._column.removeWidget(self.findings)
            self._column.insertWidget(place, self.findings)
        if moved or self.findings.made_anew:
            self.findings.made_anew = False
            self._order_stops()

    def _order_stops(self) -> None:
        """Let Tab follow the eye."""
        items = map(self._column.itemAt, range(self._column.count()))
        order_stops(part for item in items if item is not None and (part := item.widget()) is not None)

    def _rebuild(self) -> None:
        """Make the fields of another variant, and show its values."""
        fresh = self._made_fields()
        self._column.replaceWidget(self._fields, fresh)
        self._fields.hide()  # it is deleted later, and would lie over the new ones until then
        self._fields.deleteLater()
        self._fields = fresh
        self._order_stops()
        self._show_fields()
        self._fields.show_stage(self._workbench.session.stage.value)
        self._show_charts()

    def _show_fields(self) -> None:
        """A file of the user has no parameters but those in its own form."""
        draft = self._workbench.session.draft_editor.shown
        self._fields.setVisible(draft is None or bool(draft.variant_id))

    def _made_fields(self) -> ParametersSection:
        """The fields of the shown variant, with the charts under the sliders whose stops are compared."""
        fresh = ParametersSection(self._look, self._workbench.session)
        self._chart = self._size_chart = None
        parameter = self._compared()
        if parameter is not None:
            control = fresh.parameters[parameter.name]
            self._chart = self._made_chart(control.slider, parameter.stops)
            control.below.addWidget(self._chart)
        if fresh.size_slider is not None and self._counted():
            self._size_chart = self._made_chart(fresh.size_slider, STAGE_SIZES)
            fresh.below_size.addWidget(self._size_chart)
        return fresh

    def _made_chart(self, slider: StopSlider, stops: tuple[int, ...]) -> StopChart:
        chart = StopChart(self._look, slider, stops)
        chart.setAccessibleName(self._look.text(message("What each stop costs")))
        return chart

    def _counted(self) -> bool:
        """Whether the cache model can count the shown variant."""
        return refuse_count(self._workbench.session.stage.value.variant) is None

    def _compared(self) -> Parameter | None:
        """The parameter whose stops are compared: of a launch by their costs, of a CPU kernel by their misses."""
        tiles = (each for each in self._workbench.session.stage.value.variant.parameters if each.name == "tile")
        return self._workbench.studies.stop_costs.parameter or (next(tiles, None) if self._counted() else None)

    def _follow_study(self, _found: object) -> None:
        """Behind the times nothing is drawn: with a long history it takes ten milliseconds."""
        if self.isVisible():
            self._show_charts()
        else:
            self._refresh.soon()

    def _show_charts(self) -> None:
        if self._anew.due:
            return
        stage, studies = self._workbench.session.stage.value, self._workbench.studies
        level, parameter = self._workbench.stage.cache_level.value, self._compared()
        covered = bool(self._workbench.stage.asking.value & (TOLD_BY_COUNTS | TOLD_BY_TIMES))
        for chart in (self._size_chart, self._chart):
            if chart is not None:
                set_shown(chart, not covered)
        if self._size_chart is not None:
            sizes = miss_bars(studies.caches.by_size.value, level, stage.problem.operation)
            self._size_chart.show_bars(sizes, stage.problem.n)
        if self._chart is None or parameter is None:
            return
        chosen = stage.parameters[parameter.name]
        self._chart.show_times(stop_times(self._workbench.timing.results, stage, parameter.name), chosen)
        counted = miss_bars(studies.caches.by_tile.value, level, stage.problem.operation)
        self._chart.show_bars(counted if self._counted() else launch_bars(studies.stop_costs.costs.value), chosen)
