"""The longest gap of the event loop while CPU kernels at n = 2048 are measured and the stage plays at 30 frames a second.

    python tests/perf/event_loop_gap.py [seconds]

A precise 10 ms timer notes how late it is called. Reported for the window at rest, playing, and playing while measuring, with the
stage and then the timing workspace in front. Run on an otherwise idle machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer

from app.core.places import find_places
from app.core.session import Workspace
from app.core.timing import points_of
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.settings import Settings
from kernels.measure.protocol import Protocol

TICK_MS = 10


class Lateness(QTimer):
    """Notes at each tick how many milliseconds it comes after it was due."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []
        self._last = time.perf_counter()
        self.setTimerType(Qt.TimerType.PreciseTimer)
        self.timeout.connect(self._note)

    def _note(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, 1000 * (now - self._last) - TICK_MS))
        self._last = now

    def watch(self, seconds: float) -> str:
        """Let the event loop run and report."""
        self.late.clear()
        self._last = time.perf_counter()
        self.start(TICK_MS)
        loop = QEventLoop()
        QTimer.singleShot(int(1000 * seconds), loop.quit)
        loop.exec()
        self.stop()
        return f"99th percentile {np.percentile(self.late, 99):6.1f} ms   maximum {max(self.late):6.1f} ms   {len(self.late)} ticks"


def main(seconds: float) -> None:
    """Open the window offscreen and print one line for each situation."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, None)  # type: ignore[arg-type]
        desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), places, Settings(None))
        desktop.start()
        lateness = Lateness()
        lateness.watch(3)
        print("at rest                        ", lateness.watch(seconds))
        _play(desktop)
        print("playing                        ", lateness.watch(seconds))
        session = desktop.session
        session.timing.value = replace(session.timing.value, ticked=frozenset({"cpu.loop-order", "cpu.blocked"}), sizes=(2048,))
        desktop.workbench._workers.measuring.start(points_of(desktop.session.timing.value), Protocol(target_spread=0.0))
        print("playing, first measurement     ", lateness.watch(seconds), "(numba imported, kernels compiled elsewhere)")
        print("playing, measuring n = 2048    ", lateness.watch(seconds))
        session.show_workspace(Workspace.TIMING)
        lateness.watch(2)
        print("timing in front, measuring     ", lateness.watch(seconds))
        desktop.window.close()


def _play(desktop: Desktop) -> None:
    timeline = desktop.workbench.stage.timeline
    timeline.set_speed(8)
    timeline.loop.value = True
    timeline.play()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0)
