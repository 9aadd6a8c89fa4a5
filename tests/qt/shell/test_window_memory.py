"""The window has as many parts after many changes as after a few: what it puts away is gone."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.catalogue.catalogue import by_id
from tests.qt.open_window import while_open

RUNGS = ("cpu.naive", "gpu.tiled", "mpi.rows", "gpu.transpose-shared", "cpu.blocked")
LOOKS_MS = 50
"""How long the window lives after each choice, in an event loop: only there does Qt delete what was put away."""


@pytest.fixture
def desktop(qtbot: QtBot) -> Iterator[Desktop]:
    yield from while_open(Desktop(WindowArguments("en", "light", "cpu.blocked", (1280, 720)), None, Settings(None)), qtbot)


def parts(desktop: Desktop) -> Counter[str]:
    """How many objects there are of each kind of Qt's that Python knows, but values such as fonts."""
    gc.collect()
    return Counter(type(each).__name__ for each in shiboken6.getAllValidWrappers() if isinstance(each, QObject))


def walk(desktop: Desktop, qtbot: QtBot) -> None:
    """One rung after the other, with other sliders and fields each, then the other half of the window; the last picture is awaited."""
    for variant_id in RUNGS:
        variant = by_id(variant_id)
        desktop.session.choose_variant(variant)
        qtbot.wait(LOOKS_MS)
    desktop.session.show_workspace(Workspace.TIMING)
    qtbot.wait(LOOKS_MS)
    desktop.session.show_workspace(Workspace.STAGE)
    qtbot.waitUntil(lambda: desktop.workbench.stage_ready)


def test_parts_that_are_put_away_are_gone(qtbot: QtBot, desktop: Desktop) -> None:
    for _ in range(2):  # what is made when it is first needed may be needed late: devices answer in their own time
        walk(desktop, qtbot)
    before = parts(desktop)
    walk(desktop, qtbot)
    assert parts(desktop) - before == Counter()
