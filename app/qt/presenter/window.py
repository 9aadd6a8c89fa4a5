"""Presenter window, which the hall sees, and its keys, those of a clicker among them, as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.core.base.timeline import Timeline, Unit
from app.core.compare.sentences import report_of
from app.core.frames.views import View
from app.core.presenter.clicker import Clicker
from app.core.presenter.screen import AS_USUAL, PointerIdle
from app.core.presenter.slide import Slide, pair_slide, program_slide, slide_of, stage_slide
from app.core.stage.controller import TRACE_AGAIN
from app.core.stage.model import BY_REGISTER, NEXT_INSTRUCTION
from app.core.workbench.workbench import Workbench
from app.qt.base.binding import bind
from app.qt.base.commands import DIGITS, Command, Hint
from app.qt.base.look import Look
from app.qt.base.refresh import Refresh
from app.qt.base.style import palette, style_sheet
from app.qt.base.theme import theme
from app.qt.help.panel import HelpPanel
from app.qt.presenter.bar import TURN_UNIT, BarActions
from app.qt.presenter.notes import NotesView
from app.qt.presenter.parts import headline_of, program_of
from app.qt.presenter.sheet import ChoiceButton
from app.qt.presenter.surface import Surface
from app.qt.programs.page_painter import PROGRAM_PAGE
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class PresenterActions:
    """Functions that the keys call."""

    forward: Callable[[], object]
    back: Callable[[], object]
    black: Callable[[], object]
    leave: Callable[[], object]
    spotlight: Callable[[], object]
    zoom: Callable[[int], object]
    full: Callable[[int], object]
    first: Callable[[], object]
    theme: Callable[[], object]
    by_register: Callable[[], object]
    instruction: Callable[[], object]
    notes: Callable[[], object]
    again: Callable[[], object]
    step: Callable[[int], object]
    program: Callable[[], object]
    launch: Callable[[], object]
    help: Callable[[], object]


def presenter_commands(do: PresenterActions, timeline: Timeline) -> tuple[Command, ...]:
    """All of them. A clicker has PageDown, PageUp, B or the full stop, and often F5 and Esc."""
    views = (
        Command(message("View {number} large", number=number), (str(number),), partial(do.full, number)) for number in [*View][:DIGITS]
    )
    return (
        Command(message("Next: reveal, complete, or go on"), ("PgDown",), do.forward),
        Command(message("Take that back"), ("PgUp",), do.back),
        Command(message("Black screen"), ("B", "."), do.black),
        Command(message("Leave"), ("Esc",), do.leave),
        Command(message("Play or pause"), ("Space",), timeline.toggle),
        Command(message("Forward"), ("Right",), partial(do.step, 1)),
        Command(message("Back"), ("Left",), partial(do.step, -1)),
        Command(message("Next barrier"), ("Shift+Right",), lambda: timeline.next(Unit.BARRIER)),
        Command(message("Previous barrier"), ("Shift+Left",), lambda: timeline.previous(Unit.BARRIER)),
        Command(message("Next tile step"), ("Ctrl+Right",), lambda: timeline.next(Unit.TILE)),
        Command(message("Previous tile step"), ("Ctrl+Left",), lambda: timeline.previous(Unit.TILE)),
        Command(TURN_UNIT, ("U",), timeline.turn_unit),
        Command(message("Slower"), ("[",), timeline.slower),
        Command(message("Faster"), ("]",), timeline.faster),
        Command(message("Spotlight"), ("L",), do.spotlight),
        Command(message("Nearer"), ("+", "="), partial(do.zoom, 1)),
        Command(message("Farther"), ("-",), partial(do.zoom, -1)),
        *views,
        Command(message("Whole slide"), ("0",), partial(do.full, 0)),
        Command(message("First lesson step"), ("Home",), do.first),
        Command(message("Light or dark"), ("T",), do.theme),
        Command(BY_REGISTER, ("V",), do.by_register),
        Command(NEXT_INSTRUCTION, ("M",), do.instruction),
        Command(message("Notes"), ("N",), do.notes),
        Command(TRACE_AGAIN, ("R",), do.again),
        Command(PROGRAM_PAGE, ("G",), do.program),
        Command(message("Launch of the program on the stage"), ("Return", "Enter"), do.launch),
        Command(message("Keyboard map and help"), ("F1",), do.help),
    )


PRESENTING = message("While presenting")


def presenter_hints() -> tuple[Hint, ...]:
    """Return what the keys do while something is presented, for the map of the keyboard."""

    def nothing(_number: int = 0) -> None:
        """Do nothing: nothing is presented."""

    idle = PresenterActions(*(nothing for _ in fields(PresenterActions)))
    return tuple(Hint(each.title, each.keys) for each in presenter_commands(idle, Timeline()))


def called_by(event: QKeyEvent, commands: Sequence[Command]) -> Command | None:
    """The command that a key press is for. Shift is part of a sign on some keyboards: + is Shift and = on many."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    wanted = [QKeySequence(event.key() | each.value) for each in (held, held & ~Qt.KeyboardModifier.ShiftModifier)]
    return next((each for pressed in wanted for each in commands for keys in each.keys if QKeySequence(keys) == pressed), None)


