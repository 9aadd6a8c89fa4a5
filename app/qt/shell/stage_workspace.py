"""The stage with all that belongs to it: source, step card, views, timeline, inspector."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QMargins, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QToolButton, QVBoxLayout, QWidget

from app.core.base.observable import Field
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind, set_shown
from app.qt.base.look import Look
from app.qt.compare.bar import CompareBar, CompareRefusal
from app.qt.compare.stage import CompareStage
from app.qt.inspector.panel import InspectorPanel
from app.qt.inspector.tile_row import TileRow
from app.qt.programs.page import ProgramPanel, ProgramSwitch
from app.qt.source.panel import SourcePanel
from app.qt.source.program_card import LaunchRow
from app.qt.stage.panel import LEAST_OF_VIEWS, StagePanel
from app.qt.stage.step_card import StepCard, StepLine
from app.qt.stage.timeline_bar import TimelineBar
from app.qt.timelines.runs_stage import RunSwitch, TimelinesStage
from app.qt.views.numbered_stage import BESIDE_FROM
from app.qt.widgets.labels import repolish, rule
from kernels.base.messages import Message, message

_SOURCE_WIDTHS, _CROWDED_WIDTHS = (450, 572), (360, 470)
_LEAST_OF_SOURCE = (300, 200)
"""Its narrowest, and that beside the settings: all four panels have room in the narrowest window then."""
_INSPECTOR_WIDTHS = (304, 344)
"""In a compact window, and else; crowded is a window in which a further panel takes its part."""
_MOST_OF_ALL, _MOST_EDITED = 0.42, 0.58
"""Of the width, for the source; for one that is edited beside a further panel."""
_EDITED_CHARACTERS = 48
"""What can be read at least of the lines of a challenge, where the window has room for them."""
_EDITED_LESS = 180
"""Pixels of height that are kept for its lines, and for those beside an open launch form or above what is wrong with them, rather than
for what the step card tells."""
_UPRIGHT, _UPRIGHT_SHARE = 1.0, 0.42
"""Width over height below which the source lies above the stage, and its share of the height there."""
_ENLARGED = 1.5
"""From this zoom on a narrow window has no room for a picture beside the source."""


class StageWorkspace(QWidget):
    """Lays the panels of the stage side by side."""

    def __init__(self, look: Look, workbench: Workbench, *, compact: bool, crowded: bool = False) -> None:
        super().__init__()
        model = workbench.stage
        self.stage = StagePanel(look, model, compact=compact)
        self.inspector = InspectorPanel(look, workbench)
        self._settings_width = look.px(_INSPECTOR_WIDTHS[not compact])
        self.settings = _drawer_button(look)
        self.settings.toggled.connect(self._show_settings)
        self.inspector.hide()
        self.compare = CompareBar(look, workbench.comparison, workbench.tell, workbench.withdraw)
        self._add_comparison(look, workbench)
        self.runs = TimelinesStage(look, workbench.real_runs)
        self.stage.add_runs(workbench.real_runs, self.runs)
        self._foot = QWidget()
        self._add_program(look, workbench)
        self.stage.add_to_header(RunSwitch(look, workbench.real_runs))
        self.stage.add_to_header(self.settings)
        self.stage.order_stops()
        self.stage.add_beside(self.inspector)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        self.source = SourcePanel(look, workbench, compact=compact)
        tried = workbench.practice.trying.value
        edited = tried is not None  # the text of a challenge is there to be edited
        self.tile = TileRow(look, workbench.session)
        for row in (self.tile, self._right_tile):
            self.settings.toggled.connect(lambda on, row=row: row.want(wanted=not on))
        self.reading = self._reading(look, workbench, edited=edited)
        self._enlarged, self._tried = compact and look.theme.scale >= _ENLARGED, edited
        split.addWidget(self.reading)
        split.addWidget(self.stage)
        split.setStretchFactor(1, 1)
        self._split, self._split_chosen = split, False
        widths = _CROWDED_WIDTHS if crowded and not edited else _SOURCE_WIDTHS
        self._source_width = max(look.px(widths[not compact]), self.source.view.width_for(_EDITED_CHARACTERS) if edited else 0)
        whole = tried is not None and tried.challenge.program is not None  # its page needs room, too
        self._most = _MOST_EDITED if edited and not whole else _MOST_OF_ALL
        self._lay_out(look, workbench, compact=compact)
        self._follow(workbench)

    def _follow(self, workbench: Workbench) -> None:
        """Share the room anew when something comes, or goes, that needs some."""
        self._comparison, self._alone, self._edited = (
            workbench.comparison.pair,
            workbench.stage.alone,
            workbench.session.draft_editor.on_stage,
        )
        changing: tuple[Field[Any], ...] = (self._comparison, self._alone, self._edited, workbench.program_page.shown)
        for field in changing:
            bind(self, field, lambda _changed: self._share_room())
        self.settings.toggled.connect(lambda _on: self._share_room())
        self.inspector.needs_other.connect(self._share_room, Qt.ConnectionType.QueuedConnection)  # not while it is laid out

    def _add_program(self, look: Look, workbench: Workbench) -> None:
        program = ProgramPanel(look, workbench.program_page, workbench.stage.asking)
        bind(self, workbench.program_page.shown, partial(self._hand_focus_on, program))  # before anything is hidden or disabled
        bind(self, workbench.stage.timeline.extent, lambda extent: None if extent.steps else self._take_focus_of(self._foot))
        self.stage.add_program(workbench.program_page, program)
        self.stage.add_to_header(ProgramSwitch(look, workbench.program_page))

    def _add_comparison(self, look: Look, workbench: Workbench) -> None:
        comparison = workbench.comparison
        compared = CompareStage(look, comparison, workbench.timing)
        self._right_tile = TileRow(look, workbench.session, message("Tile size, right side"))
        compared.add_settings(self._right_tile)
        compared.add_settings(LaunchRow(look, workbench.program_page, message("Launch, right side")))
        refusal = CompareRefusal(look, comparison, workbench.session, workbench.tell)
        self.stage.add_comparison(comparison, compared, self.compare, refusal)

    def _lay_out(self, look: Look, workbench: Workbench, *, compact: bool) -> None:
        middle = QVBoxLayout(self)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        middle.addWidget(self._split, 1)
        column = QVBoxLayout(self._foot)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (rule(vertical=False), self._step_line, TimelineBar(look, workbench.stage, compact=compact)):
            column.addWidget(part)
        middle.addWidget(self._foot)
        _hide_while(self._foot, workbench.real_runs.watched, workbench.program_page.shown)

    def _reading(self, look: Look, workbench: Workbench, *, edited: bool) -> _Reading:
        """The source, and the step in words."""
        model = workbench.stage
        left = _Reading()
        left.setProperty("surface", "panel")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left.setMinimumWidth(_LEAST_OF_SOURCE[0])
        self.settings.toggled.connect(lambda on: left.setMinimumWidth(_LEAST_OF_SOURCE[on]))
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.source, 1)
        column.addWidget(self.tile)
        column.addWidget(rule(vertical=False))
        card = StepCard(look, model, workbench.races)
        _hide_while(card, workbench.real_runs.watched, workbench.program_page.shown, wanted=model.picture)
        column.addWidget(card)
        self._step_line = StepLine(look, model, card, workbench.comparison.pair)
        left.card = card
        left.kept, left.crowded_kept = look.px(_EDITED_LESS) if edited else 0, look.px(_EDITED_LESS)
        self.source.form.opened.connect(left.show_opened, Qt.ConnectionType.QueuedConnection)  # not while it is laid out
        self.source.diagnostics.wrong.connect(left.show_wrong, Qt.ConnectionType.QueuedConnection)
        return left

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The stage keeps more than half, however large the type is. Later the user's hand decides."""
        super().resizeEvent(event)
        self._share_room()
        size = event.size()
        upright = size.width() < size.height() * _UPRIGHT
        orientation = Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal
        if (self._split_chosen and orientation is self._split.orientation()) or size.width() <= 0:
            return
        self._split_chosen = True
        self._split.setOrientation(orientation)
        if upright:
            wanted, whole = round(_UPRIGHT_SHARE * size.height()), size.height()
        else:
            wanted, whole = min(self._source_width, round(self._most * size.width())), size.width()
        self._split.setSizes([wanted, whole - wanted])

    def step_tile(self, direction: int) -> Message | None:
        """Move the tile's slider that is in sight, below which stands why a tile cannot be; where none is, that is returned."""
        row = next((each for each in (self._right_tile, self.tile) if each.isVisible()), None)
        if row is None or row.slider is None:
            return self.inspector.step_tile(direction)
        row.slider.step(direction)
        return None

    def _hand_focus_on(self, program: ProgramPanel, shown: bool) -> None:
        """Between the page of a program and the stage what takes the place has the focus of what goes: Qt would give it to a button."""
        focused = QApplication.focusWidget()
        if focused is None:
            return
        if not shown:
            self._take_focus_of(program)
        elif self._foot.isAncestorOf(focused) or self.stage.in_place_of_page(focused):
            QTimer.singleShot(0, program.canvas, partial(program.canvas.setFocus, Qt.FocusReason.OtherFocusReason))

    def _take_focus_of(self, part: QWidget) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and part.isAncestorOf(focused):
            self.stage.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_settings(self, shown: bool) -> None:
        """Show or hide the settings. What had the focus in them leaves it to their button: Qt would give it to the first of the window."""
        focused = self.window().focusWidget()
        if not shown and focused is not None and self.inspector.isAncestorOf(focused):
            self.settings.setFocus(Qt.FocusReason.OtherFocusReason)
        self.inspector.setVisible(shown)

    def _share_room(self) -> None:
        """The source leaves its room to launches that are compared; in an enlarged window to settings, and unless it is edited to a view
        that is alone, and to two views side by side. Settings are narrower where the views would have no room beside them, and below these
        where they would be cut."""
        opened, beside = self.settings.isChecked(), self.width() >= self.height() * _UPRIGHT
        crowded = opened and self.width() - self._settings_width < _LEAST_OF_SOURCE[0] + LEAST_OF_VIEWS
        cramped = beside and (1 - self._most) * self.width() < BESIDE_FROM
        gives_way = (bool(self._alone.value) or cramped) and not self._tried and not self._edited.value
        read = self._comparison.value is None and not (self._enlarged and (crowded or gives_way))
        set_shown(self.reading, read)
        whole = self.width() - (_LEAST_OF_SOURCE[1] if read and beside else 0)
        room = whole - self.stage.below_header.minimumSizeHint().width()
        least = self.inspector.least
        width = next((each for each in (max(self._settings_width, least), least) if each <= room), 0)
        self.stage.place_drawer(beside=width > 0)
        self.inspector.setMaximumWidth(width or self.width())
        self.inspector.setMinimumWidth(width or min(least, whole))
        self.inspector.setProperty("rule", "left" if width else "top")
        repolish(self.inspector)


