"""Times whole frames of the 1920 x 1080 window while a CPU kernel plays: each view alone and all together.

    python tests/perf/cpu_frame_time.py [frames] [variant n]

One frame: the timeline advances by 1/60 s, and everything that this changes is painted (offscreen). Besides wall-clock time the time of
this thread alone is given: on a machine that others use too, that is what the frames themselves take.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.core.base.files.locations import find_places
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from tests.perf.event_loop_gap import start, touched
from tests.perf.figures import Figure, slowest
from tests.perf.played_frames import played_frames, summary

VIEWS = {0: "all four views", 1: "matrices", 2: "loops", 3: "cache", 4: "hit rate"}
SPEEDS = (1.0, 8.0, 64.0)
KERNELS = (("cpu.blocked", 16), ("cpu.naive", 32))
PATIENCE_S = 120.0
"""The first question to the cache model compiles it."""


def figures(*, quick: bool) -> list[Figure]:
    """Of each kernel the view and speed whose frames take longest."""
    frames, kernels, views = (100, KERNELS[:1], (0,)) if quick else (200, KERNELS, tuple(VIEWS))
    found: dict[str, list[list[float]]] = {}
    for kernel, _, wall, _ in timed(frames, kernels, views):
        found.setdefault(kernel, []).append(wall)
    conditions = f"slowest of {', '.join(VIEWS[view] for view in views)}, each at 1x, 8x and 64x, {frames} frames"
    return slowest(found, conditions)


def main(frames: int, kernels: tuple[tuple[str, int], ...]) -> None:
    """One line for each kernel, view and speed."""
    for kernel, view, wall, own in timed(frames, kernels, tuple(VIEWS)):
        print(f"{kernel} {view:18} wall {summary(wall)}   thread {summary(own)}", flush=True)


def timed(frames: int, kernels: tuple[tuple[str, int], ...], views: Sequence[int]) -> Iterator[tuple[str, str, list[float], list[float]]]:
    """Kernel, view with speed, and milliseconds of each frame by the clock and of this thread."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, Path(home))
        for variant, n in kernels:
            desktop = Desktop(WindowArguments("en", "light", variant, (1920, 1080)), places, touched(Path(home)))
            start(desktop)
            desktop.session.set_stage_problem(Problem.square(desktop.session.operation, n))
            _until_ready(desktop)
            for view in views:
                desktop.window.show_view(view)
                for speed in SPEEDS:
                    yield f"{variant} n = {n}", f"{VIEWS[view]} {speed:g}x", *played_frames(desktop, speed, frames)
            desktop.window.close()
            desktop.shutdown()


def _until_ready(desktop: Desktop) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and not (desktop.workbench.stage_ready and desktop.workbench.studies.caches.settled):
        desktop.process_events()
        desktop.workbench.tick()


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    main(count, ((sys.argv[2], int(sys.argv[3])),) if len(sys.argv) > 3 else KERNELS)
