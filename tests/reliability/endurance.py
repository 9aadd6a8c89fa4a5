"""Plays for long at raised speed in one window, and looks whether memory, handles, threads or processes grow.

    python -m tests.reliability.endurance [--changes 10000] [--runs 1000] [--sweeps 100] [--every 500]

All is done through the session and the workbench, as the panels do it: changes of what the stage shows, single measurements, and
sweeps that are cancelled. A line is printed every so many acts. The slope is that of a straight line through the second half.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from kernels.measure.results import Point
from kernels.spec import Operation, Problem
from tests.reliability.driven_window import Driven, Monkey, measure, small_sweep

MOST_MIB_IN_A_THOUSAND = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process has at one moment, and its workers."""

    acts: int
    resident_mib: float
    handles: int
    threads: int
    children: int
    workers_mib: float

    @staticmethod
    def now(acts: int) -> Sample:
        """As it is, once what is not needed is collected."""
        gc.collect()
        me = psutil.Process()
        children = me.children(recursive=True)
        handles = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else me.num_handles()  # noqa: PTH208
        workers = sum(each.memory_info().rss for each in children if each.is_running()) / 2**20
        return Sample(acts, me.memory_info().rss / 2**20, handles, threading.active_count(), len(children), workers)


class Endurance:
    """A window that is kept busy."""

    def __init__(self, folder: Path, every: int) -> None:
        self._driven = Driven(folder, 0, "rest", "dismiss")
        self._desktop = self._driven.desktop
        self._monkey = Monkey(self._desktop, 1)
        self._every, self._acts = every, 0
        self.samples: dict[str, list[Sample]] = {}
        self._desktop.start()
        self._desktop.welcome()

    def live(self, done: Callable[[], bool], seconds: float = 120.0) -> None:
        """Let the window live until something is so."""
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            self._desktop.process_events()

    def changes(self, count: int) -> None:
        """Change something, and let it be drawn; every tenth time wait for its trace."""
        self._many("changes", count, lambda number: self._change(wait=number % 10 == 0))

    def runs(self, count: int) -> None:
        """Measure one point after the other."""
        self._many("runs", count, self._run)

    def sweeps(self, count: int) -> None:
        """Begin a sweep and cancel it."""
        self._many("sweeps", count, self._sweep)

    def close(self) -> None:
        self._desktop.window.close()

    def _many(self, name: str, count: int, act: Callable[[int], None]) -> None:
        samples = self.samples.setdefault(name, [])
        for number in range(1, count + 1):
            act(number)
            if number % self._every == 0 or number == count:
                samples.append(Sample.now(number))
                last = samples[-1]
                print(
                    f"{name:<8} {number:>6} {last.resident_mib:>8.1f} {last.workers_mib:>9.1f} "
                    f"{last.handles:>8} {last.threads:>8} {last.children:>9}",
                    flush=True,
                )

    def _change(self, *, wait: bool) -> None:
        self._monkey.act()
        self._desktop.process_events()
        if wait:
            self.live(lambda: self._desktop.workbench.stage_ready)

    def _run(self, number: int) -> None:
        rung = ("cpu.loop-order", "cpu.blocked", "cpu.numpy")[number % 3]
        point = Point(rung, Problem.square(Operation.MATMUL, 16 + number % 32), {"order": 1} if rung == "cpu.loop-order" else {})
        measure(self._desktop, (point,))
        self.live(self._idle)

    def _sweep(self, _number: int) -> None:
        request = measure(self._desktop, small_sweep())
        self.live(lambda: not self._idle(), 5.0)
        self._desktop.workbench._workers.measuring.cancel(request)
        self.live(self._idle)

    def _idle(self) -> bool:
        return not self._desktop.workbench._workers.measuring.progress().busy


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
        print(f"{'':<8} {'acts':>6} {'window':>8} {'workers':>9} {'handles':>8} {'threads':>8} {'processes':>9}")
        endurance.changes(options.changes)
        endurance.runs(options.runs)
        endurance.sweeps(options.sweeps)
        grows = {kind: slope(samples) for kind, samples in endurance.samples.items() if samples}
        print("MiB in a thousand: " + ", ".join(f"{kind} {value:+.2f}" for kind, value in grows.items()))
        endurance.close()
    sys.stdout.flush()
    os._exit(0 if max(grows.values()) <= MOST_MIB_IN_A_THOUSAND else 1)


if __name__ == "__main__":
    main()
