"""Times whole frames of the 1920 x 1080 window while a CPU kernel plays: each view alone and all together.

    python tests/perf/nest_frame_time.py [frames] [variant n]

One frame: the timeline advances by 1/60 s, and everything that this changes is painted (offscreen). Besides wall-clock time the time of
this thread alone is given: on a machine that others use too, that is what the frames themselves take.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer

from app.core.places import find_places
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.panels.timeline_bar import TimelineBar
from app.qt.settings import Settings
from kernels.spec import Problem

FRAME_S = 1 / 60
VIEWS = {0: "all four views", 1: "matrices", 2: "loops", 3: "cache", 4: "hit rate"}
SPEEDS = (1.0, 8.0, 64.0)
KERNELS = (("cpu.blocked", 16), ("cpu.naive", 32))
PATIENCE_S = 120.0
"""The first question to the cache model compiles it."""


def main(frames: int, kernels: tuple[tuple[str, int], ...]) -> None:
    """One line for each kernel, preset of caches, view and speed."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, Path(home))
        for variant, n in kernels:
            desktop = Desktop(WindowArguments("en", "light", variant, (1920, 1080)), places, Settings(None))
            desktop.start()
            desktop.session.set_stage_problem(Problem.square(desktop.session.operation, n))
            _until_ready(desktop)
            for view, name in VIEWS.items():
                desktop.window.show_view(view)
                for speed in SPEEDS:
                    print(f"{variant} n = {n:<3} {name:15} {speed:g}x {_frames(desktop, speed, frames)}", flush=True)
            desktop.window.close()
            desktop.shutdown()


def _frames(desktop: Desktop, speed: float, frames: int) -> str:
    timeline = desktop.workbench.stage.timeline
    timeline.set_speed(speed)
    timeline.scrub(timeline.extent.value.steps * 0.3)
    desktop.process_events()
    timeline.playing.value = True
    for bar in desktop.window.findChildren(TimelineBar):
        bar.findChildren(QTimer)[0].stop()  # time is given here, frame by frame
    wall, own = [], []
    for _ in range(frames):
        begin, used = time.perf_counter(), time.thread_time()
        timeline.advance(FRAME_S)
        desktop.process_events()
        wall.append(1e3 * (time.perf_counter() - begin))
        own.append(1e3 * (time.thread_time() - used))
    timeline.pause()
    return f"wall {_summary(wall)}   thread {_summary(own)}"


def _summary(times: list[float]) -> str:
    return f"median {statistics.median(times):5.1f}  p99 {statistics.quantiles(times, n=100)[98]:5.1f} ms"


def _until_ready(desktop: Desktop) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and not (desktop.workbench.stage_ready and desktop.workbench.exploration.caches.settled):
        desktop.process_events()
        desktop.workbench.tick()


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    main(count, ((sys.argv[2], int(sys.argv[3])),) if len(sys.argv) > 3 else KERNELS)
