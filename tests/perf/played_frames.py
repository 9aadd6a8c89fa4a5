"""Frames of a window while its timeline plays: how long each takes, by the clock and in the calling thread.

The window is one that was touched before: a first start lets the play rest to show its hints, and a frame of that takes no time.
"""

from __future__ import annotations

import statistics
import time

from PySide6.QtCore import QTimer

from app.qt.shell.application import Desktop
from app.qt.stage.timeline_bar import TimelineBar
from tests.perf.figures import p99

FRAME_S = 1 / 60


def played_frames(desktop: Desktop, speed: float, frames: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each frame by the clock and of this thread, from three tenths of the launch on, again and again.

    While samples are taken time is held, and nothing would be drawn: it passes all the same, for a frame beside them is to be timed.
    """
    timeline = desktop.workbench.stage.timeline
    timeline.set_speed(speed)
    timeline.loop.value = True
    timeline.scrub(timeline.extent.value.steps * 0.3)
    desktop.process_events()
    timeline.playing.value = True
    for bar in desktop.window.findChildren(TimelineBar):
        bar.findChildren(QTimer)[0].stop()  # time is given here, frame by frame
    wall, own = [], []
    for _ in range(frames):
        begin, used = time.perf_counter(), time.thread_time()
        timeline.held, before = False, timeline.position.value
        timeline.advance(FRAME_S)
        desktop.process_events()
        wall.append(1e3 * (time.perf_counter() - begin))
        own.append(1e3 * (time.thread_time() - used))
        assert timeline.position.value != before, "nothing moves"
    timeline.pause()
    return wall, own


def summary(times: list[float]) -> str:
    """Median and 99th percentile."""
    return f"median {statistics.median(times):5.1f}  p99 {p99(times):5.1f} ms"
