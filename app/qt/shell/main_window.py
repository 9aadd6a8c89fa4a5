"""Main window: puts the panels side by side for one look and one size class, and passes keys on.

Help and the table of a view lie over all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.core.session.session import Session, Workspace
from app.core.stage.model import BY_REGISTER, NEXT_INSTRUCTION
from app.core.workbench.window_arguments import SMALLEST_WINDOW
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.commands import Command, Commands, timeline_commands, view_commands
from app.qt.base.feature import FeatureMaker, Host
from app.qt.base.look import Look
from app.qt.base.style import unstyled
from app.qt.compare.bar import COMPARE
from app.qt.ladder.rung_button import RAIL
from app.qt.ladder.rung_list import LadderPanel
from app.qt.programs.page_painter import PROGRAM_PAGE
from app.qt.shell.command_bar import OPERATIONS
from app.qt.shell.file_drops import FileDrops
from app.qt.shell.focus_keys import KeyRoutes
from app.qt.shell.key_answers import KeyAnswers
from app.qt.shell.menus import Chosen, MenuActions, WindowChoices, command_bar, menu_commands
from app.qt.shell.overlays import Overlays
from app.qt.shell.palette_places import PalettePlaces
from app.qt.shell.panes import FocusMemory, Panes, remember_focus
from app.qt.shell.stage_workspace import StageWorkspace
from app.qt.shell.status_panel import StatusPanel
from app.qt.stage.panel import view_titles
from app.qt.stage.timeline_bar import TimelineBar
from app.qt.widgets.labels import rule
from app.qt.widgets.stops import go_to, stops_of
from kernels.base.messages import message
from kernels.base.spec import Variant


def window_title(session: Session, look: Look) -> str:
    """Return the window's title, which names what is on the stage: the text that is edited, or a variant of the catalogue."""
    variant, draft = session.stage.value.variant, session.draft_editor.shown
    if draft is not None:
        return f"{look.text(draft.title)} — Tilescope"
    title = message("{operation} · {variant}", operation=OPERATIONS[variant.operation], variant=variant.title)
    return f"{look.text(title)} ({variant.id}) — Tilescope"


_HIDDEN = message("The ladder is hidden. {key} shows it.", key="Ctrl+B")
COMPACT_BELOW = 1500
"""Windows narrower than this many pixels, at zoom 100 %, get the compact layout."""
_SETTINGS_PANEL = "window/settings"
_SAVED = {"shown": True, "hidden": False}
"""The words of that setting: whether the settings of the stage are in sight."""
_LARGE = 1.5
"""The zoom from which on such a window has no room for the ladder beside times and a panel that is read."""


