"""Everything that can be done with a key or from the menu, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.core.i18n import LANGUAGES
from app.core.timeline import Timeline, Unit
from app.qt.look import Look
from kernels.messages import Message, message

THEME_TITLES = {"system": message("As the system"), "light": message("Light"), "dark": message("Dark")}
_NONE, _SHIFT, _CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier

KeyMap = Mapping[tuple[Qt.Key, Qt.KeyboardModifier], Callable[[], object]]


def timeline_keys(timeline: Timeline, smaller: Callable[[], object], larger: Callable[[], object]) -> KeyMap:
    """Keys that reach the window when no field or button has a use for them."""
    alt = Qt.KeyboardModifier.AltModifier
    return {
        (Qt.Key.Key_Space, _NONE): timeline.toggle,
        (Qt.Key.Key_Right, _NONE): timeline.forward,
        (Qt.Key.Key_Left, _NONE): timeline.back,
        (Qt.Key.Key_Right, _SHIFT): lambda: timeline.next(Unit.BARRIER),
        (Qt.Key.Key_Left, _SHIFT): lambda: timeline.previous(Unit.BARRIER),
        (Qt.Key.Key_Right, _CONTROL): lambda: timeline.next(Unit.TILE),
        (Qt.Key.Key_Left, _CONTROL): lambda: timeline.previous(Unit.TILE),
        (Qt.Key.Key_PageDown, _NONE): lambda: timeline.next(Unit.BLOCK),
        (Qt.Key.Key_PageUp, _NONE): lambda: timeline.previous(Unit.BLOCK),
        (Qt.Key.Key_Home, _NONE): timeline.to_start,
        (Qt.Key.Key_End, _NONE): timeline.to_end,
        (Qt.Key.Key_BracketLeft, _NONE): timeline.slower,
        (Qt.Key.Key_BracketRight, _NONE): timeline.faster,
        (Qt.Key.Key_Left, alt): smaller,
        (Qt.Key.Key_Right, alt): larger,
    }


@dataclass(frozen=True, slots=True)
class MenuActions:
    """What the menu calls."""

    show_stage: Callable[[], object]
    show_timing: Callable[[], object]
    toggle_ladder: Callable[[], object]
    toggle_inspector: Callable[[], object]
    next_rung: Callable[[], object]
    previous_rung: Callable[[], object]
    measure: Callable[[], object]
    cancel: Callable[[], object]
    export: Callable[[], object]
    close: Callable[[], object]


def main_menu(look: Look, owner: QWidget, actions: MenuActions) -> QMenu:
    """The menu behind the button at the left of the command bar; its shortcuts work everywhere in the window."""
    menu = QMenu(owner)
    rows: tuple[tuple[Message, str, Callable[[], object]] | None, ...] = (
        (message("Stage"), "Ctrl+1", actions.show_stage),
        (message("Timing"), "Ctrl+2", actions.show_timing),
        (message("Show or hide the ladder"), "Ctrl+B", actions.toggle_ladder),
        (message("Show or hide the inspector"), "Ctrl+I", actions.toggle_inspector),
        None,
        (message("Next rung"), "Alt+Down", actions.next_rung),
        (message("Previous rung"), "Alt+Up", actions.previous_rung),
        None,
        (message("Measure the ticked rungs"), "F9", actions.measure),
        (message("Cancel measuring"), "Ctrl+.", actions.cancel),
        (message("Export the measurements…"), "Ctrl+Shift+E", actions.export),
        None,
        (message("Quit"), "Ctrl+Q", actions.close),
    )
    for row in rows:
        if row is None:
            menu.addSeparator()
        else:
            title, keys, called = row
            action = menu.addAction(look.text(title))
            action.setShortcut(QKeySequence(keys))
            action.triggered.connect(lambda _=False, run=called: run())
    owner.addActions(menu.actions())
    return menu


def choice_menu(owner: QWidget, choices: Mapping[str, str], chosen: str, pick: Callable[[str], object]) -> QMenu:
    """A menu of which one entry is marked."""
    menu = QMenu(owner)
    group = QActionGroup(menu)
    for value, title in choices.items():
        action = QAction(title, menu)
        action.setCheckable(True)
        action.setChecked(value == chosen)
        action.triggered.connect(lambda _=False, picked=value: pick(picked))
        group.addAction(action)
        menu.addAction(action)
    return menu


def language_menu(look: Look, owner: QWidget, pick: Callable[[str], object]) -> QMenu:
    """The languages, each by its own name."""
    return choice_menu(owner, LANGUAGES, look.translator.language, pick)


def theme_menu(look: Look, owner: QWidget, chosen: str, pick: Callable[[str], object]) -> QMenu:
    """The themes."""
    return choice_menu(owner, {name: look.text(title) for name, title in THEME_TITLES.items()}, chosen, pick)
