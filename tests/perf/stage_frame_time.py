"""Times one frame of the stage (core and painting) while a 32 x 32 blocked product plays, offscreen in a 1920 x 1080 window's stage.

Run: python tests/perf/stage_frame_time.py [frames]
"""

from __future__ import annotations

import os
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.core.base.i18n import Translator
from app.core.cpu_view.frame import frame_at
from app.core.cpu_view.index import TraceIndex
from app.core.stage.model import StageModel
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.stage.panel import StagePanel
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from tests.perf.figures import Figure, p99

STAGE_SIZE = (860, 866)


def measure(n: int, tile: int, frames: int) -> tuple[list[float], list[float]]:
    """Milliseconds for the core's frame, and for the picture with its words."""
    variant = catalogue.by_id("cpu.blocked")
    model = StageModel()
    model.shown.value = TraceIndex(trace(variant, Problem.square(Operation.MATMUL, n), {"tile": tile}, seed=1))
    shown = model.shown.value
    assert isinstance(shown, TraceIndex)
    panel = StagePanel(Look(theme("light"), Translator("en")), model)
    panel.resize(*STAGE_SIZE)
    image = QImage(*STAGE_SIZE, QImage.Format.Format_RGB32)
    model.timeline.scrub(shown.trace.steps / 2)
    core, whole = [], []
    for _ in range(frames):
        start = time.perf_counter()
        frame_at(shown, model.timeline.position.value.step, 0.5)
        core.append((time.perf_counter() - start) * 1e3)
        start = time.perf_counter()
        model.timeline.scrub(model.timeline.position.value.time + 1.37)
        painter = QPainter(image)
        panel.render(painter, QPoint())
        painter.end()
        whole.append((time.perf_counter() - start) * 1e3)
    return core, whole


def figures(*, quick: bool) -> list[Figure]:
    """Median and 99th percentile."""
    return of_frames(300)


def of_frames(frames: int) -> list[Figure]:
    """Of the core's frame alone, and of the frame with its words and painting."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    found = []
    for n, tile in ((16, 4), (32, 8)):
        for name, times in zip(("core alone", "core, words and painting"), measure(n, tile, frames), strict=True):
            conditions = f"n = {n}, tile {tile}, {frames} frames"
            found.append(Figure(f"n = {n}, {name}, median", statistics.median(times), "ms", conditions))
            found.append(Figure(f"n = {n}, {name}, 99th percentile", p99(times), "ms", conditions))
    del application
    return found


if __name__ == "__main__":
    for figure in of_frames(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
        print(figure)
