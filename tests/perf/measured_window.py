"""The real window in a process of its own, measuring what it is told to as a user would, while its event loop is watched.

    python -m tests.perf.measured_window '{"home": FOLDER, "front": "timing"}'

Writes one JSON object when it is open, and one for each line of its standard input, {"variants": ["cpu.blocked"], "sizes": [256]}: the
results, as `tilescope sweep` writes them, and how late each tick of the event loop came meanwhile. Between two lines it stands still, the
stage too: others can measure. It ends with its input. `window_times` calls it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from app.core.base.files.locations import HOME_VARIABLE, find_places
from app.core.results.curves import Provenance
from app.core.session.session import SIZE_AXIS, Workspace
from app.core.timing.model import points_of
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.lazy import process_age_s
from app.qt.shell.application import Desktop
from app.qt.shell.running import give_back_large_blocks
from kernels.base.spec import Operation
from kernels.catalogue import catalogue
from kernels.measure.export import result_object
from kernels.measure.results import Result
from tests.perf.event_loop_gap import Lateness, live, play, start, touched

SETTLE_S = 120.0
"""The longest that the start, and the first picture on the stage, may take."""
LOOK_S = 0.1
IDLE_S = 1.5
"""Without anything under way for so long, what is missing will not come."""
LONGEST_S = 3600.0


Ticks = dict[str, Any]
"""How the interface thread fared for `seconds`: `late`, `own` and `waited` of each tick (see `Lateness`), and `share` of a core."""


class MeasuredWindow:
    """A window that is open. `front`: "timing", or "stage", which plays while something is measured."""

    def __init__(self, home: Path, front: str) -> None:
        """Wait until it is there. `opening` tells how it fared meanwhile, `shown_s` how long after the process began it was seen."""
        give_back_large_blocks()
        places = find_places({HOME_VARIABLE: str(home)}, sys.platform, home)
        self._front, self._desktop = front, Desktop(WindowArguments("en", "light", None, (1920, 1080)), places, touched(home))
        self.shown_s = 0.0
        self._desktop.first_paint.painted.connect(self._shown)
        with watching() as self.opening:
            start(self._desktop)
            live(0.5)
            self._desktop.session.show_workspace(Workspace.TIMING if front == "timing" else Workspace.STAGE)
            _wait(lambda: self._desktop.workbench.settled and self._desktop.workbench.stage_ready, SETTLE_S)
            live(1)

    def _shown(self) -> None:
        self.shown_s = process_age_s()

    def measure(self, variants: frozenset[str], sizes: tuple[int, ...]) -> dict[str, Any]:
        """Tick the variants, which are of one operation, and the sizes, and press the button."""
        chosen = [each for each in catalogue.VARIANTS if each.id in variants]
        self._tick(chosen[0].operation, variants, tuple(sorted(sizes)))
        with watching() as ticks:
            results = self._measured()
        self._desktop.workbench.stage.timeline.pause()
        return {"results": results, "ticks": ticks}

    def close(self) -> None:
        """Close it."""
        self._desktop.window.close()

    def _tick(self, operation: Operation, ticked: frozenset[str], sizes: tuple[int, ...]) -> None:
        """Choose what is measured, and have in front what is to be there."""
        session, stage = self._desktop.session, self._desktop.workbench.stage
        session.choose_operation(operation)
        session.timing.value = replace(session.timing.value, ticked=ticked, sizes=sizes, axis=SIZE_AXIS)
        _wait(lambda: self._desktop.workbench.stage_ready, SETTLE_S)
        if self._front == "stage":
            _wait(lambda: stage.picture.value is not None, SETTLE_S)
            play(self._desktop)
        live(0.5)

    def _measured(self) -> list[dict[str, Any]]:
        """Measure what is ticked, wait, and return what has come, in the order of the points."""
        bench, points = self._desktop.workbench, points_of(self._desktop.session.timing.value)
        known, busy_at, revision = bench.timing.results, time.monotonic(), bench.timing.results.revision
        found: dict[int, Result] = {}
        bench.measure()

        def over() -> bool:
            nonlocal busy_at, revision
            progress = bench.timing.progress.value
            if progress is not None and progress.busy:
                busy_at = time.monotonic()
                return False
            for change in known.since(revision) or ():  # a look at all rows of a long history would itself keep the event loop
                if change.provenance is Provenance.MEASURED and change.row.point in points:
                    found[points.index(change.row.point)] = change.row.whole
            revision = known.revision
            return len(found) == len(points) or time.monotonic() - busy_at > IDLE_S

        _wait(over, LONGEST_S)
        return [result_object(found[number]) for number in sorted(found)]


@contextmanager
def watching() -> Iterator[Ticks]:
    """Watch the event loop until the end of the block, in which it must run; the ticks are there then."""
    lateness, ticks = Lateness(), Ticks()
    begun = time.perf_counter(), time.thread_time()
    lateness.begin()
    yield ticks
    lateness.stop()
    seconds = time.perf_counter() - begun[0]
    ticks.update(late=lateness.late, own=lateness.own, waited=lateness.waited,
                 seconds=seconds, share=(time.thread_time() - begun[1]) / seconds)  # fmt: skip


def _wait(ready: Callable[[], bool], seconds: float) -> None:
    """Let the event loop run until it is so. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:g} s")
        live(LOOK_S)


def main(request: str) -> None:
    """Open the window, and answer each line of the input."""
    # Workers import the module that was started, which with the program itself is a small one.
    vars(sys.modules["__main__"]).update(__spec__=None, __file__=None)
    asked: Mapping[str, Any] = json.loads(request)
    window = MeasuredWindow(Path(asked["home"]), asked["front"])
    print(json.dumps({"shown_s": window.shown_s, "ticks": window.opening}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(window.measure(frozenset(asked["variants"]), tuple(asked["sizes"]))), flush=True)
    window.close()


if __name__ == "__main__":
    main(sys.argv[1])
