"""Memory of the window while a launch is walked through and its parameters are changed: flat after the caches have filled.

    python tests/perf/launch_memory.py [steps] [changes] [variant n]

Prints the resident memory of the window's process (and what all its child processes hold) at intervals, how many indices of launches are
alive, and at the end the growth over the second half of each part.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from itertools import cycle

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil

from app.core.gpu_view.index import LaunchIndex
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from tests.perf.figures import Figure

REPORTS = 10
STOPS = (4, 8, 16, 32, 16, 8)
PATIENCE_S = 120.0
MIB = 1 << 20


def figures(*, quick: bool) -> list[Figure]:
    """Growth over the second half of each part."""
    steps, changes = (1000, 50) if quick else (5000, 500)
    grown = main(steps, changes, "gpu.tiled", 64)
    named = {
        "growth over steps": f"second half of {steps} steps",
        "growth over changes": f"second half of {changes} changes of the tile size",
    }
    return [Figure(name, each, "MiB", conditions) for (name, conditions), each in zip(named.items(), grown, strict=True)]


def main(steps: int, changes: int, variant: str, n: int) -> tuple[float, float]:
    """First the steps, then the changes; MiB that the second half of each added."""
    desktop = Desktop(WindowArguments("en", "light", variant, (1920, 1080)), None, Settings(None))
    desktop.start()
    desktop.session.set_stage_problem(Problem.square(desktop.session.operation, n))
    _until_ready(desktop)
    grown = _walk(desktop, steps), _change(desktop, changes)
    desktop.window.close()
    desktop.shutdown()
    return grown


def _walk(desktop: Desktop, steps: int) -> float:
    """Through the trace step by step, again from its beginning where it ends; each step is painted, half done and done."""
    timeline = desktop.workbench.stage.timeline
    resident = [_report("steps", 0)]
    for number in range(1, steps + 1):
        timeline.scrub(number % timeline.extent.value.steps + 0.5 * (number % 2))
        desktop.process_events()
        if not number % max(steps // REPORTS, 1):
            resident.append(_report("steps", number))
    return _conclude("steps", resident)


def _change(desktop: Desktop, changes: int) -> float:
    """One tile size after the other, each awaited and painted at a few steps."""
    resident = [_report("changes", 0)]
    stops = cycle(STOPS)
    for number in range(1, changes + 1):
        desktop.session.set_stage_parameter("tile", next(stops))
        _until_ready(desktop)
        for part in (0.1, 0.5, 0.9):
            desktop.workbench.stage.timeline.scrub(part * desktop.workbench.stage.timeline.extent.value.steps)
            desktop.process_events()
        if not number % max(changes // REPORTS, 1):
            resident.append(_report("changes", number))
    return _conclude("changes", resident)


def _report(name: str, number: int) -> float:
    gc.collect()
    own = psutil.Process()
    resident = float(own.memory_info().rss) / MIB
    children = sum(child.memory_info().rss for child in own.children(recursive=True)) / MIB
    alive = sum(isinstance(each, LaunchIndex) for each in gc.get_objects())
    print(f"{name:8} {number:6}   window {resident:7.1f} MiB   children {children:7.1f} MiB   {alive} launches alive", flush=True)
    return resident


def _conclude(name: str, resident: list[float]) -> float:
    half = resident[len(resident) // 2 :]
    print(f"{name}: {half[-1] - half[0]:+.1f} MiB over the second half")
    return half[-1] - half[0]


def _until_ready(desktop: Desktop) -> None:
    end = time.monotonic() + PATIENCE_S
    while not desktop.workbench.stage_ready and time.monotonic() < end:
        desktop.process_events()
    assert desktop.workbench.stage.timeline.extent.value.steps, "there is nothing to step through"


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        int(given[0]) if given else 10_000,
        int(given[1]) if len(given) > 1 else 1_000,
        given[2] if len(given) > 3 else "gpu.tiled",
        int(given[3]) if len(given) > 3 else 64,
    )
