"""The command bar of the window with its menus, and what the window asks of the composition root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.core.session import Session
from app.qt.actions import language_menu, main_menu, motion_menu, named_menu, theme_menu
from app.qt.commands import Commands
from app.qt.look import Look
from app.qt.panels.command_bar import BarButton, CommandBar
from app.qt.settings import Settings
from kernels.messages import message


@dataclass(frozen=True, slots=True)
class WindowChoices:
    """What the window asks of the composition root."""

    choose_language: Callable[[str], object]
    choose_theme: Callable[[str], object]
    choose_motion: Callable[[str], object]
    choose_path: Callable[[str], Path | None]
    """Asks for a file to write, given its suffix."""
    closing: Callable[[], object]
    export_recording: Callable[[], object]
    import_recording: Callable[[], object]
    settings: Settings
    """What is remembered between two starts."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is marked in the menus."""

    theme: str = "system"
    motion: str = "system"


def command_bar(
    look: Look,
    session: Session,
    owner: QWidget,
    commands: Commands,
    choices: WindowChoices,
    chosen: Chosen,
    buttons: Sequence[BarButton] = (),
) -> CommandBar:
    """The bar; its menus belong to `owner`."""
    groups = (
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
