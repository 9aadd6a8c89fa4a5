"""Rung list: every variant of the operation in teaching order, grouped by device, with tick boxes; those that cannot run say why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from app.core.base.i18n import LANGUAGES, Translator
from app.core.help.fuzzy import rank
from app.core.ladder.sentences import asked_workers
from app.core.results.curves import Provenance
from app.core.results.quantities import Share
from app.core.session.draft import Draft
from app.core.session.session import Session, TimingChoice, Workspace, that_may_run
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind, set_shown
from app.qt.base.lazy import Lazy
from app.qt.base.look import Look
from app.qt.charts.style import line_style
from app.qt.ladder.rung_button import RAIL, RungButton
from app.qt.ladder.rung_groups import RungGroups
from app.qt.widgets.answer_first import TOLD_BY_TIMES
from app.qt.widgets.labels import label
from app.qt.widgets.roving_stop import RovingStop
from app.qt.widgets.stops import go_to
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case

PERCENT_OF = message("%: of the speed of the device's library (cuBLAS, NumPy; transpositions: a copy) at the rung's largest n")


class TickBar(QWidget):
    """Ticks all rungs, or none."""

    def __init__(self, look: Look, rail: bool, tick: Callable[[bool], None]) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(2 if rail else 8, 6, 2 if rail else 8, 0)
        row.setSpacing(2)
        if not rail:
            row.addWidget(label(look, message("Tick to measure"), "caption", rank=3), 1)
        commands: tuple[tuple[Message, Message, bool], ...] = (
            (message("All"), message("Tick every rung whose device is here"), True),
            (message("None"), message("Tick no rung"), False),
        )
        for text, hint, ticked in commands:
            button = QToolButton()
            button.setText(look.text(text))
            button.setFont(look.theme.font("small"))
            button.setStyleSheet("QToolButton { padding: 4px 2px; }" if rail else "")
            button.setToolTip(look.text(hint))
            button.setAccessibleName(look.text(hint))
            button.clicked.connect(lambda _=False, ticked=ticked: tick(ticked))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)


WIDE = 300
_AROUND = 90
"""Pixels of the ladder that stay in sight above and below the rung that is shown."""


class LadderPanel(QWidget):
    """The left panel. In the timing workspace each rung has a box to tick, each group has one, and two buttons tick all and none."""

    def __init__(self, look: Look, workbench: Workbench, rail: bool) -> None:
        super().__init__()
        self._look = look
        self._workbench = workbench
        self._session: Session = workbench.session
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(look.px(RAIL if rail else WIDE))
        self._rail = rail
        self._rung_stop, self._box_stop = RovingStop(self), RovingStop(self)
        self._languages = Lazy(lambda: [Translator(language) for language in LANGUAGES])
        self._operation, self._staged = self._session.operation, self._session.stage.value.variant
        draft = self._session.draft.value
        self._draft_of = None if draft is None else draft.variant_id
        self._pages, self._areas = QStackedWidget(), dict[Operation, QScrollArea]()
        self._area = self._area_of(self._operation)
        self._nothing = label(look, message("No rung of this operation is called so."), "small", rank=2)
        self._show_groups()
        self._tick_bar = TickBar(look, rail, self._tick_all)
        self.filter = self._made_filter()
        self._about = label(look, "", "caption", rank=3)
        self._about.setWordWrap(True)
        self._about.setContentsMargins(8, 4, 8, 0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(self._finding())
        for part in (self._about, self._tick_bar, self._pages):
            outer.addWidget(part)
        self._follow()

    def _follow(self) -> None:
        """Have changes of what is chosen and known shown."""
        bind(self, self._session.stage, self._show_stage)
        bind(self, self._session.draft, self._show_draft)
        bind(self, self._session.draft_editor.on_stage, lambda _shown: self._mark_shown())
        bind(self, self._session.timing, self._show_timing)
        bind(self, self._session.workspace, self._show_workspace)
        bind(self, self._workbench.devices, self._show_devices)
        bind(self, self._workbench.shares.by_variant, lambda _shares: self._show_shares())
        bind(self, self._workbench.stage.asking, lambda _asked: self._show_shares())

    def _area_of(self, operation: Operation) -> QScrollArea:
        """The area of an operation's groups, made when these are first shown: that takes a twentieth of a second."""
        if operation not in self._areas:
            area = self._areas[operation] = QScrollArea(self._pages)
            self._pages.addWidget(area)  # before there is anything in it that would be styled anew
            area.setWidgetResizable(True)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the rung that has the focus
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            groups = RungGroups(self._look, self._session, operation, self._rail, self._point, area.viewport())
            area.setWidget(groups)
            area.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self._bring_into_sight())  # names have taken their lines
            groups.resized.connect(lambda: QTimer.singleShot(0, self, self._bring_into_sight))  # in the same height, once the bar is there
        return self._areas[operation]

    @property
    def _groups(self) -> RungGroups:
        groups = self._area.widget()
        assert isinstance(groups, RungGroups)
        return groups

    def _show_groups(self) -> None:
        """Put the groups of the operation in place of those of another."""
        self._area = self._area_of(self._operation)
        self._groups.place_draft(self._session.draft.value)
        self._pages.setCurrentWidget(self._area)
        self._take_stops()

    def _take_stops(self) -> None:
        """Let the arrows go through the rungs and boxes that are there."""
        self._rung_stop.take(self._groups.buttons, self._groups)
        self._box_stop.take(self._groups.all_boxes, self._groups)

    def _order_stops(self) -> None:
        """Let Tab come from the field by the buttons to the rungs: what was made later would come last in the window. Those that are no
        stop now, which `order_stops` leaves out, are stops once the arrows have come there."""
        for before, after in pairwise((self.filter, *self._tick_bar.findChildren(QToolButton), *self._groups.stops)):
            QWidget.setTabOrder(before, after)

    def _finding(self) -> QVBoxLayout:
        """The field, and below it what is said where no rung answers."""
        self._nothing.setWordWrap(True)
        column = QVBoxLayout()
        column.setContentsMargins(8, 6, 8, 0)  # no margin of the field itself: what clears it would stand on its border
        column.addWidget(self.filter)
        column.addWidget(self._nothing)
        return column

    def _made_filter(self) -> QLineEdit:
        """The field that leaves those rungs in sight whose name answers what is typed."""
        made, said = QLineEdit(), self._look.text(message("Find a rung"))
        made.setFont(self._look.theme.font("small"))
        made.setPlaceholderText(said)
        made.setAccessibleName(said)
        hint = message("A rung is a kernel; each adds one idea to the one above. All of them are the ladder. Type a part of a name.")
        made.setToolTip(self._look.text(hint))
        made.setClearButtonEnabled(True)
        made.textChanged.connect(lambda _typed: self._show_found())
        made.returnPressed.connect(self._choose_first)
        return made

    def _found(self) -> list[Variant]:
        """The rungs that answer what is typed, in any language."""
        typed, every = self.filter.text(), catalogue.of(self._operation)
        if not typed:
            return list(every)
        names = ((each, (*(language.text(each.title) for language in self._languages()), each.id)) for each in every)
        return [each for each, called in names if rank(typed, called) is not None]

    def _show_found(self) -> None:
        found = {variant.id for variant in self._found()}
        for identifier, rung in self._groups.rungs.items():
            set_shown(rung, identifier in found)
        for identifier, box in self._groups.boxes.items():
            set_shown(box, identifier in found and self._session.workspace.value is Workspace.TIMING)
        for device, heading in self._groups.headings.items():
            set_shown(heading, any(variant.id in found for variant in catalogue.of(self._operation) if variant.device is device))
        set_shown(self._nothing, not found)
        self._place_stops()

    def _choose_first(self) -> None:
        """Choose the first rung that was found. It takes the focus: digits and Space belong to the stage again, not to the field."""
        found = self._found()
        if found and self.filter.text().strip():
            self._session.choose_variant(found[0])
            self.filter.clear()
            go_to(self._groups.rungs[found[0].id], Qt.FocusReason.OtherFocusReason)

    def _point(self, variant: Variant, pointed: bool) -> None:
        """Let the charts show which line is this rung's."""
        self._workbench.timing.pointed.value = variant.id if pointed else ""

    def _show_draft(self, draft: Draft | None) -> None:
        """Show the draft as a rung: place it anew where it came, went or is of another variant, else show its title."""
        key = None if draft is None else draft.variant_id
        if key != self._draft_of:
            self._draft_of = key
            held = self._focused
            self._groups.place_draft(draft)
            self._take_stops()
            self._order_stops()
            self._mark_shown()
            self._hold(held)
        elif draft is not None and self._groups.draft_rung is not None:
            self._groups.draft_rung.show_title(self._look.text(draft.title))

    def _show_stage(self, stage: Case) -> None:
        if stage.variant.operation is not self._operation:
            self._operation = stage.variant.operation
            self.filter.clear()  # it was about the other rungs
            self._show_others()
        elif stage.variant is not self._staged and stage.variant not in self._found():
            self.filter.clear()  # what is chosen elsewhere is in sight
        self._staged = stage.variant
        self._mark_shown()

    def _mark_shown(self) -> None:
        draft_shown = self._session.draft_editor.on_stage.value
        for identifier, rung in self._groups.rungs.items():
            rung.setChecked(identifier == self._session.stage.value.variant.id and not draft_shown)
        if self._groups.draft_rung is not None:
            self._groups.draft_rung.setChecked(draft_shown)
        self._place_stops()
        self._bring_into_sight()

    def _place_stops(self) -> None:
        """Let Tab come to the rung that is shown, and to its box."""
        self._rung_stop.stop_at(self.shown_rung)
        self._box_stop.stop_at(self._groups.boxes.get(self._session.stage.value.variant.id))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bring_into_sight()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """In the field Down leads to the rungs that were found; Escape shows all again, and then leaves it for the rung that is shown."""
        found, key = self._found(), event.key() if self.filter.hasFocus() else None
        if key == Qt.Key.Key_Down and found:
            self._groups.rungs[found[0].id].setFocus(Qt.FocusReason.TabFocusReason)
        elif key == Qt.Key.Key_Escape and self.filter.text():
            self.filter.clear()
        elif key == Qt.Key.Key_Escape and (rung := self.shown_rung) is not None:
            go_to(rung, Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    @property
    def shown_rung(self) -> RungButton | None:
        """The button of what the stage shows, hidden or not; None where another operation's rungs are listed."""
        return next((rung for rung in self._groups.buttons if rung.isChecked()), None)

    def _bring_into_sight(self) -> None:
        """Scroll to the rung that is shown."""
        if (rung := self.shown_rung) is not None:
            self._area.ensureWidgetVisible(rung, 0, _AROUND)

    def _show_others(self) -> None:
        """Show the rungs of another operation."""
        held = self._focused
        self._show_groups()
        self._order_stops()
        self._show_timing(self._session.timing.value)
        self._show_workspace(self._session.workspace.value)
        self._show_shares()
        self._mark_shown()
        self._hold(held)

    @property
    def _focused(self) -> bool:
        """Whether the focus is among the rungs, also behind the dialog that has just asked for a file."""
        focused = self.window().focusWidget()
        return focused is not None and self._area.isAncestorOf(focused)

    def _hold(self, held: bool) -> None:
        """Leave the focus to the rungs, where it was there."""
        if held and (rung := self._groups.draft_rung or self.shown_rung) is not None:
            rung.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tick_all(self, ticked: bool) -> None:
        """Tick all rungs that may run here, or untick all."""
        rungs = that_may_run(self._operation, self._workbench.devices.value) if ticked else catalogue.of(self._operation)
        self._session.tick_all(rungs, ticked)

    def _show_timing(self, timing: TimingChoice) -> None:
        for identifier, box in self._groups.boxes.items():
            box.setChecked(identifier in timing.ticked)
        for device, heading in self._groups.headings.items():
            heading.show_ticks(variant.id in timing.ticked for variant in catalogue.of(self._operation) if variant.device is device)
        self._show_devices(self._workbench.devices.value)

    def _show_workspace(self, workspace: Workspace) -> None:
        timing = workspace is Workspace.TIMING
        if timing and not self._groups.boxes:
            self._groups.make_boxes()
            self._take_stops()
            self._order_stops()
        for heading in self._groups.headings.values():
            heading.box.setVisible(timing)
        self._show_found()
        self._tick_bar.setVisible(timing)
        for variant in catalogue.of(self._operation):
            self._groups.rungs[variant.id].show_mark(line_style(self._look.theme, variant, Provenance.MEASURED) if timing else None)

    def _show_devices(self, devices: Mapping[Device, DeviceStatus]) -> None:
        timing = self._session.timing.value
        for device, heading in self._groups.headings.items():
            workers = asked_workers(timing, device) if timing.operation is self._operation else 0
            heading.show_status(devices[device], workers)

    def _show_shares(self) -> None:
        asked = self._workbench.stage.asking.value & TOLD_BY_TIMES
        shares: Mapping[str, Share] = {} if asked else self._workbench.shares.by_variant.value
        for identifier, rung in self._groups.rungs.items():
            rung.show_share(shares.get(identifier))
        told = any(identifier in shares for identifier in self._groups.rungs) and not self._rail
        self._about.setText(self._look.text(PERCENT_OF) if told else "")
        set_shown(self._about, told)
