"""Presenting as a part of the window: its button and keys, on which screen what is shown, and the end of it all."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication, QKeyEvent, QScreen
from PySide6.QtWidgets import QWidget

from app.core.lessons.current_lesson import StepState
from app.core.presenter.screen import AS_USUAL, Clock, arrange, next_screen
from app.core.workbench.window_arguments import Presented
from app.qt.base.commands import Command
from app.qt.base.feature import Feature, Host
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.widgets.side_panel import side_width
from kernels.base.messages import message

if TYPE_CHECKING:
    from app.qt.presenter.notes import NotesView, NotesWindow
    from app.qt.presenter.window import PresenterWindow

_THEME, _SCREEN = "presenter/theme", "presenter/screen"
_NOTES_SCALE = 1.7
_FROM_EDGE = 40
"""Pixels between the window of the notes and the corner of its screen."""


class AnyScreen(Protocol):
    """Interface of a screen, as far as the presenter needs it."""

    def name(self) -> str: ...
    def geometry(self) -> QRect: ...


Screens = Callable[[], Sequence[AnyScreen]]


class Presenting(Feature):
    """Feature of the presentation. `window` is there while something is presented, `notes` while they have one, or on a single
    screen a part of it."""

    def __init__(
        self, host: Host, screens: Screens = QGuiApplication.screens, clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = datetime.now,
    ) -> None:  # fmt: skip
        self._host, self._screens, self._seconds = host, screens, clock
        self._clock = Clock(clock, today)
        self._theme = host.settings.text(_THEME) or "light"
        self._beside = False
        self.window: PresenterWindow | None = None
        self.notes: NotesWindow | NotesView | None = None

    # ------------------------------------------------------------ what the window asks for

    def commands(self) -> tuple[Command, ...]:
        return self._present, Command(message("Present from this lesson step"), ("Shift+F5",), self.present)

    def bar(self) -> tuple[tuple[str, Command], ...]:
        return (("presentation", self._present),)

    @property
    def _present(self) -> Command:
        return Command(message("Present"), ("F5",), self.present_again)

    def side(self) -> QWidget | None:
        if self.window is None or not self._beside:
            return None
        from app.qt.presenter.notes import NotesView

        view = NotesView(self._host.look(), self._host.workbench, self._clock)
        view.setFixedWidth(side_width(self._host.look(), self._host.window.width()))
        return view

    def build(self, _over: QWidget) -> None:
        """Another language is another look for the slides too."""
        if self.window is not None:
            self.window.show_look(self.look)
        self._renew_notes()

    def close(self) -> None:
        self._beside = False
        self._close_notes()
        if self.window is not None:
            self.window.close()

    # ------------------------------------------------------------ presenting

    def begin(self, presented: Presented) -> None:
        """Present what the command line asks for."""
        lesson_controller, place = self._host.workbench.lesson_controller, presented.place
        self._theme = presented.theme or self._theme
        if place is not None and presented.resumed:
            lesson_controller.progress.read_now()
            lesson_controller.resume(place.lesson)
        elif place is not None:
            lesson_controller.player.open(place.lesson, place.number)
        if place is not None and place.revealed:
            lesson_controller.player.reveal()
        self.present()

    def present_again(self) -> None:
        """A lesson from where it stands; one that is over, from its beginning."""
        player = self._host.workbench.lesson_controller.player
        now = player.playing.value
        if now is not None and now.last and now.state is StepState.TOLD and self.window is None:
            player.open(now.lesson)
        self.present()

    def present(self) -> None:
        """Show what the program shows, to the hall."""
        if self.window is None:
            self._clock.begin()
            self.make_window()
        self._put()
        self._rebuild()

    def make_window(self) -> PresenterWindow:
        """Make the window, not shown yet."""
        from app.qt.presenter.window import Outside, PresenterWindow

        screen = self.next_screen if len(self._screens()) > 1 else None
        outside = Outside(self.toggle_theme, self.toggle_notes, screen, self._seconds)
        self.window = PresenterWindow(self._host.workbench, outside, self.look)
        self.window.left.connect(self._left)
        self.window.screens_changed.connect(self._screens_changed)
        return self.window

    def make_notes(self) -> NotesWindow:
        """Make the window of the notes, not shown yet."""
        from app.qt.presenter.notes import NotesWindow

        look = self._host.look()
        large = Look(theme(look.theme.name, _NOTES_SCALE * look.theme.scale), look.translator)
        notes = self.notes = NotesWindow(large, self._host.workbench, self._clock, self._press)
        notes.closed.connect(self._close_notes)
        other = next((screen for screen in self._screens() if screen.name() != self.screen), None)
        if other is not None:
            notes.move(other.geometry().topLeft() + QPoint(_FROM_EDGE, _FROM_EDGE))
        return notes

    def toggle_notes(self) -> None:
        """The notes in a window of their own, or no more. On a single screen that would lie over the slide: there they stand beside it."""
        if self.notes is not None:
            self._close_notes()
        elif self.window is not None and len(self._screens()) == 1:
            from app.qt.presenter.notes import NotesView

            look = self._host.look()
            scale = max(look.theme.scale, self.window.width() / AS_USUAL)
            self.notes = NotesView(Look(theme(self._theme, scale), look.translator), self._host.workbench, self._clock)
            self.window.stand_beside(self.notes)
        else:
            self.make_notes().show()

    def _press(self, event: QKeyEvent) -> None:
        """A key that was pressed in the notes means what it does at the slide."""
        if self.window is not None:
            self.window.keyPressEvent(event)

    def choose_theme(self, name: str) -> None:
        """Light or dark slides, for this time."""
        self._theme = name
        if self.window is not None:
            self.window.show_look(self.look)
            if self._notes_beside:
                self._renew_notes()

    def toggle_theme(self) -> None:
        """Change to the other theme, and remember it."""
        self.choose_theme("light" if self._theme == "dark" else "dark")
        self._host.settings.save_text(_THEME, self._theme)

    def _screens_changed(self) -> None:
        """A projector was plugged in or out: the slides go where they belong now, and the notes come or go."""
        if self.window is not None and self.window.isVisible():
            before = self._beside
            self._put()
            if self._beside != before:
                self._close_notes()  # they come with the window's panels now, or lie over the only screen
                self._host.rebuild()

    def next_screen(self) -> None:
        """Move the slides to another screen, and remember it."""
        names = [screen.name() for screen in self._screens()]
        self._host.settings.save_text(_SCREEN, next_screen(names, self.screen))
        self._put()

    @property
    def screen(self) -> str:
        """The name of the screen that the slides go to."""
        return self._screens()[self._arranged()].name()

    def _arranged(self) -> int:
        """The place of the screen that the slides go to."""
        names = [screen.name() for screen in self._screens()]
        found = arrange(names, self._host.window.screen().name(), self._host.settings.text(_SCREEN))
        self._beside = found.beside
        return found.slides

    def _put(self) -> None:
        """Over the whole of its screen."""
        window, screen = self.window, self._screens()[self._arranged()]
        if window is None:
            return
        if isinstance(screen, QScreen):
            window.setScreen(screen)
        window.setGeometry(screen.geometry())
        window.showFullScreen()
        window.activateWindow()
        window.start()

    @property
    def look(self) -> Look:
        """Look of the slides: a theme of their own, in the language of the program."""
        return Look(theme(self._theme), self._host.look().translator)

    def _rebuild(self) -> None:
        """Have the panels built anew, as the panel of the notes comes and goes."""
        if self._beside:
            self._host.rebuild()

    def _left(self) -> None:
        if self.window is None:
            return
        if self._notes_beside:
            self._close_notes()
        window, self.window = self.window, None
        window.deleteLater()
        if self._host.window.isVisible():
            self._rebuild()
            self._host.window.activateWindow()

    @property
    def _notes_beside(self) -> bool:
        """Whether there are notes beside the slide, in its window and its theme."""
        return self.window is not None and self.notes is not None and self.window.isAncestorOf(self.notes)

    def _renew_notes(self) -> None:
        """Make them anew for another look, where they are shown."""
        if self.notes is not None:
            self._close_notes()
            self.toggle_notes()

    def _close_notes(self) -> None:
        notes, self.notes = self.notes, None
        if self.window is not None:
            self.window.stand_beside(None)
        if notes is not None:
            had_keys = notes.isWindow() and notes.isActiveWindow()
            notes.close()
            notes.deleteLater()
            if had_keys and self.window is not None:
                self.window.activateWindow()
