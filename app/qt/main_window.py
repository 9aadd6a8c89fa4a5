"""The window: puts the panels side by side for one look and one size class, and passes keys on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.core.session import Session, StageChoice, Workspace
from app.core.window_arguments import SMALLEST_WINDOW
from app.core.workbench import Workbench
from app.qt.actions import MenuActions, language_menu, main_menu, theme_menu, timeline_keys
from app.qt.binding import bind
from app.qt.look import Look
from app.qt.panels.command_bar import OPERATIONS, CommandBar
from app.qt.panels.ladder import LadderPanel
from app.qt.panels.stage_workspace import StageWorkspace
from app.qt.panels.status_panel import StatusPanel
from app.qt.widgets.rule import rule
from kernels import catalog
from kernels.messages import message

_VIEW_KEYS = {
    Qt.Key.Key_0: 0, Qt.Key.Key_Escape: 0, Qt.Key.Key_1: 1, Qt.Key.Key_2: 2, Qt.Key.Key_3: 3, Qt.Key.Key_4: 4,
}  # fmt: skip
COMPACT_BELOW = 1500
"""Windows narrower than this many pixels get the compact layout."""


@dataclass(frozen=True, slots=True)
class WindowChoices:
    """What the window asks of the composition root."""

    choose_language: Callable[[str], object]
    choose_theme: Callable[[str], object]
    choose_path: Callable[[str], Path | None]
    """Asks for a file to write, given its suffix."""
    closing: Callable[[], object]


class MainWindow(QMainWindow):
    """Everything in it is built anew by `show_look`; what must last is in the workbench."""

    def __init__(self, workbench: Workbench, choices: WindowChoices) -> None:
        super().__init__()
        self._workbench = workbench
        self._choices = choices
        self._look: Look | None = None
        self._theme_choice = "system"
        self._compact = False
        self._rail: bool | None = None
        self._inspector_shown = True
        self._alone = 0
        self.setMinimumSize(QSize(*SMALLEST_WINDOW))
        bind(self, workbench.session.stage, self._show_title)
        bind(self, workbench.session.workspace, self._show_workspace)

    @property
    def session(self) -> Session:
        return self._workbench.session

    def show_look(self, look: Look, theme_choice: str) -> None:
        """Build all panels for a look."""
        self._look = look
        self._theme_choice = theme_choice
        self._build(look)

    def show_view(self, number: int) -> None:
        """Show one view of a launch alone, 0: all."""
        self._alone = number
        self._stage.stage.launch.maximise(number)

    def _build(self, look: Look) -> None:
        self._stack: QStackedWidget | None = None
        old = self.takeCentralWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        for action in self.actions():
            self.removeAction(action)
        central = QWidget()
        rail = self._compact if self._rail is None else self._rail
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(
            CommandBar(
                look,
                self.session,
                main_menu(look, central, self._menu_actions()),
                language_menu(look, central, self._choices.choose_language),
                theme_menu(look, central, self._theme_choice, self._choices.choose_theme),
            )
        )
        body = QHBoxLayout()
        body.setSpacing(0)
        self._ladder = LadderPanel(look, self._workbench, rail)
        body.addWidget(self._ladder)
        body.addWidget(rule(vertical=True))
        self._stack = QStackedWidget()
        self._stage = StageWorkspace(look, self._workbench, compact=self._compact)
        self._stage.inspector.setVisible(self._inspector_shown)
        self._stage.stage.launch.maximise(self._alone)
        self._stack.addWidget(self._stage)
        body.addWidget(self._stack, 1)
        column.addLayout(body, 1)
        column.addWidget(StatusPanel(look, self._workbench))
        self.setCentralWidget(central)
        self._show_title(self.session.stage.value)
        self._show_workspace(self.session.workspace.value)
        self._stage.stage.setFocus()

    def _show_workspace(self, workspace: Workspace) -> None:
        """The timing workspace is built when first asked for: its charts take long to load."""
        if self._look is None or self._stack is None:
            return
        if workspace is Workspace.TIMING and self._stack.count() == 1:
            from app.qt.panels.timing_workspace import TimingWorkspace

            bench = self._workbench
            self._stack.addWidget(
                TimingWorkspace(
                    self._look,
                    bench.session,
                    bench.timing,
                    bench,
                    bench.limits,
                    self._choices.choose_path,
                    self.width() - self._ladder.width(),
                )
            )
        self._stack.setCurrentIndex(0 if workspace is Workspace.STAGE else 1)

    def _show_title(self, stage: StageChoice) -> None:
        if self._look is not None:
            title = message("{operation} · {variant}", operation=OPERATIONS[stage.variant.operation], variant=stage.variant.title)
            self.setWindowTitle(f"{self._look.text(title)} ({stage.variant.id}) — Tilescope")

    def _menu_actions(self) -> MenuActions:
        return MenuActions(
            show_stage=partial(self.session.show_workspace, Workspace.STAGE),
            show_timing=partial(self.session.show_workspace, Workspace.TIMING),
            toggle_ladder=self._toggle_ladder,
            toggle_inspector=self._toggle_inspector,
            next_rung=lambda: self._move_rung(1),
            previous_rung=lambda: self._move_rung(-1),
            measure=self._workbench.measure,
            cancel=self._workbench.cancel,
            export=self._export,
            close=self.close,
        )

    def _export(self) -> None:
        path = self._choices.choose_path("csv")
        if path is not None:
            self._workbench.export(path)

    def _move_rung(self, direction: int) -> None:
        rungs = catalog.of(self.session.operation)
        place = rungs.index(self.session.stage.value.variant) + direction
        if 0 <= place < len(rungs):
            self.session.choose_variant(rungs[place])

    def _toggle_ladder(self) -> None:
        self._rail = not (self._compact if self._rail is None else self._rail)
        if self._look is not None:
            self._build(self._look)

    def _toggle_inspector(self) -> None:
        self._inspector_shown = not self._inspector_shown
        self._stage.inspector.setVisible(self._inspector_shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.session.workspace.value is not Workspace.STAGE:
            super().keyPressEvent(event)
            return
        inspector = self._stage.inspector
        keys = timeline_keys(self._workbench.stage.timeline, partial(inspector.step_tile, -1), partial(inspector.step_tile, 1))
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        called = keys.get((Qt.Key(event.key()), modifiers))
        if event.key() == Qt.Key.Key_I and not modifiers:
            self._toggle_inspector()
        elif event.key() in _VIEW_KEYS and not modifiers:
            self._toggle_view(_VIEW_KEYS[Qt.Key(event.key())])
        elif called is None:
            super().keyPressEvent(event)
        else:
            called()

    def _toggle_view(self, number: int) -> None:
        self.show_view(0 if number == self._stage.stage.launch.alone else number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        compact = event.size().width() < COMPACT_BELOW
        if compact != self._compact:
            self._compact = compact
            if self._look is not None:
                self._build(self._look)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._choices.closing()
        super().closeEvent(event)