class _Reading(QWidget):
    """Column of the source above its step card, which leaves out what there is no room for."""

    card: StepCard | None = None
    kept = 0
    """Pixels of height that are not for the card."""
    crowded_kept = 0
    """The same while a launch form is open, or something is wrong with the text."""
    _opened = _wrong = False

    def show_opened(self, opened: bool) -> None:
        """Let the card give way to an open launch form."""
        self._crowd(opened, self._wrong)

    def show_wrong(self, wrong: bool) -> None:
        """Let the card give way to what is wrong with the text: it is mended now, and the card tells of an earlier one."""
        self._crowd(self._opened, wrong)

    def _crowd(self, opened: bool, wrong: bool) -> None:
        column, card = self.layout(), self.card
        if (opened, wrong) == (self._opened, self._wrong) or column is None or card is None:
            return
        self._opened, self._wrong = opened, wrong
        self._fit_card()
        for layout in (card.layout(), column):
            if layout is not None:
                layout.invalidate()
                layout.activate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_card()

    def _fit_card(self) -> None:
        if self.card is not None:
            kept = max(self.kept, self.crowded_kept) if self._opened or self._wrong else self.kept
            self.card.fit(self.size().shrunkBy(QMargins(0, kept, 0, 0)))


def _hide_while(part: QWidget, *others: Field[bool], wanted: Field[Any] | None = None) -> None:
    """Hide what goes through steps while something else is in front that has none, and as long as `wanted` is None."""

    def show(_changed: object) -> None:
        set_shown(part, not any(each.value for each in others) and (wanted is None or wanted.value is not None))

    for field in (*others, *(() if wanted is None else (wanted,))):
        bind(part, field, show)


def _drawer_button(look: Look) -> QToolButton:
    """Opens and closes the inspector, which a narrow window has no room for all the time."""
    button = QToolButton()
    button.setText(look.text(message("Settings")))
    button.setFont(look.theme.font("body"))
    button.setIcon(look.icon("sliders-horizontal"))
    button.setIconSize(QSize(look.px(16), look.px(16)))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setCheckable(True)
    hint = look.text(message("Settings, counters and findings: show or hide (I)"))
    button.setToolTip(hint)
    button.setAccessibleName(hint)
    return button
