"""The inspector: what the stage is executed with, and what follows from it, the most important first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.core.facts.fact import Source
from app.core.frames_index import TraceIndex
from app.core.inspector.stop_bars import launch_bars, miss_bars
from app.core.inspector.stop_times import stop_times
from app.core.launch.index import LaunchIndex
from app.core.session import STAGE_SIZES, StageChoice
from app.core.stage_model import Shown
from app.core.workbench import Workbench
from app.qt.binding import bind, set_shown
from app.qt.inspector.cache_section import CacheSection
from app.qt.inspector.counters_section import CountersSection
from app.qt.inspector.findings_section import FindingsSection
from app.qt.inspector.occupancy_section import OccupancySection
from app.qt.inspector.parameters import ParameterControl, ParametersSection
from app.qt.inspector.prediction_section import PredictionSection
from app.qt.inspector.roofline_section import RooflineSection
from app.qt.inspector.section import Section
from app.qt.inspector.stop_chart import StopChart
from app.qt.look import Look
from app.qt.panels.timing_refresh import Refresh
from app.qt.widgets.answer_first import ANSWER_FIRST, TOLD_BY_COUNTS, TOLD_BY_TIMES
from app.qt.widgets.labels import label
from app.qt.widgets.stop_slider import StopSlider
from kernels.cachesim.count import refuse_count
from kernels.messages import message
from kernels.spec import Parameter


class InspectorPanel(QWidget):
    """Rebuilds its fields when another variant is shown; what only a launch has is hidden for a CPU kernel."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._shown = workbench.session.stage.value.variant.id
        self._chart: StopChart | None = None
        self._size_chart: StopChart | None = None
        self._fields = self._made_fields()
        self.occupancy = OccupancySection(look, workbench)
        self.caches = CacheSection(look, workbench)
        self.counters = CountersSection(look, workbench)
        self.findings = FindingsSection(look, workbench.stage)
        self.roofline = RooflineSection(look, workbench)
        self.predictions = PredictionSection(look, workbench.exploration.predictions)
        self._answer_first = label(look, ANSWER_FIRST, "small", rank=2)
        self._answer_first.setWordWrap(True)
        self._build()
        bind(self, workbench.stage.asking, self._cover)
        bind(self, workbench.session.stage, self._show_stage)
        bind(self, workbench.stage.shown, self._show_kind)
        bind(self, workbench.session.desk.on_stage, lambda _draft_shown: self._show_fields())
        bind(self, workbench.exploration.stop_costs.costs, lambda _costs: self._show_charts())
        self._refresh = Refresh(self._show_charts, self)
        bind(self, workbench.timing.revision, self._refresh.soon)
        study = workbench.exploration.caches
        bind(self, study.by_tile, lambda _counts: self._show_charts())
        bind(self, study.by_size, lambda _counts: self._show_charts())
        bind(self, workbench.stage.cache_level, lambda _level: self._show_charts())

    @property
    def parameters(self) -> dict[str, ParameterControl]:
        """The controls of the shown variant's parameters, by name."""
        return self._fields.parameters

    def step_tile(self, direction: int) -> None:
        """Pick the next larger (1) or smaller (-1) tile, where the variant has one."""
        if "tile" in self.parameters:
            self.parameters["tile"].slider.step(direction)

    def go_to_next_finding(self) -> bool:
        """Go to the step of the next finding; False where there is none."""
        return self.findings.go_to_next()

    def _build(self) -> None:
        self._column = QVBoxLayout()
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(12)
        for section in (self._fields, self.occupancy, self.caches, self.counters, self.findings, self.roofline, self.predictions):
            self._column.addWidget(section)
        self._column.addWidget(self._answer_first)
        self._column.addStretch(1)
        content = QWidget()
        content.setLayout(self._column)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the field that has the focus
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _show_stage(self, stage: StageChoice) -> None:
        if stage.variant.id != self._shown:
            self._shown = stage.variant.id
            self._rebuild()
        self._fields.show_stage(stage)
        self._show_charts()

    def _show_kind(self, shown: Shown | None) -> None:
        launched = isinstance(shown, LaunchIndex)
        for section in (self.occupancy, self.findings, self.roofline):
            section.setVisible(launched)
        set_shown(self.caches, isinstance(shown, TraceIndex) and not shown.is_library)
        self._place_findings(first=isinstance(shown, LaunchIndex) and bool(shown.record.findings))

    def _cover(self, asked: frozenset[Source]) -> None:
        """What would tell what a question asks waits for its answer."""
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
        """What is wrong comes before what is counted."""
        self._column.removeWidget(self.findings)
        self._column.insertWidget(1 if first else 4, self.findings)

    def _rebuild(self) -> None:
        fresh = self._made_fields()
        self._column.replaceWidget(self._fields, fresh)
        self._fields.hide()  # it is deleted later, and would lie over the new ones until then
        self._fields.deleteLater()
        self._fields = fresh
        self._show_fields()

    def _show_fields(self) -> None:
        """A file of the user has no parameters but those in its own form."""
        draft = self._workbench.session.desk.shown
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
        return self._workbench.exploration.stop_costs.parameter or (next(tiles, None) if self._counted() else None)

    def _show_charts(self) -> None:
        stage, exploration = self._workbench.session.stage.value, self._workbench.exploration
        level, parameter = self._workbench.stage.cache_level.value, self._compared()
        covered = bool(self._workbench.stage.asking.value & (TOLD_BY_COUNTS | TOLD_BY_TIMES))
        for chart in (self._size_chart, self._chart):
            if chart is not None:
                set_shown(chart, not covered)
        if self._size_chart is not None:
            sizes = miss_bars(exploration.caches.by_size.value, level, stage.problem.operation)
            self._size_chart.show_bars(sizes, stage.problem.n)
        if self._chart is None or parameter is None:
            return
        chosen = stage.parameters[parameter.name]
        self._chart.show_times(stop_times(self._workbench.timing.results, stage, parameter.name), chosen)
        counted = miss_bars(exploration.caches.by_tile.value, level, stage.problem.operation)
        self._chart.show_bars(counted if self._counted() else launch_bars(exploration.stop_costs.costs.value), chosen)
