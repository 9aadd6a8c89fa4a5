"""How long one picture of the timing workspace takes with many results. Run: python tests/perf/timing_redraw.py"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtWidgets import QApplication

from app.core.curves import Provenance
from app.core.i18n import Translator
from app.core.ladder.model import LadderModel
from app.core.session import Session
from app.core.timing import TimingModel
from app.qt.look import Look
from app.qt.panels.timing_workspace import TimingWorkspace
from app.qt.theme import theme
from kernels.limits import Limits
from kernels.messages import Message
from tests.idle_tuner import idle_tuning
from tests.idle_use_timer import idle_uses
from tests.perf.figures import Figure
from tests.timing_results import measured

RESULTS = 1000
REPEATS = 20


class Idle:
    """Asks for nothing."""

    def measure(self) -> None: ...

    def cancel(self) -> None: ...

    def export(self, _path: Path) -> Message | None:
        return None


def figures(*, quick: bool) -> list[Figure]:
    """The median and the longest time of redrawing charts and table, painting included."""
    application = QApplication([])
    model = TimingModel()
    variants = ("cpu.naive", "cpu.loop-order", "cpu.blocked", "cpu.numpy")
    model.add(Provenance.MEASURED, [measured(variants[i % 4], 64 + 8 * (i // 4 % 40), 1.0 + i) for i in range(RESULTS)])
    session, look = Session(), Look(theme("light"), Translator("en"))
    tuning, ladder, uses = idle_tuning(session, model), LadderModel(session, model), idle_uses(session, model)
    workspace = TimingWorkspace(look, session, model, tuning, ladder, uses, Idle(), lambda _: Limits(), lambda _: None, 1672)
    workspace.resize(1672, 980)
    workspace.show()
    application.processEvents()
    times = []
    for i in range(REPEATS):
        model.add(Provenance.MEASURED, [measured("cpu.naive", 512, 1.0 + i)])
        start = time.perf_counter()
        workspace.panel.redraw()
        workspace.side.redraw()
        workspace.grab()
        times.append(1000 * (time.perf_counter() - start))
    workspace.close()
    conditions = f"{RESULTS} results, {REPEATS} times"
    return [
        Figure("redraw, median", statistics.median(times), "ms", conditions),
        Figure("redraw, longest", max(times), "ms", conditions),
    ]


if __name__ == "__main__":
    for figure in figures(quick=False):
        print(figure)