TICK_MS = 100
_NOTES_SHARE = 0.3
"""Of the width, for notes beside the slide."""


@dataclass(frozen=True, slots=True)
class Outside:
    """Functions of the program that the window calls; `clock` tells seconds. `screen` None: there is no other screen."""

    theme: Callable[[], object]
    notes: Callable[[], object]
    screen: Callable[[], object] | None
    clock: Callable[[], float]


class PresenterWindow(QWidget):
    """Window of the presentation. `left` says that it was closed, `screens_changed` that a projector was plugged in or out."""

    left = Signal()
    screens_changed = Signal()

    def __init__(self, workbench: Workbench, outside: Outside, look: Look) -> None:
        super().__init__()
        self._workbench, self._outside, self._look = workbench, outside, look
        timeline = workbench.stage.timeline
        self.clicker = Clicker(workbench.lesson_controller.player, timeline, lambda: workbench.states.arrival.pending)
        self.rest = PointerIdle(outside.clock)
        self.commands = presenter_commands(self._actions(), timeline)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.timeout.connect(self.tick)
        desktop = QGuiApplication.instance()
        if isinstance(desktop, QGuiApplication):
            for change in (desktop.screenAdded, desktop.screenRemoved):
                change.connect(self.screens_changed, Qt.ConnectionType.QueuedConnection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._beside: NotesView | None = None
        self._help: HelpPanel | None = None
        self._difference: Message | None = None
        self.surface = self._made_surface()
        self._dress()
        self._follow()

    def show_look(self, look: Look) -> None:
        """Build everything anew for a look."""
        self._look = look
        self._take_help_away()
        old, self.surface = self.surface, self._made_surface()
        old.hide()
        old.deleteLater()
        self._dress()
        self.surface.show()
        self.refresh()

    def _dress(self) -> None:
        """Give the window itself the look too."""
        self.setStyleSheet(style_sheet(self._look.theme))
        self.setPalette(palette(self._look.theme))
        self.setWindowTitle(self._look.text(message("Tilescope: presentation")))
        self._arrange()

    def stand_beside(self, notes: NotesView | None) -> None:
        """Let notes stand at the right of the slide, which keeps its shape; None: no more. The keys stay the window's."""
        self._beside = notes
        if notes is not None:
            notes.setParent(self)
            notes.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            notes.show()
        self._arrange()

    def _arrange(self) -> None:
        """Give the slide all the room, or what notes beside it leave."""
        width, height = self.width(), self.height()
        if self._beside is None:
            self.surface.setGeometry(self.rect())
            return
        left = round(width * (1 - _NOTES_SHARE))
        tall = round(height * (1 - _NOTES_SHARE))
        self.surface.setGeometry(0, (height - tall) // 2, left, tall)
        self._beside.setGeometry(left, 0, width - left, height)

    def start(self) -> None:
        """Let the time of the pointer count; the keys are the window's."""
        self.setFocus()
        self._ticker.start()

    @property
    def slide(self) -> Slide:
        """What is to stand on the screen now."""
        bench, translator = self._workbench, self._look.translator
        playing = bench.lesson_controller.player.playing.value
        if playing is not None:
            return slide_of(playing, translator)
        frame, draft = program_of(bench), bench.session.draft_editor.shown
        if frame is not None and draft is not None:
            return program_slide(frame, translator.text(draft.title), bench.session.profile.value.name, translator)
        running = headline_of(bench)
        if self._difference is not None and running is None:
            return pair_slide(bench.comparison.left.picture.value, bench.stage.picture.value, self._difference, translator)
        title = translator.text(bench.stage_name) if bench.comparison.pair.value is None else ""  # each side has its own
        return stage_slide(bench.stage.picture.value, title, translator) if running is None else Slide(title, translator.text(running), "")

    def refresh(self) -> None:
        """Show what the program shows."""
        self.surface.show_slide(self.slide)
        self.surface.draw()

    def tick(self) -> None:
        """Hide the pointer when it has rested, and finish what has to wait for a trace. Never waits."""
        self.clicker.tick()
        self.surface.catch_up()
        self.rest.tick(held=self.surface.bar.isVisible() and self.surface.bar.underMouse())

    def leave(self) -> None:
        """Leave one thing after the other; at last the presentation."""
        if not self._take_help_away() and not self.surface.give_way():
            self.close()

    def toggle_help(self) -> None:
        """Lay the help over the slide, with the keys of presenting first, as large as the screen asks for; or take it away."""
        if not self._take_help_away():
            scale = max(self._look.theme.scale, self.width() / AS_USUAL)
            look = Look(theme(self._look.theme.name, scale), self._look.translator)
            self._help = HelpPanel(look, self, {PRESENTING: presenter_hints()})
            self._help.toggle()

    def _take_help_away(self) -> bool:
        """Take the help away, and let the keys be the slide's; False where there is none."""
        panel, self._help = self._help, None
        if panel is None:
            return False
        lay = panel.isVisible()
        panel.leave()
        panel.deleteLater()
        return lay

    def _made_surface(self) -> Surface:
        outside, stage = self._outside, self._workbench.stage
        actions = BarActions(
            self._back, self._forward, outside.theme, outside.notes, outside.screen, self.close, stage.try_again, stage.failed
        )  # fmt: skip
        return Surface(self._look, self._workbench, self.rest, outside.clock, actions, self)

    def _actions(self) -> PresenterActions:
        return PresenterActions(
            forward=self._forward, back=self._back, black=lambda: self.surface.blacken(), leave=self.leave,
            spotlight=lambda: self.surface.light(on=self.surface.spotlight.isHidden()), zoom=lambda steps: self.surface.zoom(steps),
            full=lambda number: self.surface.show_full(number), first=lambda: self._workbench.lesson_controller.player.go(0),
            theme=self._outside.theme, by_register=self._workbench.stage.choices.turn_fragments,
            instruction=self._workbench.next_instruction, notes=self._outside.notes,
            again=self._workbench.stage.try_again, step=self._step, program=self._workbench.program_page.toggle,
            launch=self._open_launch, help=self.toggle_help,
        )  # fmt: skip

    def _forward(self) -> None:
        self.surface.curtain.hide()
        if not self._moved(1):
            self.clicker.forward()

    def _back(self) -> None:
        self.surface.curtain.hide()
        if not self._moved(-1):
            self.clicker.back()

    def _moved(self, by: int) -> bool:
        """Go on in the program that is shown without a lesson; False where there is none."""
        bench = self._workbench
        if program_of(bench) is None or bench.lesson_controller.player.playing.value is not None:
            return False
        bench.program_page.move(by)
        return True

    def _step(self, by: int) -> None:
        """Go to another event of the program that is shown, else to another step of the stage."""
        bench = self._workbench
        if program_of(bench) is not None:
            bench.program_page.move(by)
        elif by > 0:
            bench.stage.timeline.forward()
        else:
            bench.stage.timeline.back()

    def _open_launch(self) -> None:
        if program_of(self._workbench) is not None:
            self._workbench.program_page.open_launch()

    def _follow(self) -> None:
        bench = self._workbench
        bind(self, bench.stage.picture, lambda _picture: self._draw())
        bind(self, bench.stage.late, lambda _late: self.surface.draw())
        bind(self, bench.program_page.frame, lambda _frame: self.refresh())
        bind(self, bench.program_page.shown, lambda _shown: self.refresh())
        bind(self, bench.comparison.left.picture, lambda _picture: self._draw())
        bind(self, bench.lesson_controller.player.playing, lambda _playing: self.refresh())
        bind(self, bench.stage.notice, lambda _notice: self.refresh())
        bind(self, bench.stage.alone, lambda _number: self.refresh())
        bind(self, bench.comparison.pair, lambda _pair: self._show_pair())
        bind(self, bench.comparison.live.profile, lambda _profile: self._show_pair())
        bind(self, bench.comparison.live.registers, lambda _registers: self._show_pair())
        bind(self, bench.comparison.view, lambda _view: self.refresh())
        bind(self, bench.session.workspace, lambda _workspace: self.refresh())
        bind(self, bench.timing.page, lambda _drawing: self.refresh())
        bind(self, bench.session.timing, lambda _choice: self.refresh())
        self._results = Refresh(self._show_pair, self)
        bind(self, bench.timing.revision, self._results.soon)
        bind(self, bench.ladder.choice, lambda _choice: self.refresh())
        bind(self, bench.real_runs.watched, lambda _watched: self.refresh())
        bind(self, bench.real_runs.kept, lambda _kept: self.refresh())
        bind(self, bench.real_runs.status, lambda _status: self.refresh())
        bind(self, bench.real_runs.refusal, lambda _reason: self.refresh())

    def _draw(self) -> None:
        """Follow the stage; without a lesson its words too."""
        if self._workbench.lesson_controller.player.playing.value is None:
            self.surface.show_slide(self.slide)
        self.surface.draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._answers(event):
            return
        called = called_by(event, self.commands)
        if called is None:
            super().keyPressEvent(event)
        else:
            called.run()

    def _show_pair(self) -> None:
        """Tell what differs between two launches, the same for all steps of both."""
        comparison = self._workbench.comparison
        told = report_of(comparison, self._workbench.timing.results)
        raced = comparison.pair.value is not None and comparison.pair.value.same
        self._difference = None if told is None or raced else told.headline
        self.refresh()

    def _answers(self, event: QKeyEvent) -> bool:
        """Let the field have a digit, and what follows it, while a number is asked for: the digits of views wait until it is told. Of
        numbers to choose from a digit goes to the one that begins so, and Return chooses it."""
        sheet, field, focused = self.surface.sheet, self.surface.sheet.field, self.focusWidget()
        if isinstance(focused, ChoiceButton) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused.click()
            return True
        if event.text().isdigit() and sheet.go_to_number(event.text()):
            return True
        if field.isHidden() or not (event.text().isdigit() or self.focusWidget() is field):
            return False
        field.setFocus()
        field.keyPressEvent(event)
        return event.isAccepted()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._ticker.stop()
        super().closeEvent(event)
        self.left.emit()