class MainWindow(QMainWindow):
    """Window of the program. Everything in it is built anew by `show_look`; what must last is in the workbench."""

    def __init__(self, workbench: Workbench, choices: WindowChoices, features: Sequence[FeatureMaker] = ()) -> None:
        super().__init__()
        self._workbench = workbench
        self._choices = choices
        self._look: Look | None = None
        self._chosen = Chosen()
        self._compact = False
        self._rail: bool | None = None
        self._ladder_shown: bool | None = None
        """Whether the ladder is to be in sight; None until that is chosen: it gives way where there is no room."""
        self._inspector_shown = _SAVED.get(choices.settings.text(_SETTINGS_PANEL) or "")
        self._panes = Panes(self._find_panes)
        host = Host(self, workbench, lambda: self._made_look, self._rebuild, choices.settings)
        self._features = tuple(make(host) for make in features)
        self._keys = KeyRoutes(self)
        self._answers = KeyAnswers(workbench, self)
        FileDrops(self, workbench)
        self.setMinimumSize(QSize(*SMALLEST_WINDOW))
        bind(self, workbench.session.stage, lambda _stage: self._show_title())
        bind(self, workbench.session.draft_editor.on_stage, lambda _shown: self._show_title())
        bind(self, workbench.session.draft_editor.draft, lambda _draft: self._show_title())
        bind(self, workbench.session.workspace, self._show_workspace)

    @property
    def _made_look(self) -> Look:
        assert self._look is not None, "panels are there from the first show_look on"
        return self._look

    @property
    def session(self) -> Session:
        return self._workbench.session

    def show_look(self, look: Look, chosen: Chosen) -> None:
        """Build all panels for a look; what is chosen is marked in the menus."""
        self._look = look
        self._chosen = chosen
        self._compact = self.width() < look.px(COMPACT_BELOW)
        self._build(look)

    def show_view(self, number: int) -> None:
        """Show one view of the stage alone, 0: all."""
        self._workbench.stage.alone.value = number

    def toggle_help(self) -> None:
        """Open the help, or close it."""
        self._over.help().toggle()

    def _build(self, look: Look) -> None:
        self._stack: QStackedWidget | None = None
        looked_for = "" if self.centralWidget() is None else self._ladder.filter.text()
        memory = self._take_down()
        central = QWidget()
        self._sides = [side for feature in self._features if (side := feature.side()) is not None]
        rail = (self._compact or bool(self._sides)) if self._rail is None else self._rail
        self._ladder: LadderPanel = LadderPanel(look, self._workbench, rail)
        self._ladder.filter.setText(looked_for)
        self._gives_way = self._rail is None and self._compact and (bool(self._sides) or look.theme.scale >= _LARGE)
        self._stage = StageWorkspace(look, self._workbench, compact=self._compact, crowded=bool(self._sides))
        self._commands = self._made_commands()
        buttons, recent = [button for feature in self._features for button in feature.bar()], self._stage.source.files.menu(central)
        self._bar = command_bar(look, self.session, central, self._commands, self._choices, self._chosen, recent, buttons)
        self._stage.settings.setChecked(not self._compact if self._inspector_shown is None else self._inspector_shown)
        self._stage.settings.clicked.connect(self._remember_inspector)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._stage)
        self._lay_out(look, central, self._stack)
        places = PalettePlaces(
            self._workbench, self._commands, self._choices, self._features, self._go_to_setting, self._choose_rung,
            self._stage.source.places, look.translator.language, self._chosen,
        )  # fmt: skip
        self._over = Overlays(look, central, self._stage.stage, self._commands.groups, places)
        self.setCentralWidget(central)
        for feature in self._features:
            feature.build(central)
        self._show_title()
        self._show_workspace(self.session.workspace.value)
        self._put_focus_back(memory, central)

    def _lay_out(self, look: Look, central: QWidget, stack: QStackedWidget) -> None:
        body = QHBoxLayout()
        body.setSpacing(0)
        for part in (self._ladder, *self._sides):
            body.addWidget(part)
            body.addWidget(rule(vertical=True))
        body.addWidget(stack, 1)
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for line in (self._bar, *(each for feature in self._features if (each := feature.line()) is not None)):
            column.addWidget(line)
        column.addLayout(body, 1)
        column.addWidget(StatusPanel(look, self._workbench))

    def _put_focus_back(self, memory: FocusMemory | None, central: QWidget) -> None:
        if memory is None:
            self._stage.stage.setFocus()
        elif not memory.restore(central):
            self._catch_focus()

    def _catch_focus(self) -> None:
        """What had the focus is gone: the rung that is shown has it then, where it can be seen."""
        rung, central = self._ladder.shown_rung, self.centralWidget()
        if rung is None or central is None or not rung.isVisibleTo(central):
            self._stage.stage.setFocus()
        else:
            go_to(rung, Qt.FocusReason.OtherFocusReason)

    def _choose_rung(self, variant: Variant) -> None:
        """Choose a rung. The focus stays where it is unless that is gone, a button of the bar, the field that finds rungs, or a text that
        is not there any more: the views have it then, and keys step and play them."""
        focused, edited = QApplication.focusWidget(), self.session.draft_editor.on_stage.value
        self.session.choose_variant(variant)
        now, stage = QApplication.focusWidget(), self._stage.stage
        if edited or now is not focused or now in (None, stage, self._ladder.filter) or (now is not None and self._bar.isAncestorOf(now)):
            go_to(next((view for frame in stage.frames if (view := frame.view).isVisible()), stage), Qt.FocusReason.OtherFocusReason)

    def _rebuild(self) -> None:
        if self._look is not None:
            with unstyled():
                self._build(self._look)

    def _take_down(self) -> FocusMemory | None:
        """Let go of all panels; returns what the user was about."""
        for action in self.actions():
            self.removeAction(action)
        central = self.centralWidget()
        if central is None:
            return None
        memory = remember_focus(central)
        self._stage.source.flush()
        self.takeCentralWidget()
        central.hide()
        central.deleteLater()
        return memory

    def _made_commands(self) -> Commands:
        return Commands(
            menu_commands(self._menu_actions(), [command for feature in self._features for command in feature.commands()]),
            timeline_commands(self._workbench.stage.timeline, partial(self._step_tile, -1), partial(self._step_tile, 1)),
            (
                *view_commands(view_titles(), self._answers.toggle_view, partial(self._answers.toggle_view, 0)),
                Command(COMPARE, ("P",), self._stage.compare.toggle),
                Command(PROGRAM_PAGE, ("G",), self._workbench.program_page.toggle),
                Command(BY_REGISTER, ("V",), self._workbench.stage.choices.turn_fragments),
                Command(NEXT_INSTRUCTION, ("M",), self._workbench.next_instruction),
            ),
        )

    def _find_panes(self) -> list[QWidget]:
        """Return the panes in the order of the focus, those of the other workspace, which are hidden, included."""
        stage = (self._stage.reading, self._stage.stage, self._stage.inspector, self._stage.findChild(TimelineBar))
        timing: list[QWidget | None] = []
        if self._stack is not None and self._stack.count() > 1:
            from app.qt.timing.side_panel import TimingSide

            timing = [self._stack.widget(1), *self._stack.findChildren(TimingSide)]
        first = (self._over.help.made, self._bar, self._ladder)
        return [pane for pane in (*first, *self._sides, *stage, *timing) if isinstance(pane, QWidget)]

    def _show_workspace(self, workspace: Workspace) -> None:
        """The timing workspace is built when first asked for: its charts take long to load."""
        if self._look is None or self._stack is None:
            return
        if self._ladder_shown is not None:
            self._ladder.setVisible(self._ladder_shown)
        elif self._gives_way:  # what is read beside it, or the picture, comes first; rungs to be measured are ticked in the ladder
            self._ladder.setVisible(workspace is not Workspace.STAGE and not (self._sides and self._look.theme.scale >= _LARGE))
        if workspace is Workspace.TIMING and self._stack.count() == 1:
            from app.qt.shell.timing_workspace import timing_workspace

            room = self.width() - (0 if self._ladder.isHidden() else self._ladder.width()) - sum(side.width() for side in self._sides)
            self._stack.addWidget(timing_workspace(self._look, self._workbench, self._choices.choose_path, room, self._features))
        page = self._stack.widget(0 if workspace is Workspace.STAGE else 1)
        assert page is not None
        had, leaves = page.focusWidget(), _has_focus(self._stack) and not _has_focus(page)
        self._stack.setCurrentWidget(page)
        if leaves and page is self._stack.widget(0) and QApplication.focusWidget() is not had:
            self._stage.stage.setFocus()  # where nothing there had it before, Qt gives it to the first button

    def _show_title(self) -> None:
        if self._look is not None:
            self.setWindowTitle(window_title(self.session, self._look))

    def _menu_actions(self) -> MenuActions:
        return MenuActions(
            show_palette=lambda: self._over.find(),
            open_menu=lambda: self._bar.open_menu(),
            show_stage=partial(self.session.show_workspace, Workspace.STAGE),
            show_timing=partial(self.session.show_workspace, Workspace.TIMING),
            toggle_ladder=self._toggle_ladder,
            widen_ladder=self._widen_ladder,
            toggle_inspector=self._toggle_inspector,
            next_rung=partial(self.session.move_rung, 1),
            previous_rung=partial(self.session.move_rung, -1),
            edit_copy=self._stage.source.edit_copy,
            open_source=self._stage.source.files.ask_and_open,
            save_source=self._stage.source.files.save,
            save_source_as=self._stage.source.files.save_as,
            find_in_source=self._stage.source.find_words,
            fold_comments=self._stage.source.view.folding.toggle_all,
            measure=self._measure,
            cancel=self._workbench.cancel,
            export_recording=self._choices.export_recording,
            import_recording=self._choices.import_recording,
            undo=self._workbench.studies.history.undo,
            redo=self._workbench.studies.history.redo,
            next_conflict=lambda: self._answers.next_conflict(self._stage.source.view),
            next_finding=lambda: self._answers.next_finding(self._stage.inspector),
            play_race=self._answers.play_race,
            check_edges=self._stage.source.check_edges,
            next_pane=partial(self._panes.cycle, 1),
            previous_pane=partial(self._panes.cycle, -1),
            show_table=self._show_table,
            show_keys=self.toggle_help,
            close=self.close,
        )

    def _show_table(self) -> None:
        """Beside the times it would open out of sight, and take the focus there."""
        if self.session.workspace.value is Workspace.STAGE:
            self._over.table().toggle()
        else:
            self._answers.say(message("Only views of the stage can be shown as a table."))

    def _step_tile(self, direction: int) -> None:
        reason = self._stage.step_tile(direction)
        if reason is not None:
            self._answers.say(reason)

    def _measure(self) -> None:
        """The text that is edited, where it is what one looks at; else the ticked rungs."""
        if self.session.draft_editor.on_stage.value and self.session.workspace.value is Workspace.STAGE:
            self._stage.source.run()
        else:
            self._workbench.measure()

    def _toggle_ladder(self) -> None:
        """Show or hide it. What had the focus in it leaves it to the stage."""
        self._ladder_shown = self._ladder.isHidden()
        had_focus = _has_focus(self._ladder)
        self._ladder.setVisible(self._ladder_shown)
        if had_focus:
            self._stage.stage.setFocus()
        say = self._workbench.withdraw if self._ladder_shown else self._workbench.tell
        say(_HIDDEN)

    def _widen_ladder(self) -> None:
        self._ladder_shown = True
        self._workbench.withdraw(_HIDDEN)
        self._rail = self._ladder.isHidden() or self._ladder.width() > self._made_look.px(RAIL)
        self._rebuild()

    def _go_to_setting(self, name: str) -> None:
        """Open the settings of the stage at one of them."""
        self.session.show_workspace(Workspace.STAGE)
        if not self._stage.settings.isChecked():
            self._stage.settings.click()
        field = self._stage.inspector.parameters[name].field.edit
        go_to(field, Qt.FocusReason.ShortcutFocusReason)
        field.selectAll()

    def _toggle_inspector(self) -> None:
        """Show or hide the settings; a key that shows them leads to the first of them."""
        self._stage.settings.click()
        if self._stage.settings.isChecked() and (stops := stops_of(self._stage.inspector)):
            go_to(stops[0], Qt.FocusReason.ShortcutFocusReason)

    def _remember_inspector(self) -> None:
        """Remember whether the inspector is shown: until that is chosen a narrow window has none."""
        self._inspector_shown = self._stage.settings.isChecked()
        self._choices.settings.save_text(_SETTINGS_PANEL, "shown" if self._inspector_shown else "hidden")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._escape():
            return
        called = self._commands.called_by(event) if self.session.workspace.value is Workspace.STAGE else None
        program = self._stage.stage.program
        of_time = called is not None and called in self._commands.timeline
        if program is not None and (of_time or called is None) and (program.press(event) or of_time):
            return  # there are events to go through, no steps
        if called is None:
            super().keyPressEvent(event)
        else:
            called.run()

    def _escape(self) -> bool:
        """What Escape does where no view has to give way: a question is left first, then a list, then the text that is edited."""
        leaving, view = self._stage.source.leaving, self._stage.source.view
        if leaving.stay():
            return True
        whole = not self._workbench.comparison.pins() and not self._workbench.stage.alone.value
        free = whole or (view.editable and view.hasFocus()) or self.session.workspace.value is not Workspace.STAGE
        return (free and any(feature.leave() for feature in self._features)) or leaving.escape()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from pane to pane; an arrow, by which a button hands the focus on, stays in its pane."""
        stop = self._panes.neighbour(forward=forward, inside=self._keys.by_arrow)
        if stop is None:
            return super().focusNextPrevChild(forward)
        go_to(stop, Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        compact = event.size().width() < (self._look.px(COMPACT_BELOW) if self._look is not None else COMPACT_BELOW)
        if compact != self._compact:
            self._compact = compact
            self._rebuild()

    def closeEvent(self, event: QCloseEvent) -> None:
        for feature in self._features:
            feature.close()
        self._choices.closing()
        super().closeEvent(event)


def _has_focus(page: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and page.isAncestorOf(focused)
