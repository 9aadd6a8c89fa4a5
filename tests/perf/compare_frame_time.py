"""Times whole frames of the 1920 x 1080 window while two launches play side by side, in each view.

    python tests/perf/compare_frame_time.py [frames]

One frame: the timeline advances by 1/60 s, and everything that this changes on both sides is painted (offscreen). The time is that of this
thread, which on a machine that others use too is what the frames themselves take.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.core.frames.views import View
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell.application import Desktop
from kernels.catalogue.catalogue import by_id
from tests.perf.event_loop_gap import start, touched
from tests.perf.figures import Figure, slowest
from tests.perf.played_frames import played_frames, summary

VIEWS = {View.MATRICES: "matrices", View.THREADS: "threads", View.SHARED_MEMORY: "shared memory", View.GLOBAL_MEMORY: "global memory"}
PAIRS = (
    (("gpu.transpose-shared", 32), ("gpu.transpose-padded", 32)),
    (("gpu.tiled", 8), ("gpu.tiled", 16)),
    (("gpu.naive", 16), ("gpu.uncoalesced", 16)),
)
"""Variant and tile, left and right."""


def figures(*, quick: bool) -> list[Figure]:
    """Of each pair the view and speed whose frames take longest."""
    frames = 60 if quick else 300
    found: dict[str, list[list[float]]] = {}
    for pair, _, own in timed(frames):
        found.setdefault(pair, []).append(own)
    conditions = f"slowest of {', '.join(VIEWS.values())}, each at 1x and 8x, thread time, {frames} frames"
    return slowest(found, conditions)


def main(frames: int) -> None:
    """One line for each pair, view and speed."""
    for pair, view, own in timed(frames):
        print(f"{pair}  {view:18} {summary(own)}", flush=True)


def timed(frames: int) -> Iterator[tuple[str, str, list[float]]]:
    """Pair, view with speed, and milliseconds of each frame."""
    for left, right in PAIRS:
        with tempfile.TemporaryDirectory() as home:
            settings = touched(Path(home))
        desktop = Desktop(WindowArguments("en", "light", left[0], (1920, 1080)), None, settings)
        start(desktop)
        _show(desktop, *left)
        desktop.workbench.comparison.toggle()
        _show(desktop, *right)
        for view, name in VIEWS.items():
            desktop.workbench.comparison.choose(view)
            for speed in (1.0, 8.0):
                yield f"{left[0]} {left[1]} | {right[0]} {right[1]}", f"{name} {speed:g}x", played_frames(desktop, speed, frames)[1]
        desktop.window.close()
        desktop.shutdown()


def _show(desktop: Desktop, variant_id: str, tile: int) -> None:
    variant = by_id(variant_id)
    desktop.session.choose_variant(variant)
    desktop.session.set_stage_parameter("tile", tile)
    end = time.monotonic() + 30
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
