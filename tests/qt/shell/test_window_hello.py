"""The hello kernel in the window: it runs, it can run in another order, and the device can be another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.gpu_view.prints import line_at
from app.core.session.session import profile_named
from app.core.stage.model import GpuPicture
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.gpu_view.threads_view import ThreadsView
from app.qt.shell.application import Desktop
from tests.qt.open_window import while_open


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "gpu.hello", (1280, 720)), None, Settings(None)), qtbot)


def texts(desktop: Desktop) -> list[str]:
    picture = desktop.workbench.stage.picture.value
    assert isinstance(picture, GpuPicture)
    return [line_at(picture.index, step).text for step in range(picture.index.steps)]


def test_the_lines_come_in_another_order_when_asked_for(desktop: Desktop, qtbot: QtBot) -> None:
    stage = desktop.workbench.stage
    by_number, shown = texts(desktop), stage.shown.value
    view = desktop.window.findChild(ThreadsView)
    assert view is not None
    assert view.another.isVisible()
    qtbot.mouseClick(view.another, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: stage.shown.value is not shown and desktop.workbench.stage_ready, timeout=20_000)
    assert texts(desktop) != by_number
    assert sorted(texts(desktop)) == sorted(by_number)


def test_the_stage_is_told_the_chosen_device(desktop: Desktop) -> None:
    assert desktop.workbench.stage.profile.value == desktop.session.profile.value
    desktop.session.profile.value = profile_named("t4")
    assert desktop.workbench.stage.profile.value == profile_named("t4")
