"""How the process of the window ends: with all kept, whoever ended it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys, time
from PySide6.QtCore import QCoreApplication, QTimer
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell import running
from app.qt.shell.application import Desktop
from app.qt.base.settings import Settings

running.GOODBYE_S = 0.1
desktop = Desktop(WindowArguments("en", "light", None, (1280, 720)), None, Settings(None))
running.end_soon_after_quitting(desktop)
shutdown = desktop.workbench.shutdown

def slow_shutdown(timeout):
    stuck = shutdown(timeout)
    time.sleep(0.5)
    print("kept", flush=True)
    return stuck

def end():
    {end}

desktop.workbench.shutdown = slow_shutdown
QTimer.singleShot(0, end)
os._exit(desktop.run())
"""
GONE = "QCoreApplication.exit(1)"
"""What Qt does when the X server has died."""


@pytest.mark.parametrize(("end", "status"), [("desktop.window.close()", 0), (GONE, 1)])
def test_it_ends_when_all_is_kept(end: str, status: int) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(end=end)], capture_output=True, text=True, env=environment, timeout=240, check=False
    )
    assert (ran.returncode, ran.stdout) == (status, "kept\n"), ran.stderr
