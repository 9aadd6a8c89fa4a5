"""The longest gap of the event loop while CPU kernels at n = 2048 are measured and the stage plays at 30 frames a second.

    python tests/perf/event_loop_gap.py [seconds]

A precise 10 ms timer notes how late it is called. Reported for the window at rest, playing, and playing while measuring, with the
stage and then the timing workspace in front. With the first measurement numba is imported. Run on an otherwise idle machine.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import FileIO
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, Qt, QTimer

from app.core.base.files.locations import find_places
from app.core.session.session import Workspace
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.first_hint import DONE
from app.qt.shell.running import collect_from_now_on, load_rest_later
from tests.perf.figures import Figure, p99

TICK_MS = 10


def touched(folder: Path) -> Settings:
    """Settings of somebody who has touched the program before: until then it looks at every event of its window."""
    settings = Settings(folder / "touched.ini")
    settings.save_text(DONE, "yes")
    return settings


class Waited:
    """Seconds for which the thread that makes this could have run and had no core; 0 where the system does not say.

    The file stays open: opening it a hundred times a second would be a tenth of what the thread does.
    """

    def __init__(self) -> None:
        self._file: FileIO | None = None
        with suppress(OSError):
            self._file = Path("/proc/thread-self/schedstat").open("rb", buffering=0)  # noqa: SIM115  # as long as this

    def seconds(self) -> float:
        """So far."""
        return 0.0 if self._file is None else int(os.pread(self._file.fileno(), 99, 0).split()[1]) / 1e9


class Lateness(QTimer):
    """Notes at each tick how long after it was due it comes: `late`, ms. `own` of that this thread computed, `waited` it had no core."""

    def __init__(self, every_ms: int = TICK_MS) -> None:
        super().__init__()
        self.late: list[float] = []
        self.own: list[float] = []
        self.waited: list[float] = []
        self._every_ms = every_ms
        self._waited = Waited()
        self._last = self._now()
        self.setTimerType(Qt.TimerType.PreciseTimer)
        self.timeout.connect(self._note)

    def begin(self) -> None:
        """Forget what was noted, and note from now on, until `stop`."""
        for noted in (self.late, self.own, self.waited):
            noted.clear()
        self._last = self._now()
        self.start(self._every_ms)

    def watch(self, seconds: float) -> list[float]:
        """Let the event loop run; how late each tick came."""
        self.begin()
        live(seconds)
        self.stop()
        return list(self.late)

    def _note(self) -> None:
        now = self._now()
        self.late.append(max(0.0, 1000 * (now[0] - self._last[0]) - self._every_ms))
        self.own.append(1000 * (now[1] - self._last[1]))
        self.waited.append(1000 * (now[2] - self._last[2]))
        self._last = now

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), time.thread_time(), self._waited.seconds()


def start(desktop: Desktop) -> None:
    """Show the window as the program does: it looks for garbage in its own thread, and not in what it is made of."""
    gc.disable()
    for later in (collect_from_now_on, load_rest_later):
        desktop.first_paint.painted.connect(partial(later, desktop))
    desktop.start()


def live(seconds: float) -> None:
    """Let the event loop run."""
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()


def figures(*, quick: bool) -> list[Figure]:
    """The 99th percentile and the longest gap in each situation."""
    seconds = 3.0 if quick else 8.0
    conditions = f"{seconds:g} s"
    return [
        figure
        for name, late in watched(seconds)
        for figure in (
            Figure(f"{name}, 99th percentile", p99(late), "ms", conditions),
            Figure(f"{name}, longest gap", max(late), "ms", conditions),
        )
    ]


def main(seconds: float) -> None:
    """Print one line for each situation."""
    for name, late in watched(seconds):
        print(f"{name:40} 99th percentile {p99(late):6.1f} ms   maximum {max(late):6.1f} ms   {len(late)} ticks", flush=True)


def watched(seconds: float) -> Iterator[tuple[str, list[float]]]:
    """Open the window offscreen; each situation with how late the ticks came."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, None)  # type: ignore[arg-type]
        desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), places, touched(Path(home)))
        start(desktop)
        lateness = Lateness()
        lateness.watch(3)
        yield "at rest", lateness.watch(seconds)
        play(desktop)
        yield "playing", lateness.watch(seconds)
        session = desktop.session
        session.timing.value = replace(session.timing.value, ticked=frozenset({"cpu.loop-order", "cpu.blocked"}), sizes=(2048,))
        desktop.workbench.measure()
        yield "playing, first measurement", lateness.watch(seconds)
        yield "playing, measuring n = 2048", lateness.watch(seconds)
        session.show_workspace(Workspace.TIMING)
        lateness.watch(2)
        yield "timing in front, measuring", lateness.watch(seconds)
        desktop.window.close()


def play(desktop: Desktop) -> None:
    """Have the stage play again and again."""
    timeline = desktop.workbench.stage.timeline
    timeline.set_speed(8)
    timeline.loop.value = True
    timeline.play()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0)
