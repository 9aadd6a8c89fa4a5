"""How long the interface thread works until a new trace is on the screen: `python tests/perf/launch_first_picture.py [variant n]`.

The whole window, offscreen at 1920 x 1080. A record comes as it does from the tracing process, with nothing remembered about it, and is
shown: from there to the painted window the time of this thread is taken, the best of a few. Then once more under a profiler, which says
which parts of the window it is made of (the profiler itself makes them longer).
"""

from __future__ import annotations

import cProfile
import os
import pickle
import pstats
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.core.gpu_view.index import LaunchIndex
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from tests.perf.figures import Figure

Case = tuple[str, int, dict[str, int]]
CASES: tuple[Case, ...] = (
    ("gpu.tiled", 64, {"tile": 16}),
    ("gpu.tiled", 1024, {"tile": 32}),
    ("gpu.tiled", 16384, {"tile": 32}),
    ("gpu.transpose-shared", 1024, {}),
    ("gpu.vectorized-k8", 1024, {}),
    ("gpu.double-buffered-k8", 1024, {}),
)
ROUNDS = 5
PARTS = 7
PATIENCE_S = 30.0


def figures(*, quick: bool) -> list[Figure]:
    """Reading the record, showing it and painting the window, together."""
    conditions = f"thread time, best of {ROUNDS}"
    return [
        Figure(f"{variant_id} n = {n}", sum(_best_ms(desktop, record)), "ms", conditions)
        for desktop, record, (variant_id, n, _) in _opened(CASES)
    ]


def main(cases: tuple[Case, ...]) -> None:
    for desktop, record, (variant_id, n, _) in _opened(cases):
        unpickled, shown, painted = _best_ms(desktop, record)
        sizes = f"{len(record) / 1e6:5.1f} MB"
        print(f"{variant_id:24} n = {n:<6} record {sizes} {unpickled:6.1f} ms   shown {shown:6.1f}   painted {painted:6.1f}", flush=True)
        profile = cProfile.Profile(time.thread_time)
        _show(desktop, record, profile)
        print("    " + "   ".join(f"{part} {1e3 * seconds:.1f}" for part, seconds in _parts(profile).most_common(PARTS)), flush=True)


def _opened(cases: tuple[Case, ...]) -> Iterator[tuple[Desktop, bytes, Case]]:
    """Each launch in turn, in one window, with its record."""
    desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), None, Settings(None))
    desktop.start()
    for case in cases:
        yield desktop, _open(desktop, *case), case
    desktop.window.close()
    desktop.shutdown()


def _best_ms(desktop: Desktop, record: bytes) -> tuple[float, float, float]:
    taken = [_show(desktop, record) for _ in range(ROUNDS)]
    read, shown, painted = (1e3 * min(column) for column in zip(*taken, strict=True))
    return read, shown, painted


def _open(desktop: Desktop, variant_id: str, n: int, parameters: dict[str, int]) -> bytes:
    """The record of a launch, as the tracing process sends it."""
    variant = catalogue.by_id(variant_id)
    session, stage = desktop.session, desktop.workbench.stage
    session.choose_variant(variant)
    session.set_stage_problem(Problem.square(variant.operation, n))
    for name, value in parameters.items():
        assert session.set_stage_parameter(name, value) is None
    end = time.monotonic() + PATIENCE_S
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()
    index = stage.shown.value
    assert isinstance(index, LaunchIndex)
    desktop.process_events()
    return pickle.dumps(index.record)


def _show(desktop: Desktop, pickled: bytes, profile: cProfile.Profile | None = None) -> tuple[float, float, float]:
    """Show a record; seconds of this thread to read it, to show it, and from there until all is painted."""
    stage = desktop.workbench.stage
    assert isinstance(stage.shown.value, LaunchIndex)
    begin = time.thread_time()
    record = pickle.loads(pickled)
    read = time.thread_time()
    if profile is not None:
        profile.enable()
    stage.shown.value = LaunchIndex(stage.shown.value.subject, record)
    shown = time.thread_time()
    for _ in range(3):
        desktop.process_events()
    painted = time.thread_time()
    if profile is not None:
        profile.disable()
    return read - begin, shown - read, painted - shown


def _parts(profile: cProfile.Profile) -> Counter[str]:
    """Seconds by part of the window: what it does when told of the picture, and when it is painted."""
    found: Counter[str] = Counter()
    for (file, _, name), (_, _, _, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        for caller, (_, _, _, together) in callers.items():
            told = Path(caller[0]).name in ("observable.py", "launch_stage.py") and name != "<listcomp>"
            if told or name == "paintEvent" or (name == "paint" and caller[2] == "paintEvent"):
                found[f"{Path(file).stem}.{name}"] += together
    return found


if __name__ == "__main__":
    main(((sys.argv[1], int(sys.argv[2]), {}),) if len(sys.argv) > 2 else CASES)
