"""The real window in a process of its own, measuring what is ticked as a user would, while its event loop is watched.

    python -m tests.perf.measured_window '{"home": FOLDER, "front": "timing", "variants": ["cpu.blocked"], "sizes": [256]}'

Writes one JSON object: the results, as `tilescope sweep` writes them, and how the interface thread fared while they were measured.
`window_times` calls it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.core.base.files.locations import HOME_VARIABLE, find_places
from app.core.program.window_arguments import WindowArguments
from app.core.results.curves import Provenance
from app.core.session.session import SIZE_AXIS, Workspace
from app.core.timing.model import points_of
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.measure.export import result_object
from kernels.measure.results import Result
from tests.perf.event_loop_gap import TICK_MS, Lateness, live, play
from tests.perf.figures import p99

SETTLE_S = 120.0
"""The longest that the start, and the first picture on the stage, may take."""
LOOK_S = 0.25
IDLE_S = 1.5
"""Without anything under way for so long, what is missing will not come."""
LONGEST_S = 3600.0


class Watch:
    """How the interface thread fares, in one or several whiles."""

    def __init__(self) -> None:
        self._lateness = Lateness()
        self._late: list[float] = []
        self._own: list[float] = []
        self._wall = self._cpu = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch until the end of the block, in which the event loop must run."""
        begun = time.perf_counter(), time.thread_time()
        self._lateness.begin()
        yield
        self._lateness.stop()
        self._late += self._lateness.late
        self._own += self._lateness.own
        self._wall += time.perf_counter() - begun[0]
        self._cpu += time.thread_time() - begun[1]

    def told(self) -> dict[str, float]:
        """How late ticks came, when the latest did, and the share of a core that this thread took.

        `own_ms` is what it computed itself in the longest gap: where that is little, others had the processor or the interpreter.
        """
        longest = max(range(len(self._late)), key=self._late.__getitem__)
        return {
            "p99_ms": p99(self._late),
            "longest_ms": self._late[longest],
            "own_ms": self._own[longest],
            "longest_at_s": (sum(self._late[:longest]) + TICK_MS * longest) / 1000,
            "over_50_ms": sum(late > 50 for late in self._late),
            "share": self._cpu / self._wall,
            "seconds": self._wall,
        }


def watched(home: Path, front: str, variants: Iterable[str], sizes: Iterable[int]) -> dict[str, Any]:
    """Open the window, measure the variants over the sizes with `front` ("timing", or "stage": playing) before the user, and close it.

    `results`: objects of `result_object`; `opening` and `measuring`: see `Watch.told`.
    """
    places = find_places({HOME_VARIABLE: str(home)}, sys.platform, home)
    desktop = Desktop(WindowArguments("en", "light", None, (1920, 1080)), places, Settings(None))
    opening, measuring = Watch(), Watch()
    desktop.start()
    with opening.watching():
        desktop.session.show_workspace(Workspace.TIMING if front == "timing" else Workspace.STAGE)
        _wait(lambda: desktop.workbench.settled and desktop.workbench.stage_ready, SETTLE_S)
        live(1)
    results = []
    chosen = [each for each in catalogue.VARIANTS if each.id in set(variants)]
    for operation in dict.fromkeys(each.operation for each in chosen):
        ticked = frozenset(each.id for each in chosen if each.operation is operation)
        _tick(desktop, front, operation, ticked, tuple(sorted(sizes)))
        with measuring.watching():
            results += _measured(desktop)
    desktop.window.close()
    return {"opening": opening.told(), "measuring": measuring.told(), "results": results}


def _tick(desktop: Desktop, front: str, operation: Operation, ticked: frozenset[str], sizes: tuple[int, ...]) -> None:
    """Choose what is measured, and have in front what is to be there."""
    session, stage = desktop.session, desktop.workbench.stage
    session.choose_operation(operation)
    session.timing.value = replace(session.timing.value, ticked=ticked, sizes=sizes, axis=SIZE_AXIS)
    _wait(lambda: desktop.workbench.stage_ready, SETTLE_S)
    if front == "stage":
        _wait(lambda: stage.picture.value is not None, SETTLE_S)
        play(desktop)
    live(1)


def _measured(desktop: Desktop) -> list[dict[str, Any]]:
    """Measure what is ticked, wait, and return what has come, in the order of the points."""
    timing, points = desktop.workbench.timing, points_of(desktop.session.timing.value)
    begun, busy_at = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
    desktop.workbench.measure()

    def idle() -> bool:
        nonlocal busy_at
        progress = timing.progress.value
        if progress is not None and progress.busy:
            busy_at = time.monotonic()
        return time.monotonic() - busy_at > IDLE_S

    _wait(idle, LONGEST_S)
    found: dict[int, Result] = {}
    for row in timing.results.rows(Provenance.MEASURED):
        if row.created >= begun and row.point in points:
            found[points.index(row.point)] = row.whole
    return [result_object(found[number]) for number in sorted(found)]


def _wait(ready: Callable[[], bool], seconds: float) -> None:
    """Let the event loop run until it is so. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:g} s")
        live(LOOK_S)


def main(request: str) -> None:
    """Do what is asked for as JSON, and print the answer as JSON."""
    # Workers import the module that was started, which with the program itself is a small one.
    vars(sys.modules["__main__"]).update(__spec__=None, __file__=None)
    asked = json.loads(request)
    print(json.dumps(watched(Path(asked["home"]), asked["front"], asked["variants"], asked["sizes"])), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
