"""Readers of the screen are told what everything is that takes the focus, and what the pictures show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.base.i18n import LANGUAGES
from app.core.session.session import Workspace
from app.core.timing.model import TimingPage
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.views.view import StageView
from tests.qt.open_window import while_open


@pytest.fixture(params=["gpu.tiled", "cpu.blocked"])
def desktop(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> Iterator[Desktop]:
    yield from while_open(
        Desktop(WindowArguments("en", "light", request.param, (1920, 1080)), None, Settings(tmp_path / "settings.ini")), qtbot
    )


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else str(interface.text(QAccessible.Text.Name))


def nameless(window: QWidget) -> set[str]:
    """What takes the focus with the tab key, is in sight and has no name, by class and the classes around it."""
    found = set()
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not name_of(widget).strip():
            around: Any = widget.parentWidget()
            found.add(f"{type(widget).__name__} in {type(around).__name__}")
    return found


def test_everything_that_takes_the_focus_has_a_name(desktop: Desktop) -> None:
    found = {}
    for language in LANGUAGES:
        desktop.choose_language(language)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # the panels of the language before
        desktop.session.show_workspace(Workspace.STAGE)
        desktop.process_events()
        found[language, "stage"] = nameless(desktop.window)
        desktop.session.show_workspace(Workspace.TIMING)
        for drawing in TimingPage:
            desktop.workbench.timing.page.value = drawing
            desktop.process_events()
            found[language, drawing.value] = nameless(desktop.window)
        desktop.window._over.help().toggle()
        desktop.process_events()
        found[language, "help"] = nameless(desktop.window)
        desktop.window._over.help().leave()
    assert {place: widgets for place, widgets in found.items() if widgets} == {}


def test_pictures_are_described_once_they_rest(desktop: Desktop, qtbot: QtBot) -> None:
    views: list[StageView[Any]] = []

    def described() -> bool:
        views[:] = [view for view in desktop.window.findChildren(StageView) if view.isVisible()]
        return bool(views) and all(view.accessibleDescription() for view in views)

    for language in LANGUAGES:
        desktop.choose_language(language)
        desktop.workbench.stage.timeline.scrub(3)
        qtbot.waitUntil(described, timeout=20_000)
        look = desktop.window._made_look
        assert all(view.accessibleName().startswith(look.text(view.title)) for view in views)
