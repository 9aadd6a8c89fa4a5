"""How soon the stage follows a parameter, and the longest gap of the event loop while one is dragged.

    python tests/perf/exploration.py [rounds]

The whole window with its real workers, offscreen at 1920 x 1080, in a home of its own. For each setting of a rung, which begins with its
first ones and whose prediction is waited for (in a first session that compiles): from choosing it to the picture and the counters of that
setting being there. Then all stops are dragged through, 30 changes a second, and a precise 5 ms timer notes how late it is called, and how
long the interface thread itself worked since: what is missing between the two, other programs took. Beside each latency stands the work of
all processes of the program in it. Run on an otherwise idle machine.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QEventLoop, Qt, QTimer

from app.core.base.files.locations import find_places
from app.core.gpu_view.index import LaunchIndex
from app.core.session.session import stage_defaults
from app.core.workbench.window_arguments import WindowArguments
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from tests.perf.event_loop_gap import start, touched
from tests.perf.figures import Figure

CASES: tuple[tuple[str, int, str, Sequence[int]], ...] = (
    ("gpu.tiled", 64, "tile", (4, 8, 16, 32)),
    ("gpu.naive", 64, "tile", (4, 8, 16, 32)),
    ("gpu.naive", 64, "rows", (1, 2, 4, 8, 16)),
    ("gpu.transpose-padded", 64, "padding", (0, 1, 2, 3, 4)),
    ("gpu.transpose-padded", 64, "tile", (4, 8, 16, 32)),
    ("gpu.vectorized-k8", 1024, "tile", (64, 128)),
    ("gpu.double-buffered-k8", 1024, "tile", (64, 128)),
    ("gpu.fastest", 256, "tile", (64, 128)),
)
DRAG_MS = 33
NOTE_MS = 5
PATIENCE_S = 30.0


class Explored(NamedTuple):
    """A setting: milliseconds until it was shown and of work in them, how late each tick came while it was dragged and the work since."""

    name: str
    shown: list[tuple[float, float]]
    gaps: list[tuple[float, float]]


def figures(*, quick: bool) -> list[Figure]:
    """The first change of a session; of each setting median and worst time until shown, and the longest gap."""
    rounds = 1 if quick else 3
    found: list[Figure] = []
    for name, shown, gaps in explored(rounds, CASES[::3] if quick else CASES):
        if not found:
            found.append(Figure("first change of a session", shown.pop(0)[0], "ms", name))
        waited, conditions = [wait for wait, _ in shown], f"shown {len(shown)} times, its prediction known"
        found.append(Figure(f"{name}, median", statistics.median(waited), "ms", conditions))
        found.append(Figure(f"{name}, worst", max(waited), "ms", conditions))
        found.append(Figure(f"{name}, dragged, longest gap", max(gaps)[0], "ms", "all stops and back, three times"))
    return found


def main(rounds: int) -> None:
    if hasattr(os, "getloadavg"):
        print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, shown, gaps in explored(rounds, CASES):
        late, work = max(gaps)
        waited, worked = zip(*shown, strict=True)
        told = (
            f"shown after: median {statistics.median(waited):5.0f} ms (work {statistics.median(worked):4.0f}), worst {max(waited):5.0f} ms"
        )
        print(f"{name:45} {told}   dragging: worst gap {late:5.1f} ms, in it work {work:5.1f} ms", flush=True)


def explored(rounds: int, cases: Sequence[tuple[str, int, str, Sequence[int]]]) -> Iterator[Explored]:
    """Each setting in turn, in one window."""
    with tempfile.TemporaryDirectory() as home:
        places = find_places({"TILESCOPE_HOME": home}, sys.platform, Path(home))
        desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), places, touched(Path(home)))
        try:
            start(desktop)
            for variant_id, n, name, stops in cases:
                _open(desktop, variant_id, n)
                shown = [_latency(desktop, name, stop) for _ in range(rounds) for stop in _changes(desktop, name, stops)]
                yield Explored(f"{variant_id} n = {n} {name}", shown, _drag(desktop, name, stops))
        finally:  # before its home is taken away
            desktop.window.close()
            desktop.shutdown()


def _open(desktop: Desktop, variant_id: str, n: int) -> None:
    """Show a rung with the settings that it has at first: those of the rung before would stay."""
    variant = catalogue.by_id(variant_id)
    reason = desktop.session.show_settings(variant, stage_defaults(variant))
    assert reason is None, reason
    desktop.session.set_stage_problem(Problem.square(variant.operation, n))
    wait(lambda: desktop.workbench.stage_ready)
    wait(lambda: desktop.workbench.studies.predictions.settled)
    let_live(1.0)


def _changes(desktop: Desktop, name: str, stops: Sequence[int]) -> Sequence[int]:
    """Every stop once, none twice in a row."""
    now = desktop.session.stage.value.parameters[name]
    return stops if stops[0] != now else stops[::-1]


def _latency(desktop: Desktop, name: str, stop: int) -> tuple[float, float]:
    """Milliseconds from choosing a stop to its picture, and those that all processes worked in them."""
    begin, before = time.perf_counter(), _work()
    reason = desktop.session.set_stage_parameter(name, stop)
    assert reason is None, reason
    wait(lambda: _shows_choice(desktop))
    passed = 1000 * (time.perf_counter() - begin), 1000 * (_work() - before)
    let_live(0.4)
    return passed


def _work() -> float:
    """Seconds of processor time of this process and its children."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def _shows_choice(desktop: Desktop) -> bool:
    """Whether picture and counters are of the settings chosen."""
    choice, picture = desktop.session.stage.value, desktop.workbench.stage.picture.value
    assert choice.variant.launch is not None
    wanted = choice.variant.launch(choice.problem, choice.parameters)
    index = picture.index if picture is not None else None
    return (
        isinstance(index, LaunchIndex)
        and index.subject.variant_id == choice.variant.id
        and dict(index.subject.defines) == dict(wanted.defines)
        and index.trace.grid[:2] == wanted.grid
        and bool(desktop.workbench.counters.value)
    )


def _drag(desktop: Desktop, name: str, stops: Sequence[int]) -> list[tuple[float, float]]:
    """Through all stops and back, three times; how late the note-taking timer came and the thread's work since, in milliseconds."""
    late: list[tuple[float, float]] = []
    last, worked = time.perf_counter(), time.thread_time()

    def note() -> None:
        nonlocal last, worked
        now, work = time.perf_counter(), time.thread_time()
        late.append((max(0.0, 1000 * (now - last) - NOTE_MS), 1000 * (work - worked)))
        last, worked = now, work

    path = iter([*stops, *reversed(stops)] * 3)

    def move() -> None:
        stop = next(path, None)
        if stop is None:
            mover.stop()
        else:
            desktop.session.set_stage_parameter(name, stop)

    noter, mover = QTimer(), QTimer()
    noter.setTimerType(Qt.TimerType.PreciseTimer)
    noter.timeout.connect(note)
    mover.timeout.connect(move)
    noter.start(NOTE_MS)
    mover.start(DRAG_MS)
    wait(lambda: not mover.isActive() and desktop.workbench.stage_ready)
    noter.stop()
    return late


def wait(done: Callable[[], bool]) -> None:
    """Let the event loop run until `done`, which is looked at every millisecond."""
    if done():
        return
    loop, looker, end = QEventLoop(), QTimer(), time.monotonic() + PATIENCE_S
    looker.timeout.connect(lambda: loop.quit() if done() or time.monotonic() > end else None)
    looker.start(1)
    loop.exec()
    looker.stop()
    assert done(), "not within the time"


def let_live(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
