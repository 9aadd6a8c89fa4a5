"""What the window measures beside what the command measures, in turn, and how the window fares meanwhile.

    python -m tests.perf.window_times --variants 'cpu.*' --sizes 128,256,512 [--front timing stage] [--pairs 6] [--seconds 300]

A few points at a time are measured by the real window (offscreen where there is no display; one is open for each of the `--front`s), by
the command in a process of its own, and by the command once more: the control. They take turns in an order that is shuffled anew each
time, so that what comes and goes on the machine meets all of them alike; who has no turn stands still. A ratio is the median, over the
turns, of the window's time over that of the command in the same turn; the control's is what two commands differ by. A ratio agrees where
it is within 5 % (10 % below 0.1 ms), or where half of the control's pairs lie as far apart. Points of 1024 and more get fewer turns.
Run on an idle machine, and see what the load was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from app.core.base.files.locations import HOME_VARIABLE, find_places
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import VARIANTS
from tests.perf.figures import Figure
from tests.perf.own_results import fill
from tests.perf.paired import AGAIN, COMMAND, Found, Turn, fared, lines, ratios

ROOT = Path(__file__).resolve().parents[2]
FRONTS = ("timing", "stage")
TOGETHER = 6
"""Points that one side measures before the next has its turn."""
LARGE, FEWER = 1024, 3
"""From this n on there are so many times fewer turns."""
LEAST = 2
"""Turns that there are even where the time is over."""
LONGEST_S = 4000.0
"""For one sweep of the command."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be measured, by which windows, how often; `beside` is measured with all of it, and told too."""

    variants: Sequence[str]
    sizes: Sequence[int]
    fronts: Sequence[str] = FRONTS
    pairs: int = 6
    beside: Sequence[str] = ()
    own_results: int = 0
    seconds: float = float("inf")
    """After this there is no other turn."""

    def groups(self) -> Iterator[tuple[Sequence[str], int, int]]:
        """Points that are measured together, small ones first: variants of one operation, n, and how many turns they get."""
        for n in sorted(self.sizes):
            for operation in dict.fromkeys(each.operation for each in VARIANTS):
                mine = _of(operation, self.variants)
                for first in range(0, len(mine), TOGETHER):
                    pairs = self.pairs if n < LARGE else max(2, self.pairs // FEWER)
                    yield (*mine[first : first + TOGETHER], *_of(operation, self.beside)), n, pairs


def _of(operation: Operation, variants: Iterable[str]) -> list[str]:
    wanted = set(variants)
    return [each.id for each in VARIANTS if each.id in wanted and each.operation is operation]


class Window:
    """A window in a process of its own, which measures when it is told to."""

    def __init__(self, home: Path, front: str) -> None:
        """Wait until it is open; `opening` is what it says of that."""
        command = [sys.executable, "-m", "tests.perf.measured_window", json.dumps({"home": str(home), "front": front})]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.opening = self._heard()

    def measured(self, variants: Sequence[str], n: int) -> dict[str, Any]:
        """What it says of these points."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"variants": list(variants), "sizes": [n]}) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the window ended with {self._process.wait()}")
        said: dict[str, Any] = json.loads(line)
        return said


def measured(asked: Asked, seed: int = 0) -> Iterator[Turn]:
    """Measure in turn, all in one fresh folder of the program's own; each turn as soon as it is there. A window's first is its start."""
    shuffled, end = random.Random(seed), time.monotonic() + asked.seconds
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        home = Path(name)
        if asked.own_results:
            fill(find_places({HOME_VARIABLE: name}, sys.platform, home).store, asked.own_results)
        known: set[str] = set()
        taken = 0
        windows: dict[str, Window] = {}
        for variants, n, pairs in asked.groups():
            if not known.issuperset(variants):  # nobody compiles in a turn
                by_command(home, variants, min(asked.sizes))
                known.update(variants)
            for front in asked.fronts:
                if front not in windows:
                    windows[front] = stack.enter_context(Window(home, front))
                    opening = windows[front].opening
                    yield Turn(front, 0, (), opening["ticks"], opening["shown_s"])
            for number in range(pairs):
                if time.monotonic() > end and taken >= LEAST:
                    return
                taken += 1
                sides = [*windows, COMMAND, AGAIN]
                shuffled.shuffle(sides)
                for side in sides:
                    if side in windows:
                        said = windows[side].measured(variants, n)
                        yield Turn(side, number, said["results"], said["ticks"])
                    else:
                        yield Turn(side, number, by_command(home, variants, n))


def by_command(home: Path, variants: Sequence[str], n: int) -> list[Found]:
    """What the command measures."""
    found: list[Found] = json.loads(
        said([sys.executable, "-m", "app", "sweep", *variants, "--n", str(n), "--out", str(home / "sweep.json"), "--json"], home)
    )
    return found


def said(command: list[str], home: Path) -> str:
    """The standard output. Raises RuntimeError with the errors where there is none."""
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    if not ran.stdout.strip():
        raise RuntimeError(f"{' '.join(command)} ended with {ran.returncode}: {ran.stderr[-3000:]}")
    return ran.stdout


def figures(*, quick: bool) -> list[Figure]:
    """The worst ratio, short times apart, the control's beside it, and how the interface thread fared at worst."""
    rungs, sizes, pairs = ("cpu.loop-order", "cpu.blocked", "cpu.numpy"), (64, 256, 512), 2 if quick else 6
    turns = list(measured(Asked(rungs, sizes, pairs=pairs)))
    conditions = f"{len(rungs)} rungs, {len(sizes)} sizes, {pairs} pairs"
    told = [each for front in FRONTS for each in fared(turns, front) if each.phase != "opening"]
    return [
        *(Figure(f"{short}times, {side} over command at worst", max(worst), "times", conditions)
          for side in (*FRONTS, AGAIN) for short in ("short ", "")
          if (worst := [each.apart for each in ratios(turns, side) if each.short is bool(short)])),
        Figure("event loop while measuring, 99th percentile", max(each.p99_ms for each in told), "ms", conditions),
        Figure("event loop while measuring, longest gap", max(each.longest_ms for each in told), "ms", conditions),
        Figure("interface thread while measuring, share of a core", max(each.share for each in told), "", conditions),
    ]  # fmt: skip


def named(patterns: Iterable[str]) -> list[str]:
    """The ids of the variants that are meant."""
    wanted = list(patterns)
    return [v.id for v in VARIANTS if v.operation is not Operation.HELLO and any(fnmatchcase(v.id, name) for name in wanted)]


def main(arguments: list[str]) -> None:
    """Measure as asked and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=["cpu.*"], metavar="VARIANT", help="ids or patterns")
    parser.add_argument("--beside", nargs="+", default=[], metavar="VARIANT", help="what is measured with each of them, as a GPU's rungs")
    parser.add_argument("--sizes", default="128,256,512,1024,2048", help="values of n, with commas")
    parser.add_argument("--front", nargs="*", choices=FRONTS, default=list(FRONTS), help="what is in front while the window measures")
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which there is no other turn")
    parser.add_argument("--own-results", type=int, default=0, metavar="COUNT", help="results that the history begins with")
    parser.add_argument("--json", type=Path, metavar="OUT", help="a file for all that was measured")
    parser.add_argument("--show", type=Path, metavar="OUT", help="only print the tables of such a file")
    chosen = parser.parse_args(arguments)
    asked = Asked(
        named(chosen.variants), [int(n) for n in chosen.sizes.split(",")], chosen.front, chosen.pairs, named(chosen.beside),
        chosen.own_results, chosen.seconds,
    )  # fmt: skip
    turns = [Turn(**each) for each in json.loads(chosen.show.read_text(encoding="utf-8"))] if chosen.show else []
    try:
        for each in () if chosen.show else measured(asked):
            turns.append(each)
            if chosen.json:
                chosen.json.write_text(json.dumps([asdict(every) for every in turns]), encoding="utf-8")
    except KeyboardInterrupt:
        print("interrupted; this is what there is", file=sys.stderr)
    print("load average", *os.getloadavg(), f"on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else "")
    print("\n".join(lines(turns)))


if __name__ == "__main__":
    main(sys.argv[1:])
