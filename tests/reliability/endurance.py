"""Plays for long at raised speed in one window, and looks whether memory, handles, threads or processes grow.

    python -m tests.reliability.endurance [--changes 10000] [--runs 1000] [--sweeps 100] [--every 500]

All is done through the session and the workbench, as the panels do it: changes of what the stage shows, single measurements, and
sweeps that are cancelled. The next act comes as soon as the one before is drawn, answered or measured. A line is printed every so
many acts. The slope is that of a straight line through the second half.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import shiboken6
from PySide6.QtCore import QTimer

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from tests.reliability.driven_window import SMALL, Driven, Monkey, measure, small_sweep

MOST_MIB_IN_A_THOUSAND = 2.0
PATIENCE_S = 120.0
"""How long the answer to an act may take."""
LOOK_MS = 4
"""How often is looked whether it has come."""
Done = Callable[[], bool]
"""Whether an act is over."""
HEAD = f"{'':<8} {'acts':>6} {'MiB':>8} {'workers':>8} {'handles':>8} {'threads':>8} {'children':>9} {'objects':>8} {'of Qt':>8} {'s':>8}"


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process has at one moment, and its workers."""

    acts: int
    resident_mib: float
    handles: int
    threads: int
    children: int
    workers_mib: float
    objects: int
    """Of Python, as far as the collector knows them."""
    of_qt: int
    """Objects of Qt that Python knows."""
    seconds: float
    """Since the program began."""

    def line(self, name: str) -> str:
        """A row under `HEAD`."""
        return (
            f"{name:<8} {self.acts:>6} {self.resident_mib:>8.1f} {self.workers_mib:>8.1f} {self.handles:>8} {self.threads:>8} "
            f"{self.children:>9} {self.objects:>8} {self.of_qt:>8} {self.seconds:>8.0f}"
        )

    @staticmethod
    def now(acts: int) -> Sample:
        """As it is, once what is not needed is collected."""
        gc.collect()
        me = psutil.Process()
        children = me.children(recursive=True)
        handles = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else me.num_handles()  # noqa: PTH208
        workers = sum(each.memory_info().rss for each in children if each.is_running()) / 2**20
        return Sample(
            acts, me.memory_info().rss / 2**20, handles, threading.active_count(), len(children), workers,
            len(gc.get_objects()), len(shiboken6.getAllValidWrappers()), time.time() - me.create_time(),
        )  # fmt: skip


class Endurance:
    """A window that is kept busy, in its own event loop: only there does Qt delete what the window has put away."""

    def __init__(self, folder: Path, every: int) -> None:
        self._driven = Driven(folder, 0, "rest", "dismiss")
        self.desktop = self._driven.desktop
        self._monkey = Monkey(self.desktop, 1)
        self._every = every
        self.samples: dict[str, list[Sample]] = {}
        self.in_vain = 0
        """How often what was waited for did not come."""

    def play(self, acts: Iterator[Done]) -> None:
        """Open the window, and close it after the last act. Each act says when the next may come."""
        timer = QTimer()
        waiting, end = next(acts), time.monotonic() + PATIENCE_S

        def go_on() -> None:
            nonlocal waiting, end
            late = time.monotonic() > end
            if not (late or waiting()):
                return
            self.in_vain += late
            end = time.monotonic() + PATIENCE_S
            try:
                waiting = next(acts)
            except StopIteration:
                timer.stop()
                self.desktop.window.close()

        timer.timeout.connect(go_on)
        timer.start(LOOK_MS)
        self.desktop.start()
        self.desktop.welcome()
        self.desktop.run()

    def all(self, changes: int, runs: int, sweeps: int) -> Iterator[Done]:
        """Changes of what the stage shows, single measurements, sweeps that are cancelled."""
        yield lambda: self.desktop.workbench.stage_ready
        yield from self._many("changes", changes, self._change)
        yield from self._many("runs", runs, self._run)
        yield from self._many("sweeps", sweeps, self._sweep)

    def _many(self, name: str, count: int, act: Callable[[int], Iterator[Done]]) -> Iterator[Done]:
        samples = self.samples.setdefault(name, [])
        for number in range(1, count + 1):
            yield from act(number)
            if number % self._every == 0 or number == count:
                samples.append(Sample.now(number))
                print(samples[-1].line(name), flush=True)

    def _change(self, number: int) -> Iterator[Done]:
        """Change something and let it be drawn; every tenth time wait for its trace."""
        self._monkey.act()
        yield (lambda: self.desktop.workbench.stage_ready) if number % 10 == 0 else at_once

    def _run(self, number: int) -> Iterator[Done]:
        rung, parameters = SMALL[number % len(SMALL)]
        measure(self.desktop, (Case(rung, Problem.square(Operation.MATMUL, 16 + number % 32), parameters),))
        yield self._idle

    def _sweep(self, _number: int) -> Iterator[Done]:
        request = measure(self.desktop, small_sweep())
        yield lambda: not self._idle()
        self.desktop.workbench._workers.measuring.cancel(request)
        yield self._idle

    def _idle(self) -> bool:
        return not self.desktop.workbench._workers.measuring.progress().busy


def at_once() -> bool:
    return True


def slope(samples: Sequence[Sample]) -> float:
    """MiB that the window's process grows in a thousand acts, by the second half of the samples."""
    half = samples[len(samples) // 2 - (len(samples) == 1) :]
    if len(half) < 2:
        return 0.0
    xs, ys = [each.acts for each in half], [each.resident_mib for each in half]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return 1000 * sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, count in (("changes", 10_000), ("runs", 1000), ("sweeps", 100)):
        parser.add_argument(f"--{name}", type=int, default=count)
    parser.add_argument("--every", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        endurance = Endurance(Path(name), options.every)
        print(HEAD)
        endurance.play(endurance.all(options.changes, options.runs, options.sweeps))
        grows = {kind: slope(samples) for kind, samples in endurance.samples.items() if samples}
        print("MiB in a thousand: " + ", ".join(f"{kind} {value:+.2f}" for kind, value in grows.items()))
        print(f"waited for in vain: {endurance.in_vain}")
    sys.stdout.flush()
    os._exit(0 if max(grows.values()) <= MOST_MIB_IN_A_THOUSAND and not endurance.in_vain else 1)


if __name__ == "__main__":
    main()
