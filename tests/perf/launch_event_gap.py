"""The longest gap of the event loop while launches are traced, compiled, edited and explored by hand: at most 50 ms is wanted.

    python tests/perf/launch_event_gap.py [rounds]

The whole window with its real workers, offscreen at 1920 x 1080. While a precise 5 ms timer notes how late it is called, rungs are chosen
one after the other (each is parsed, executed and drawn), the tile size is dragged through its stops 30 times a second, letters are typed
into a copy of the text, and the stage plays. On a machine that others use too, wall-clock time is also theirs: what this thread itself
computed between two calls is given beside it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer

from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from tests.perf.event_loop_gap import Lateness, live, start
from tests.perf.figures import Figure, p99

T = TypeVar("T")
NOTE_MS = 5
DRAG_MS = 33
CHOOSE_MS = 700
TYPE_MS = 120
SETTLE_S = 1.5
RUNGS = (
    ("gpu.tiled", 64), ("gpu.naive", 256), ("gpu.transpose-swizzled", 64), ("gpu.vectorized-k8", 256), ("gpu.hello", 1),
    ("gpu.uncoalesced", 64),
)  # fmt: skip
STOPS = (4, 8, 16, 32, 16, 8)
TYPED = "    // every thread\n"


def watch(gaps: Lateness, move: Callable[[], object], interval: int, moves: int) -> tuple[list[float], list[float]]:
    """Let the event loop run while `move` is called every `interval` ms, and until what it began is over; `late` and `own`."""
    mover = QTimer()
    mover.timeout.connect(move)
    gaps.begin()
    mover.start(interval)
    live(interval * moves / 1e3)
    mover.stop()
    live(SETTLE_S)
    gaps.stop()
    return list(gaps.late), list(gaps.own)


def figures(*, quick: bool) -> list[Figure]:
    """The 99th percentile and the longest gap of each, by the clock."""
    rounds = 1 if quick else 2
    found = []
    for name, wall, _ in watched(rounds):
        found.append(Figure(f"{name}, 99th percentile", p99(wall), "ms", f"{rounds} rounds"))
        found.append(Figure(f"{name}, longest gap", max(wall), "ms", f"{rounds} rounds"))
    return found


def main(rounds: int) -> None:
    """One line for each thing that goes on."""
    for name, wall, own in watched(rounds):
        print(f"{name:20} wall: {_summary(wall)}   this thread: {_summary(own)}", flush=True)


def watched(rounds: int) -> Iterator[tuple[str, list[float], list[float]]]:
    """What goes on, and how late each tick came: by the clock, and by this thread's work."""
    desktop = Desktop(WindowArguments("en", "light", "gpu.tiled", (1920, 1080)), None, Settings(None))
    start(desktop)
    desktop.session.set_stage_problem(Problem.square(desktop.session.operation, 64))
    live(4)
    gaps = Lateness(NOTE_MS)
    rungs = _again(RUNGS)
    yield "choosing rungs", *watch(gaps, lambda: _choose(desktop, *next(rungs)), CHOOSE_MS, rounds * len(RUNGS))
    for variant, n in (("gpu.tiled", 64), ("gpu.tiled", 1024)):
        _choose(desktop, variant, n)
        live(SETTLE_S)
        yield f"dragging, n = {n}", *watch(gaps, _dragging(desktop), DRAG_MS, 10 * rounds * len(STOPS))
    _choose(desktop, "gpu.tiled", 64)
    live(SETTLE_S)
    yield "typing", *watch(gaps, _typing(desktop), TYPE_MS, rounds * len(TYPED))
    timeline = desktop.workbench.stage.timeline
    timeline.loop.value = True
    timeline.play()
    yield "playing", *watch(gaps, lambda: None, CHOOSE_MS, 4 * rounds)
    desktop.window.close()
    desktop.shutdown()


def _choose(desktop: Desktop, variant_id: str, n: int) -> None:
    variant = catalogue.by_id(variant_id)
    desktop.session.choose_variant(variant)
    if desktop.session.stage.value.problem.shapes:
        desktop.session.set_stage_problem(Problem.square(variant.operation, n))


def _dragging(desktop: Desktop) -> Callable[[], object]:
    stops = _again(STOPS)
    return lambda: desktop.session.set_stage_parameter("tile", next(stops))


def _typing(desktop: Desktop) -> Callable[[], None]:
    """Types a comment after the first brace of a copy of the text, letter by letter, again and again."""
    desktop.session.draft_editor.edit_copy()
    letters = _again(tuple(TYPED))

    def type_letter() -> None:
        draft = desktop.session.draft.value
        assert draft is not None
        place = draft.text.index("{") + 2
        desktop.session.draft_editor.change_text(draft.text[:place] + next(letters) + draft.text[place:])

    return type_letter


def _again(items: tuple[T, ...]) -> Iterator[T]:
    while True:
        yield from items


def _summary(times: list[float]) -> str:
    return f"p99 {p99(times):5.1f}  max {max(times):6.1f} ms"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
