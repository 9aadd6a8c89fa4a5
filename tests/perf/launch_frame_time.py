"""Times whole frames of the 1920 x 1080 window while a launch plays: each view alone and all together, at rest; beside a CPU sweep all
together and the view whose frames took longest at rest.

    python tests/perf/launch_frame_time.py [frames] [variant n]

One frame: the timeline advances by 1/60 s, and everything that this changes is painted (offscreen). Besides wall-clock time the time of
this thread alone is given: on a machine that others use too, that is what the frames themselves take.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil

from app.core.base.files.locations import find_places
from app.core.frames.views import View
from app.core.timing.model import points_of
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from kernels.measure.protocol import Protocol
from tests.perf.event_loop_gap import start, touched
from tests.perf.figures import Figure, p99, slowest
from tests.perf.played_frames import played_frames, summary

ALL = 0
SIMPLE = (View.MATRICES, View.THREADS, View.SHARED_MEMORY, View.GLOBAL_MEMORY)
TENSOR = (*SIMPLE, View.MEMORY_ORDER, View.FRAGMENTS, View.SWIZZLE, View.PIPELINE)
CLUSTERED = (*TENSOR, View.CLUSTERS)
LOADS = ("alone", "beside a sweep")
SPEEDS = (1.0, 8.0)
FRAMES = 200
"""Of which two are slower than the 99th percentile: more would take minutes."""
SWEEPS = 20
"""How often each point is measured."""
Launches = Sequence[tuple[str, int, tuple[View, ...]]]
LAUNCHES: Launches = (
    ("gpu.tiled", 64, SIMPLE), ("gpu.transpose-shared", 64, SIMPLE), ("gpu.vectorized-k8", 256, SIMPLE), ("gpu.tiled", 8, SIMPLE),
    ("gpu.tiled", 16384, SIMPLE), ("gpu.mma-swizzled-bf16", 128, TENSOR), ("gpu.wgmma-bf16", 256, TENSOR),
    ("gpu.wgmma-clusters-bf16", 256, CLUSTERED),
)  # fmt: skip


def figures(*, quick: bool) -> list[Figure]:
    """Of each launch, alone and beside a sweep, the view and speed whose frames take longest."""
    frames, launches = (120, tuple((variant, n, ()) for variant, n, _ in LAUNCHES[:1])) if quick else (FRAMES, LAUNCHES)
    found: dict[str, list[list[float]]] = {}
    for launch, load, _, wall, _ in timed(frames, launches, LOADS[:1] if quick else LOADS):
        found.setdefault(f"{launch} {load}", []).append(wall)
    views = "all views at once" if quick else "all views at once and each alone, beside a sweep the slowest of these"
    return slowest(found, f"slowest of {views}, at 1x and 8x, {frames} frames")


def main(frames: int, launches: Launches) -> None:
    """One line for each launch, load, view and speed."""
    for launch, load, view, wall, own in timed(frames, launches, LOADS):
        resident = psutil.Process().memory_info().rss >> 20
        print(f"{launch} {load:15} {view:18} wall {summary(wall)}   thread {summary(own)}   {resident} MiB", flush=True)


def timed(frames: int, launches: Launches, loads: Sequence[str]) -> Iterator[tuple[str, str, str, list[float], list[float]]]:
    """Launch, load, view with speed, and milliseconds of each frame by the clock and of this thread."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, Path(home))
        for variant, n, views in launches:
            desktop = Desktop(WindowArguments("en", "light", variant, (1920, 1080)), places, touched(Path(home)))
            start(desktop)
            desktop.session.set_stage_problem(Problem.square(desktop.session.operation, n))
            _until_ready(desktop)
            longest: dict[int, float] = {}
            for load in loads:
                for view in (ALL, *views) if load == LOADS[0] else _slowest(longest):
                    desktop.window.show_view(view)
                    name = View(view).name.lower().replace("_", " ") if view else "all views at once"
                    for speed in SPEEDS:
                        wall, own = _played(desktop, speed, frames, load)
                        longest[view] = max(longest.get(view, 0.0), p99(own))
                        yield f"{variant} n = {n}", load, f"{name} {speed:g}x", wall, own
            desktop.workbench.cancel()
            desktop.window.close()
            desktop.shutdown()


def _slowest(longest: Mapping[int, float]) -> tuple[int, ...]:
    """All views at once, and the one alone whose frames take longest: with each of them beside a sweep there would be no end."""
    alone = [view for view in longest if view != ALL]
    return (ALL, max(alone, key=longest.__getitem__)) if alone else (ALL,)


def _played(desktop: Desktop, speed: float, frames: int, load: str) -> tuple[list[float], list[float]]:
    """Frames; beside a sweep again, where it ended meanwhile."""
    while True:
        if load != "alone":
            _sweep(desktop)
        played = played_frames(desktop, speed, frames)
        if load == "alone" or desktop.workbench._workers.measuring.busy:
            return played


def _sweep(desktop: Desktop) -> None:
    """Have kernels measured for longer than frames are timed, where none are yet."""
    session, measuring = desktop.session, desktop.workbench._workers.measuring
    if measuring.busy:
        return
    ticked = frozenset({"cpu.loop-order", "cpu.blocked", "cpu.numpy"})
    session.timing.value = replace(session.timing.value, ticked=ticked, sizes=(1024, 2048))
    measuring.start(points_of(session.timing.value) * SWEEPS, Protocol(target_spread=0.0))
    end = time.monotonic() + 6  # past the compiler
    while time.monotonic() < end:
        desktop.process_events()


def _until_ready(desktop: Desktop) -> None:
    end = time.monotonic() + 60
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()
    assert desktop.workbench.stage.timeline.extent.value.steps, "there is nothing to play"


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else FRAMES
    views_of = {name: views for name, _, views in LAUNCHES}
    main(count, ((sys.argv[2], int(sys.argv[3]), views_of.get(sys.argv[2], SIMPLE)),) if len(sys.argv) > 3 else LAUNCHES)
