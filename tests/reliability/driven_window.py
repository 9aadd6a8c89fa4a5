"""The real window without a screen, driven at random by a seed; says on its standard output what has become of it.

    python -m tests.reliability.driven_window FOLDER [--seed 0] [--under sweep] [--answer restore]

Lines begin with a word: "offered" with what the start offers, "kept" with the number of results that are in the history,
"shown" with what the stage is asked for, "written" with what a next start would offer, "traced" when something is shown, "result" with
what the timing page has of a point that was measured, "choice" with what is ticked once the offer is answered.
All times are of the system's steady clock.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from app.core.base.files.locations import Locations, prepare
from app.core.diagnostics.desktop import when_told_to_end
from app.core.results.curves import Provenance
from app.core.session.session import TimingChoice, Workspace
from app.core.state.last_session import Ended, session_from
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.shell.application import Desktop
from app.qt.shell.running import end_soon_after_quitting, give_back_large_blocks
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result
from kernels.measure.sweep import plan
from tests.reliability.saying import say

SHORT = Protocol(max_sampling_s=0.05, min_samples=2, max_samples=5)
RUNGS = ("cpu.naive", "cpu.loop-order", "cpu.blocked", "cpu.divide-and-conquer", "gpu.naive", "gpu.tiled", "gpu.conflict-free", "mpi.rows")
TILES = (1, 2, 3, 4, 8, 16, 32)
UNDER = ("play", "sweep", "workers", "kernel", "mpi", "clip", "compile", "rest", "ticked")
TICKED = frozenset({"cpu.naive", "cpu.blocked", "cpu.parallel", "mpi.rows"})
TICKED_SIZES = (384, 512, 640, 768)
"""At which a point takes a second or two."""
TRACED_S = 5.0
"""After which nothing is traced any more: what computes then, measures."""
EVERY_MS = 60
CALM_S = 1.0
"""How often something else is traced where it is the workers that are looked at."""


def places_in(folder: Path) -> Locations:
    return Locations(folder / "data", folder / "settings", folder / "cache")


def measure(desktop: Desktop, points: tuple[Case, ...]) -> int:
    """Measure them shortly; returns the request."""
    return desktop.workbench._workers.measuring.start(points, SHORT)


SMALL: list[tuple[str, dict[str, int]]] = [("cpu.loop-order", {"order": 1}), ("cpu.blocked", {"tile": 16}), ("cpu.numpy", {"threads": 1})]


def described_choice(choice: TimingChoice) -> dict[str, Any]:
    """What is ticked, over which sizes, as words that can be compared."""
    return {"ticked": sorted(choice.ticked), "sizes": list(choice.sizes)}


def described_result(result: Result) -> dict[str, str | None]:
    """Which measurement a result is of, how it came out, and why."""
    point = result.point
    settings = ",".join(f"{name}={value}" for name, value in sorted(point.parameters.items()))
    return {
        "key": f"{point.variant_id} n={point.problem.n} {settings} {result.created}",
        "status": result.status.value,
        "reason": None if result.reason is None else str(result.reason),
    }


def small_sweep() -> tuple[Case, ...]:
    """Points that take a moment each."""
    return plan(SMALL, [Problem.square(Operation.MATMUL, n) for n in range(16, 257, 8)])


def small_runs() -> tuple[Case, ...]:
    """The same with processes of MPI."""
    return plan([("mpi.rows", {"ranks": 2})], [Problem.square(Operation.MATMUL, n) for n in range(64, 513, 64)])


class Monkey:
    """Does something at random each time it is asked."""

    def __init__(self, desktop: Desktop, seed: int) -> None:
        self._desktop, self._random = desktop, random.Random(seed)
        self.changes = 0
        self._acts = (self._tile, self._tile, self._rung, self._size, self._scrub, self._play, self._view, self._workspace, self._pin)

    def act(self) -> None:
        """One thing that a user does."""
        self._random.choice(self._acts)()
        self.changes += 1

    def change_tile(self) -> None:
        """Have something else traced."""
        shown = self._desktop.session.stage.value.parameters.get("tile")
        self._desktop.session.set_stage_parameter("tile", self._random.choice([tile for tile in TILES if tile != shown]))

    def _tile(self) -> None:
        shown = self._desktop.session.stage.value
        names = list(shown.parameters)
        if names:
            self._desktop.session.set_stage_parameter(self._random.choice(names), self._random.choice(TILES))

    def _rung(self) -> None:
        variant = catalogue.by_id(self._random.choice(RUNGS))
        self._desktop.session.choose_variant(variant)

    def _size(self) -> None:
        operation = self._desktop.session.operation
        self._desktop.session.set_stage_problem(Problem.square(operation, self._random.choice((4, 8, 16, 17, 32))))

    def _scrub(self) -> None:
        timeline = self._desktop.workbench.stage.timeline
        timeline.scrub(self._random.random() * 5000)

    def _play(self) -> None:
        timeline = self._desktop.workbench.stage.timeline
        timeline.set_speed(self._random.choice((0.5, 1.0, 4.0)))
        timeline.toggle()

    def _view(self) -> None:
        self._desktop.workbench.stage.alone.value = self._random.choice((0, 0, 1, 2, 3))

    def _workspace(self) -> None:
        self._desktop.session.show_workspace(self._random.choice((Workspace.STAGE, Workspace.STAGE, Workspace.TIMING)))

    def _pin(self) -> None:
        sizes = tuple(sorted(self._random.sample((64, 128, 256, 512, 1024), 3)))
        self._desktop.session.timing.value = replace(self._desktop.session.timing.value, sizes=sizes)


class Driven:
    """The window, what is going on in it, and what is said of it."""

    def __init__(self, folder: Path, seed: int, under: str, answer: str) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        # Workers import the module that was started, which with the program itself is a small one.
        vars(sys.modules["__main__"]).update(__spec__=None, __file__=None)
        give_back_large_blocks()
        places = places_in(folder)
        self._under, self._answer, self._folder = under, answer, folder
        self.desktop = Desktop(
            WindowArguments("en", "light", None, (1280, 720)),
            places,
            Settings(places.settings_file if prepare(places.settings) is None else None),
        )
        self.monkey = Monkey(self.desktop, seed)
        self._kept, self._asked, self._next = 0, False, 0.0
        self._opened, self._results = datetime.now(UTC).isoformat(timespec="seconds"), set[str]()
        store, append = self.desktop.assembly.store, self.desktop.assembly.store.append

        def noted(result: Result) -> None:
            append(result)
            self._kept += 1
            say("kept", self._kept)

        store.append = noted  # type: ignore[method-assign]
        self._offer_answered = False
        own = self.desktop.workbench.last_session._file
        assert own is not None
        write = own.write

        def noted_state(text: str) -> Message | None:
            reason = write(text)
            ended = session_from(text)
            say("written", None if ended is None or reason is not None else described(ended.shown.stage))
            return reason

        own.write = noted_state  # type: ignore[method-assign]
        self.desktop.session.stage.subscribe(lambda _stage: say("shown", self.described()))
        self.desktop.workbench.stage.picture.subscribe(lambda picture: say("traced") if picture is not None else None)
        if under == "ticked":
            self.desktop.workbench.timing.revision.subscribe(self._say_results)

    def described(self) -> dict[str, Any]:
        """What the stage is asked for."""
        return described(self.desktop.session.stage.value)

    def _say_results(self, _revision: int) -> None:
        """Tell of each that is there for the first time, if it is of this window."""
        for row in self.desktop.workbench.timing.results.rows(Provenance.MEASURED):
            if row.created > self._opened and (told := described_result(row.whole))["key"] not in self._results:
                self._results.add(str(told["key"]))
                say("result", told)

    def step(self) -> None:
        """What is done again and again."""
        last = self.desktop.workbench.last_session
        if not self._offer_answered:
            if last._started:
                self._offer_answered = True
                self._answer_offer(last.offered.value)
            return
        if self._under in ("play", "sweep"):
            self.monkey.act()
        if self._under == "workers" and time.monotonic() > self._next and self.desktop.workbench.stage_ready:
            self._next = time.monotonic() + CALM_S
            self.monkey.change_tile()
        self._keep_busy()

    def _answer_offer(self, offered: Ended | None) -> None:
        say("offered", None if offered is None else described(offered.shown.stage))
        last = self.desktop.workbench.last_session
        last.restore() if self._answer == "restore" else last.dismiss()
        say("shown", self.described())
        session = self.desktop.session
        say("choice", described_choice(session.timing.value))
        if self._under == "ticked":
            session.timing.value = replace(session.timing.value, ticked=TICKED, sizes=TICKED_SIZES)
            session.show_workspace(Workspace.TIMING)
            self._next = time.monotonic() + TRACED_S

    def _keep_busy(self) -> None:
        """Have going on what is to go on, again where it has ended."""
        progress, shown = self.desktop.workbench.timing.progress.value, self.desktop.session.stage.value
        busy = progress is not None and progress.busy
        if self._under in ("sweep", "workers", "kernel", "mpi") and not busy:
            big = Problem.square(Operation.MATMUL, 2048)
            points = {
                "sweep": small_sweep(),
                "workers": (*small_sweep(), *small_runs()),
                "kernel": (Case("cpu.naive", big, {}),),
                "mpi": (Case("mpi.rows", big, {"ranks": 2}),),
            }[self._under]
            measure(self.desktop, points)
        if self._under == "ticked" and not busy and time.monotonic() > self._next:
            self._next = time.monotonic() + CALM_S
            self.desktop.workbench.measure()
        if self._under == "clip" and not self._asked and self.desktop.workbench.stage_ready:
            self._asked = True
            self._export()
        if self._under == "compile" and not self._asked:
            self._asked = True
            points = plan([("cpu.parallel", {}), ("cpu.packed", {}), ("cpu.simd-blocked", {})], [Problem.square(Operation.MATMUL, 64)])
            measure(self.desktop, points)
            tiled = catalogue.find("gpu.tiled")
            if tiled is not None and shown.variant is not tiled:
                self.desktop.session.choose_variant(tiled)

    def _export(self) -> None:
        from app.core.export.choice import What
        from app.qt.export.feature import Exporting

        controller = next(each for each in self.desktop._features if isinstance(each, Exporting)).controller
        controller.prepare()
        controller.choice.value = replace(controller.choice.value, what=What.CLIP)
        controller.save(self._folder / "clip.gif")


def described(stage: Any) -> dict[str, Any]:
    """A choice of the stage as words that can be compared."""
    return {"variant": stage.variant.id, "n": stage.problem.n, "parameters": dict(stage.parameters)}


def main() -> NoReturn:
    from PySide6.QtCore import QTimer

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--under", choices=UNDER, default="play")
    parser.add_argument("--answer", choices=("restore", "dismiss"), default="restore")
    options = parser.parse_args()
    driven = Driven(options.folder, options.seed, options.under, options.answer)
    when_told_to_end(driven.desktop.window.close)
    end_soon_after_quitting(driven.desktop)
    timer = QTimer()
    timer.setInterval(EVERY_MS)
    timer.timeout.connect(driven.step)
    driven.desktop.start()
    driven.desktop.welcome()
    timer.start()
    say("opened", os.getpid())
    status = driven.desktop.run()
    os._exit(status)


if __name__ == "__main__":
    main()
