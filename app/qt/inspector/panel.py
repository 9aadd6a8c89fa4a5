"""Inspector: what the stage is executed with, and what follows from it, the most important first.

The device chosen here is the one for occupancy, waves and the roofline. Occupancy shows the warp slots of one SM, filled block by block,
what limits them and what is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.cpu_view.index import TraceIndex
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.occupancy_sentences import SOURCES, occupancy_card, own_profile
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
from app.qt.inspector.parameters import ParameterControl, ParametersSection
from app.qt.inspector.roofline_section import RooflineSection
from app.qt.inspector.section import Section
from app.qt.inspector.stop_chart import StopChart
from app.qt.widgets.answer_first import ANSWER_FIRST, TOLD_BY_COUNTS, TOLD_BY_TIMES
from app.qt.widgets.choice_box import PlainBox
from app.qt.widgets.fields import NumberField
from app.qt.widgets.labels import label, repolish
from app.qt.widgets.stop_slider import StopSlider
from app.qt.widgets.stops import order_stops
from app.qt.widgets.zoomed import Zoomed
from kernels.analysis.device_profiles import Profile, profiles
from kernels.base.architectures import REGISTERS_PER_THREAD
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Parameter
from kernels.cachesim.count import refuse_count
from kernels.catalogue.case import Case

_HEIGHT = 16
_BLOCK_GAP = 2.0


class WarpSlots(Zoomed):
    """Warp slots of an SM: one cell a place. Neighbouring blocks have two tones, and a wider gap between them."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = self.magnify(look)
        self._slots = self._blocks = self._warps = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return self.grown(QSize(200, _HEIGHT))

    def show_slots(self, slots: int, blocks: int, warps: int) -> None:
        """`slots` places, of which each of `blocks` blocks takes `warps`."""
        self._slots, self._blocks, self._warps = slots, blocks, warps
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._slots:
            return
        theme, painter = self._look.theme, self.painter()
        pitch = (self.width() - _BLOCK_GAP * max(self._blocks, 1)) / self._slots
        for slot in range(self._slots):
            block = min(slot // max(self._warps, 1), self._blocks)
            area = QRectF(slot * pitch + block * _BLOCK_GAP, 0.5, max(pitch - 1, 1), _HEIGHT - 1)
            if block < self._blocks:
                painter.fillRect(area, theme.t3 if block % 2 else theme.ink)
            else:
                painter.setPen(QPen(theme.line2, 1))
                painter.drawRect(area)


class DeviceChooser(QWidget):
    """A list of device profiles; this machine's own GPU is marked once it is known."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._session = workbench.session
        self._profiles = profiles()
        title = label(look, message("Device profile"), rank=2)
        self.box = PlainBox(look)
        self.box.setFont(look.theme.font("body"))
        self.box.setAccessibleName(look.text(message("Device profile")))
        self.box.setMinimumContentsLength(12)
        for profile in self._profiles:
            self.box.addItem(profile.name, profile.id)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(title, 1)
        row.addWidget(self.box)
        bind(self, workbench.devices, self._mark_own)
        bind(self, self._session.profile, self._show_profile)
        self.box.activated.connect(self._choose)

    def _mark_own(self, statuses: Mapping[Device, DeviceStatus]) -> None:
        own = own_profile(statuses, self._profiles)
        for place, profile in enumerate(self._profiles):
            mine = message("{device} (this machine)", device=profile.name)
            self.box.setItemText(place, self._look.text(mine) if profile == own else profile.name)

    def _show_profile(self, profile: Profile) -> None:
        self.box.setCurrentIndex(self.box.findData(profile.id))

    def _choose(self, place: int) -> None:
        self._session.profile.value = self._profiles[place]


FEWEST_REGISTERS = 16


class OccupancySection(Section):
    """Follows the launch, the device and the registers."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__(look, message("Occupancy, theoretical"))
        self._workbench = workbench
        self.remark.setFont(look.theme.font("section"))
        self.remark.setProperty("rank", "1")
        self.slots = WarpSlots(look)
        self.slots.setAccessibleName(look.text(message("Places for warps of an SM")))
        self._words = label(look, "", "small")
        self._words.setWordWrap(True)
        self._others = label(look, "", "small", rank=3)
        self._others.setWordWrap(True)
        self.registers = NumberField(look, message("Registers a thread"), self._choose_registers)
        self._source = label(look, "", "small", rank=3)
        self._source.setWordWrap(True)
        self.device = DeviceChooser(look, workbench)
        for part in (self.device, self.slots, self._words, self._others, self.registers, self._source):
            self.column.addWidget(part)
        stage = workbench.stage
        bind(self, stage.shown, lambda _shown: self._show())
        bind(self, stage.profile, lambda _profile: self._show())
        bind(self, stage.registers, lambda _registers: self._show())
        bind(self, workbench.studies.compiled.source, lambda _source: self._show())

    def _choose_registers(self, registers: int) -> Message | None:
        name = self.look.text(message("Registers a thread"))
        if registers < FEWEST_REGISTERS:
            return message("{name} must be at least {minimum}, not {value}.", name=name, minimum=FEWEST_REGISTERS, value=registers)
        if registers > REGISTERS_PER_THREAD:
            return message("{name} must be at most {maximum}, not {value}.", name=name, maximum=REGISTERS_PER_THREAD, value=registers)
        self._workbench.studies.compiled.choose_registers(registers)
        return None

    def _show(self) -> None:
        stage = self._workbench.stage
        shown, profile = stage.shown.value, stage.profile.value
        if not isinstance(shown, LaunchIndex) or profile is None:
            return
        card = occupancy_card(shown, profile, stage.registers.value)
        percent = message("{percent} %", percent=card.percent)
        self.remark.setText("✕" if card.occupancy.refusal is not None else self.look.text(percent))
        self.slots.show_slots(card.slots, card.blocks, card.warps)
        self.slots.setAccessibleDescription(self.look.text(percent))
        self._words.setText(self.look.paragraph(self.look.text(sentence) for sentence in card.sentences))
        self._others.setText(self.look.paragraph(self.look.text(sentence) for sentence in card.others))
        self._others.setVisible(bool(card.others))
        self._words.setProperty("tone", "bad" if card.occupancy.refusal is not None else "")
        repolish(self._words)
        self.registers.show_value(stage.registers.value)
        source = SOURCES[self._workbench.studies.compiled.source.value]
        self._source.setText(self.look.text(message("{registers} registers, {source}", registers=stage.registers.value, source=source)))


class InspectorPanel(QWidget):
    """Rebuilds its fields a turn of the event loop after another variant is shown; what only a launch has is hidden for a CPU kernel."""

    needs_other = Signal()
    """Another width is its narrowest now."""

    def __init__(self, look: Look, workbench: Workbench) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
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

    def step_tile(self, direction: int) -> Message | None:
        """Pick the next larger (1) or smaller (-1) tile; returns why there is none, where that is not told in sight."""
        session = self._workbench.session
        draft = session.draft_editor.shown
        if draft is not None:
            return message("The tile size of {name} is a value in its text.", name=draft.name)
        if "tile" not in self.parameters:
            return message("{variant} has no tile size.", variant=session.stage.value.variant.title)
        tile = self.parameters["tile"]
        tile.slider.step(direction)
        return None if tile.isVisible() else tile.refused

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
        area.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self._area, self._content, self._needed = area, content, 0
        content.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and self.least != self._needed:
            self._needed = self.least
            self.needs_other.emit()
        return super().eventFilter(watched, event)

    @property
    def least(self) -> int:
        """The narrowest in which nothing in it is cut, whether it is scrolled or not."""
        margins = self.contentsMargins()
        bar = self._area.verticalScrollBar().sizeHint().width()
        return self._content.minimumSizeHint().width() + bar + 2 * self._area.frameWidth() + margins.left() + margins.right()

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
