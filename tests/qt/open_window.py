"""The program's window while a test uses it: opened, its stage there, and closed at the end."""

from __future__ import annotations

from collections.abc import Iterator

from pytestqt.qtbot import QtBot

from app.qt.shell.application import Desktop


def while_open(desktop: Desktop, qtbot: QtBot, *, active: bool = False) -> Iterator[Desktop]:
    """Give the window once its stage shows something. `active`: it has the keyboard."""
    desktop.start()
    if active:
        desktop.window.activateWindow()
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)
    if active:
        desktop.process_events()
    yield desktop
    desktop.window.close()
    desktop.window.deleteLater()
