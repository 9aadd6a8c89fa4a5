"""Command bar of the window with its menus and their commands, and the choices that the window leaves to the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.core.base.i18n import LANGUAGES
from app.core.session.session import Session
from app.qt.base.commands import Command, Commands, shown_keys
from app.qt.base.look import Look
from app.qt.base.settings import Settings
from app.qt.base.system import MOTIONS
from app.qt.shell.command_bar import BarButton, CommandBar
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

THEME_TITLES = {
    "system": message("As the system"),
    "light": message("Light"),
    "dark": message("Dark"),
    "contrast-light": message("High contrast, light"),
    "contrast-dark": message("High contrast, dark"),
}


FIND, HELP, QUIT = message("Find a command, setting, rung or lesson…"), message("Keyboard map and help"), message("Quit")
AT_TOP = (FIND, HELP, QUIT)
"""Rows that stand in the menu itself."""


@dataclass(frozen=True, slots=True)
class MenuActions:
    """Functions that the menu calls."""

    show_palette: Callable[[], object]
    open_menu: Callable[[], object]
    show_stage: Callable[[], object]
    show_timing: Callable[[], object]
    toggle_ladder: Callable[[], object]
    widen_ladder: Callable[[], object]
    toggle_inspector: Callable[[], object]
    next_rung: Callable[[], object]
    previous_rung: Callable[[], object]
    measure: Callable[[], object]
    cancel: Callable[[], object]
    export_recording: Callable[[], object]
    import_recording: Callable[[], object]
    edit_copy: Callable[[], object]
    open_source: Callable[[], object]
    save_source: Callable[[], object]
    save_source_as: Callable[[], object]
    find_in_source: Callable[[], object]
    fold_comments: Callable[[], object]
    undo: Callable[[], object]
    redo: Callable[[], object]
    next_finding: Callable[[], object]
    next_conflict: Callable[[], object]
    play_race: Callable[[], object]
    check_edges: Callable[[], object]
    next_pane: Callable[[], object]
    previous_pane: Callable[[], object]
    show_table: Callable[[], object]
    show_keys: Callable[[], object]
    close: Callable[[], object]


WINDOW = message("Window")


def menu_commands(actions: MenuActions, more: Sequence[Command] = ()) -> Mapping[Message, tuple[Command, ...]]:
    """The commands of the menu by what they are about. Their keys work everywhere in the window. `more` are those of the features."""
    return {
        WINDOW: (
            Command(FIND, ("Ctrl+K", "Ctrl+Shift+P"), actions.show_palette),
            Command(message("Open the menu"), ("F10",), actions.open_menu),
            Command(message("Stage"), ("Ctrl+1",), actions.show_stage),
            Command(message("Timing"), ("Ctrl+2",), actions.show_timing),
            Command(message("Show or hide the ladder"), ("Ctrl+B",), actions.toggle_ladder),
            Command(message("Widen or narrow the ladder"), ("Ctrl+Shift+B",), actions.widen_ladder),
            Command(message("Show or hide settings, counters and findings"), ("I", "Ctrl+I"), actions.toggle_inspector),
            Command(message("Next pane"), ("F6",), actions.next_pane),
            Command(message("Previous pane"), ("Shift+F6",), actions.previous_pane),
            Command(message("Show the view as a table"), ("F8",), actions.show_table),
            Command(HELP, ("F1",), actions.show_keys),
            Command(QUIT, ("Ctrl+Q",), actions.close),
        ),
        message("Kernel and source"): (
            Command(message("Next rung"), ("Alt+Down",), actions.next_rung),
            Command(message("Previous rung"), ("Alt+Up",), actions.previous_rung),
            Command(message("Edit a copy"), ("Ctrl+E",), actions.edit_copy),
            Command(message("Open…"), ("Ctrl+O",), actions.open_source),
            Command(message("Save"), ("Ctrl+S",), actions.save_source),
            Command(message("Save as…"), ("Ctrl+Shift+S",), actions.save_source_as),
            Command(message("Find in the source"), ("Ctrl+F",), actions.find_in_source),
            Command(message("Fold the long comments of the source, or open them"), ("Ctrl+M",), actions.fold_comments),
            Command(message("Undo a change of the settings"), ("Ctrl+Z",), actions.undo),
            Command(message("Redo it"), ("Ctrl+Shift+Z",), actions.redo),
            *_commands_of_findings(actions),
        ),
        message("Measuring"): (
            Command(message("Measure the ticked rungs, or run the edited text on the GPU"), ("F9",), actions.measure),
            Command(message("Cancel measuring"), ("Ctrl+.",), actions.cancel),
            Command(message("Export the measurements as a recording…"), ("Ctrl+Shift+R",), actions.export_recording),
            Command(message("Import a recording…"), ("Ctrl+Shift+O",), actions.import_recording),
        ),
        **({message("Lessons, exports and more"): tuple(more)} if more else {}),
    }


def _commands_of_findings(actions: MenuActions) -> tuple[Command, ...]:
    return (
        Command(message("Next finding"), ("F",), actions.next_finding),
        Command(message("Next bank conflict"), ("C",), actions.next_conflict),
        Command(message("Play the schedule that breaks the first data race"), ("Shift+F",), actions.play_race),
        Command(message("Check the edges: sizes and indices that break kernels"), ("Ctrl+Shift+T",), actions.check_edges),
    )


def main_menu(look: Look, owner: QWidget, commands: Mapping[Message, Sequence[Command]], groups: Sequence[QMenu]) -> QMenu:
    """The menu behind the button at the left of the command bar: the way to everything by typing, menus of the commands, and the end."""
    menu = QMenu(owner)
    actions = {}
    parts = []
    for title, group in commands.items():
        part = QMenu(look.text(title), owner)
        parts.append(part)
        for command in group:
            action = QAction(look.text(command.title), owner)
            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
            action.triggered.connect(lambda _=False, run=command.run: run())
            actions[command.title] = action
            if command.title not in AT_TOP:
                part.addAction(action)
    owner.addActions(list(actions.values()))
    menu.addAction(actions[FIND])
    for part in (*parts, *groups):
        menu.addMenu(part)
    menu.addSeparator()
    for title in (HELP, QUIT):
        menu.addAction(actions[title])
    return menu


def named_menu(look: Look, owner: QWidget, title: Message, commands: Sequence[Command]) -> QMenu:
    """A menu of commands whose keys are told, but reach the window only where no field or button has a use for them."""
    menu = QMenu(look.text(title), owner)
    for command in commands:
        action = menu.addAction(f"{look.text(command.title)}\t{shown_keys(command.keys[0])}")
        action.triggered.connect(lambda _=False, run=command.run: run())
    return menu


def choice_menu(owner: QWidget, choices: Mapping[str, str], chosen: str, pick: Callable[[str], object]) -> QMenu:
    """Make a menu of which one entry is marked."""
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


def motion_menu(look: Look, owner: QWidget, chosen: str, pick: Callable[[str], object]) -> QMenu:
    """Whether data travel on the stage."""
    menu = choice_menu(owner, {name: look.text(title) for name, title in MOTIONS.items()}, chosen, pick)
    menu.setTitle(look.text(message("Motion")))
    return menu


def language_menu(look: Look, owner: QWidget, pick: Callable[[str], object]) -> QMenu:
    """Make the menu of the languages, each by its own name."""
    return choice_menu(owner, LANGUAGES, look.translator.language, pick)


def theme_menu(look: Look, owner: QWidget, chosen: str, pick: Callable[[str], object]) -> QMenu:
    """Make the menu of the themes."""
    return choice_menu(owner, {name: look.text(title) for name, title in THEME_TITLES.items()}, chosen, pick)


@dataclass(frozen=True, slots=True)
class WindowChoices:
    """Functions of the composition root that the window calls."""

    choose_language: Callable[[str], object]
    choose_theme: Callable[[str], object]
    choose_motion: Callable[[str], object]
    choose_path: Callable[[str], Path | Message | None]
    """Asks for a file to write, given its suffix."""
    closing: Callable[[], object]
    export_recording: Callable[[], object]
    import_recording: Callable[[], object]
    settings: Settings
    """What is remembered between two starts."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Choices that are marked in the menus."""

    theme: str = "system"
    motion: str = "system"


def command_bar(
    look: Look,
    session: Session,
    owner: QWidget,
    commands: Commands,
    choices: WindowChoices,
    chosen: Chosen,
    recent_files: QMenu,
    buttons: Sequence[BarButton] = (),
) -> CommandBar:
    """Make the command bar; its menus belong to `owner`."""
    groups = (
        recent_files,
        named_menu(look, owner, message("Time"), commands.timeline),
        named_menu(look, owner, message("Views"), commands.views),
        motion_menu(look, owner, chosen.motion, choices.choose_motion),
    )
    return CommandBar(
        look,
        session,
        main_menu(look, owner, commands.menu, groups),
        language_menu(look, owner, choices.choose_language),
        theme_menu(look, owner, chosen.theme, choices.choose_theme),
        buttons,
    )
