"""Times whole frames of the 1920 x 1080 window while a launch plays: each view alone and all together, at rest and beside a CPU sweep.

    python tests/perf/launch_frame_time.py [frames] [variant n]

One frame: the timeline advances by 1/60 s, and everything that this changes is painted (offscreen). Besides wall-clock time the time of
this thread alone is given: on a machine that others use too, that is what the frames themselves take.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QTimer

from app.core.places import find_places
from app.core.timing import points_of
from app.core.window_arguments import WindowArguments
from app.qt.application import Desktop
from app.qt.panels.timeline_bar import TimelineBar
from app.qt.settings import Settings
from kernels.measure.protocol import Protocol
from kernels.spec import Problem

FRAME_S = 1 / 60
VIEWS = {0: "all four views", 1: "matrices", 2: "threads", 3: "shared memory", 4: "global memory"}
SPEEDS = (1.0, 8.0)
LAUNCHES = (("gpu.tiled", 64), ("gpu.transpose-shared", 64), ("gpu.vectorized-k8", 256), ("gpu.tiled", 8), ("gpu.tiled", 16384))


def main(frames: int, launches: tuple[tuple[str, int], ...]) -> None:
    """One line for each launch, view, speed and load."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, Path(home))
        for variant, n in launches:
            desktop = Desktop(WindowArguments("en", "light", variant, (1920, 1080)), places, Settings(None))
            desktop.start()
            desktop.session.set_stage_problem(Problem.square(desktop.session.operation, n))
            _until_ready(desktop)
            for load in ("alone", "beside a sweep"):
                if load != "alone":
                    _sweep(desktop)
                for view, name in VIEWS.items():
                    desktop.window.show_view(view)
                    for speed in SPEEDS:
                        print(f"{variant} n = {n:<5} {name:15} {speed:g}x {load:15} {_frames(desktop, speed, frames)}", flush=True)
            desktop.workbench.cancel()
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
    resident = psutil.Process().memory_info().rss >> 20
    return f"wall {_summary(wall)}   thread {_summary(own)}   {resident} MiB"


def _summary(times: list[float]) -> str:
    return f"median {statistics.median(times):5.1f}  p99 {statistics.quantiles(times, n=100)[98]:5.1f} ms"


def _sweep(desktop: Desktop) -> None:
    session = desktop.session
    ticked = frozenset({"cpu.loop-order", "cpu.blocked", "cpu.numpy"})
    session.timing.value = replace(session.timing.value, ticked=ticked, sizes=(1024, 2048))
    points = points_of(session.timing.value)
    desktop.workbench._workers.measuring.start(points, Protocol(target_spread=0.0))
    end = time.monotonic() + 6  # past the compiler
    while time.monotonic() < end:
        desktop.process_events()


def _until_ready(desktop: Desktop) -> None:
    end = time.monotonic() + 60
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    main(count, ((sys.argv[2], int(sys.argv[3])),) if len(sys.argv) > 3 else LAUNCHES)
