"""What is made when it is first asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.lazy import Lazy
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.widgets.overlay import Overlay


def test_it_is_made_once() -> None:
    made = list[object]()

    def make() -> object:
        made.append(object())
        return made[-1]

    late = Lazy(make)
    assert late.made is None
    assert late() is late()
    assert made == [late.made]


def test_the_first_window_makes_nothing_that_lies_over_it(qtbot: object) -> None:
    desktop = Desktop(WindowArguments("en", "light"), None, Settings(None))
    overlays: list[QWidget] = desktop.window.findChildren(Overlay)
    assert overlays == []
    desktop.window.toggle_help()
    assert len(desktop.window.findChildren(Overlay)) == 1
    desktop.window.close()
    desktop.window.deleteLater()


def test_what_an_earlier_run_left_is_read_once_the_window_is_painted(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = list[bool]()
    desktop = Desktop(WindowArguments("en", "light"), None, Settings(None))
    monkeypatch.setattr(desktop.workbench, "start_keeping", lambda: begun.append(desktop.first_paint.over))
    desktop.start()
    desktop.welcome()
    assert begun == []
    qtbot.waitUntil(lambda: begun == [True])
    desktop.welcome()
    assert begun == [True, True]
    desktop.window.close()
    desktop.window.deleteLater()


LATER = (
    "app.core.execution.schedule_sentences",
    "app.core.insights.rules",
    "app.core.lesson_metrics.answer",
    "app.core.lessons.read",
    "app.core.predictions.ncu_csv",
    "app.core.workbench.trace_handlers",
    "app.qt.challenges.panel",
    "app.qt.export.controller",
    "app.qt.export.panel",
    "app.qt.help",
    "app.qt.inspector.content",
    "app.qt.lessons.panel",
    "app.qt.presenter.window",
    "clang",
    "kernels.analysis.findings",
    "kernels.cachesim.execute",
    "kernels.simt.ir",
    "llvmlite",
    "numba",
    "psutil",
    "pygments",
    "pyqtgraph",
)


def test_the_first_window_imports_nothing_that_it_does_not_show() -> None:
    program = """
import sys
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell.application import Desktop
from app.qt.base.settings import Settings
import app.qt.shell.running
Desktop(WindowArguments("en", "light"), None, Settings(None))
print(*sys.modules)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "app.qt.shell.main_window" in said
    assert [name for name in said if name in LATER] == []


def test_no_source_is_read_because_pyside_was_imported_first() -> None:
    """Where it is, it lies in the cache of lines: PySide looked whether the module asks for one of its features."""
    read = "import app.qt.shell.running, linecache; print(*(each for each in linecache.cache if 'tilescope' in each or '/app/' in each))"
    ran = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout.split() == []


def test_nothing_is_imported_for_the_command_line_before_garbage_is_let_lie() -> None:
    read = "import app.cli.window, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", read], capture_output=True, text=True, check=True, timeout=60)
    assert [name for name in ran.stdout.split() if name in ("numpy", "kernels.catalogue.catalogue")] == []
