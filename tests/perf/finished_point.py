"""What a finished point costs the interface with a long history, and how long the window and its event loop wait for that history.

Run: python tests/perf/finished_point.py [--own 100000] [--repetitions]
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[2]))

import psutil
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.core.base.files.locations import Locations
from app.core.base.i18n import Translator
from app.core.results.curves import Provenance
from app.core.session.session import Session
from app.core.workbench.assembly import assemble
from app.core.workbench.workbench import Workbench
from app.qt.base.look import Look
from app.qt.base.theme import theme
from app.qt.charts.chart import Chart
from app.qt.charts.content import ChartContent
from app.qt.shell.timing_workspace import timing_workspace
from app.qt.timing.charts_panel import TimingPanel
from app.qt.timing.side_panel import TimingSide
from kernels.base.machine_conditions import machine_conditions, processor_name
from kernels.base.spec import Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.result_json import to_record
from kernels.measure.results import Result, Status
from kernels.measure.store import ResultStore
from tests.devices.cpu_settings import CPU_VARIANTS
from tests.perf.figures import Figure, p99

OWN = 100_000
FINISHED = 40
TICK_MS = 33
SAMPLES = tuple(1.0 + 0.01 * (place * 7 % 11) for place in range(20))
SIZE = (1672, 980)


def own_points(*, repetitions: bool) -> Iterator[Case]:
    """Points of all CPU rungs over sizes and settings, each another one; or those of a usual choice again and again."""
    rungs = CPU_VARIANTS
    if repetitions:
        while True:
            yield from (_point(each, n, each.defaults) for n in (256, 512, 1024, 2048) for each in rungs)
    for n in range(64, 1 << 20, 8):
        for each in rungs:
            for values in islice(product(*(parameter.stops for parameter in each.parameters)), 40):
                yield _point(each, n, dict(zip((parameter.name for parameter in each.parameters), values, strict=True)))


def write_history(path: Path, count: int, *, repetitions: bool) -> None:
    """A history of so many results of this machine."""
    ResultStore.open(path).close()
    conditions = machine_conditions("0")
    import sqlite3

    with sqlite3.connect(path) as connection:
        for place, point in enumerate(islice(own_points(repetitions=repetitions), count)):
            times = tuple((1.0 + place % 97) * sample for sample in SAMPLES)
            record = to_record(Result(point, Status.MEASURED, _created(place), times, 3e-7, 1e-5, None, conditions))
            connection.execute(f"INSERT INTO results ({', '.join(record)}) VALUES ({', '.join(':' + name for name in record)})", record)
    connection.close()


def _created(place: int) -> str:
    return (
        f"2026-{1 + place // 8640 % 12:02}-{1 + place // 3600 % 28:02}T{place // 3600 % 24:02}:{place // 60 % 60:02}:{place % 60:02}+00:00"
    )


def _point(variant: Variant, n: int, parameters: object) -> Case:
    return Case(variant.id, Problem.square(variant.operation, n), dict(parameters))  # type: ignore[call-overload]


def figures(*, quick: bool) -> list[Figure]:
    """Of points that are all different, and of repetitions; a quick run has a tenth of them."""
    count = OWN // 10 if quick else OWN
    return [each for repetitions in (False, True) for each in of_history(count, repetitions=repetitions)]


def of_history(count: int, *, repetitions: bool) -> list[Figure]:
    """All figures with one history. Garbage is not looked for, as the window does not while results are read and measured."""
    gc.disable()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    kind = "repetitions" if repetitions else "different points"
    conditions = f"{count} own results, {kind}, and the recorded ones"
    with TemporaryDirectory() as folder:
        places = Locations(Path(folder) / "data", Path(folder) / "settings", Path(folder) / "cache")
        places.store.parent.mkdir(parents=True, exist_ok=True)
        write_history(places.store, count, repetitions=repetitions)
        before = psutil.Process().memory_info().rss
        begin = time.perf_counter()
        session = Session()
        made = assemble(session, places)
        opened = 1000 * (time.perf_counter() - begin)
        workspace = timing_workspace(Look(theme("light"), Translator("en")), made.workbench, lambda _suffix: None, SIZE[0])
        workspace.resize(*SIZE)
        workspace.show()
        application.processEvents()
        shown = 1000 * (time.perf_counter() - begin)
        made.read()
        gaps = waited(lambda: made.workbench._history_loaded, made.workbench.tick)
        loaded = 1000 * (time.perf_counter() - begin) - shown
        grown = (psutil.Process().memory_info().rss - before) / 1e6
        found = [
            Figure(f"{kind}: opening the history", opened, "ms", conditions),
            Figure(f"{kind}: until the workspace is shown", shown, "ms", conditions),
            Figure(f"{kind}: until the history is read", loaded, "ms", conditions),
            Figure(f"{kind}: event loop while the history is read, 99th percentile", p99(gaps), "ms", conditions),
            Figure(f"{kind}: event loop while the history is read, longest gap", max(gaps), "ms", conditions),
            Figure(f"{kind}: memory", grown, "MB", conditions),
        ]
        panels: list[TimingPanel | TimingSide] = [*workspace.findChildren(TimingPanel), *workspace.findChildren(TimingSide)]
        drawn = Chart.show_content
        for name in ("page in front", "without drawing", "page hidden"):
            workspace.setVisible(name != "page hidden")
            Chart.show_content = _keep if name == "without drawing" else drawn  # type: ignore[assignment]
            times = finished_points(made.workbench, panels if workspace.isVisible() else panels[:0])
            found.append(Figure(f"{kind}: a finished point, {name}, median", statistics.median(times), "ms", conditions))
            found.append(Figure(f"{kind}: a finished point, {name}, longest", max(times), "ms", conditions))
        Chart.show_content = drawn  # type: ignore[method-assign]
        made.workbench.shutdown(10)
        workspace.close()
        application.processEvents()
    gc.enable()
    return found


def _keep(chart: Chart, content: ChartContent) -> int:
    chart._content = content
    return 0


def finished_points(bench: Workbench, panels: Sequence[TimingPanel | TimingSide]) -> list[float]:
    """Milliseconds of the interface thread for each of some points: taken over, and shown by what is in front; painting is not in it."""
    times, variant = [], next(each for each in VARIANTS if each.id == "cpu.blocked")
    for place in range(FINISHED):
        result = Result(
            _point(variant, 64 + 8 * place, variant.defaults), Status.MEASURED, f"2027-01-01T00:00:{place:02}+00:00",
            tuple((1.0 + place) * sample for sample in SAMPLES), 3e-7, 1e-5, None, {"processor": processor_name()},
        )  # fmt: skip
        begin = time.thread_time()
        bench.timing.add(Provenance.MEASURED, [result])
        for panel in panels:
            panel.redraw()
        bench.tick()
        times.append(1000 * (time.thread_time() - begin))
        spin(150, bench.tick)
    return times


def spin(milliseconds: int, tick: Callable[[], None]) -> None:
    """Let the event loop run, with the ticks of the window."""
    loop, timer = QEventLoop(), QTimer()
    timer.timeout.connect(tick)
    timer.start(TICK_MS)
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    timer.stop()


def waited(ready: Callable[[], bool], tick: Callable[[], None]) -> list[float]:
    """Run the event loop until something is there. Returns how much later than asked each tick of a millisecond came, in milliseconds."""
    loop, fast, slow = QEventLoop(), QTimer(), QTimer()
    gaps: list[float] = []
    last = time.perf_counter()

    def came() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append(1000 * (now - last) - 1)
        last = now
        if ready():
            loop.quit()

    fast.timeout.connect(came)
    slow.timeout.connect(tick)
    fast.start(1)
    slow.start(TICK_MS)
    loop.exec()
    fast.stop()
    slow.stop()
    return gaps


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--own", type=int, default=OWN)
    parser.add_argument("--repetitions", action="store_true")
    chosen = parser.parse_args()
    for figure in of_history(chosen.own, repetitions=chosen.repetitions):
        print(figure)
