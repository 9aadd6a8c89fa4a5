"""What the window measures beside what the command measures, on the same points in turn, and how the window fares meanwhile.

    python -m tests.perf.window_times --variants 'cpu.*' --sizes 128,256,512 --front timing stage [--rounds 3] [--own-results 100000]

In each round the real window (offscreen where there is no display) measures with each of the `--front`s before the user, each time followed
by the command in a process of its own. All windows share one fresh TILESCOPE_HOME, all commands another: the first round compiles. A ratio
is that of the medians over the rounds; beside it stands what the rounds of each side differ by, largest over smallest median, since
no ratio means more than that. Disturbed: in how many rounds, the largest share of disturbed samples, and by whom. Run on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from app.core.base.files.locations import HOME_VARIABLE, find_places
from kernels.base.spec import Operation
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.disturbance import DISTURBED_BY, DISTURBED_SHARE
from tests.perf.figures import Figure
from tests.perf.own_results import fill

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "command"
FRONTS = ("timing", "stage")
SHORT_MS = 0.1
"""Below it twice as much is allowed."""
ALLOWED, ALLOWED_SHORT = 1.05, 1.10
DIP = 0.9
"""A rate below this part of both its neighbours' is a dip."""
LONGEST_S = 4000.0

Found = dict[str, Any]
"""One result as `tilescope sweep --json` writes it."""
Key = tuple[str, int, str]
"""Of a point: variant, n, and the parameters as text."""


@dataclass(frozen=True, slots=True)
class Round:
    """What one side measured in one round: `side` is a front of the window, or the command. `window` tells how it fared."""

    side: str
    results: Sequence[Found]
    window: dict[str, dict[str, float]] = field(default_factory=dict)


def key_of(result: Found) -> Key:
    """The point of a result."""
    return result["id"], result["n"], ",".join(f"{name}={value}" for name, value in result["parameters"].items())


@dataclass(frozen=True, slots=True)
class Side:
    """One point as one side measured it, over all rounds."""

    results: Sequence[Found]

    @property
    def medians(self) -> list[float]:
        """Of each round, ms; none of a result without a verified time."""
        return [each["median_ms"] for each in self.results if each["verified"]]

    @property
    def median(self) -> float | None:
        """Over the rounds, ms."""
        return statistics.median(self.medians) if self.medians else None

    @property
    def rounds(self) -> float:
        """The largest median over the smallest."""
        return max(self.medians) / min(self.medians) if self.medians else 1.0

    @property
    def spread(self) -> float:
        """The interquartile range over the median, of the middle round."""
        return float(statistics.median(each["spread_ms"] / each["median_ms"] for each in self.results if each["verified"]))

    @property
    def outcome(self) -> str:
        """How it ended last, with the reason where there is one."""
        last = self.results[-1]
        return f"{last['status']}: {last['reason']}" if last["reason"] else str(last["status"])

    @property
    def disturbed(self) -> str:
        """In how many rounds, how much at most, by whom; empty where nobody did."""
        marked = [each["conditions"] for each in self.results if each["conditions"].get(DISTURBED_SHARE)]
        if not marked:
            return ""
        causes = sorted({cause for each in marked for cause in str(each.get(DISTURBED_BY, "")).split(",") if cause})
        most = max(each[DISTURBED_SHARE] for each in marked)
        return f"{len(marked)} of {len(self.results)}, {100 * most:.0f} % {'+'.join(causes)}".rstrip()


def sides(rounds: Iterable[Round]) -> dict[str, dict[Key, Side]]:
    """By side and point, in the order measured."""
    found: dict[str, dict[Key, list[Found]]] = {}
    for each in rounds:
        for result in each.results:
            found.setdefault(each.side, {}).setdefault(key_of(result), []).append(result)
    return {side: {key: Side(results) for key, results in points.items()} for side, points in found.items()}


def ratios(window: dict[Key, Side], command: dict[Key, Side]) -> dict[Key, float]:
    """The window's time over the command's, of the points that both have a verified time of."""
    return {key: mine.median / its.median for key, mine in window.items()
            if (its := command.get(key)) is not None and mine.median and its.median}  # fmt: skip


def beyond(ratio: float) -> float:
    """A ratio, or its inverse: how far apart, whoever is the faster."""
    return max(ratio, 1 / ratio)


def dips(window: dict[Key, Side], command: dict[Key, Side]) -> list[Key]:
    """Points where the window's rate lies below both its neighbours' along n, and the command's does not lie as low."""
    mine, its = _depths(window), _depths(command)
    return [key for key, depth in mine.items() if depth < DIP and key in its and its[key] > depth * ALLOWED]


def _depths(points: dict[Key, Side]) -> dict[Key, float]:
    """Each point's rate over the lower one of its two neighbours' along n."""
    curves: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for (variant, n, parameters), side in points.items():
        rates = [rate for each in side.results if each["verified"] and (rate := each.get("gflops") or each.get("gbytes_per_s"))]
        if rates:
            curves.setdefault((variant, parameters), []).append((n, statistics.median(rates)))
    return {
        (variant, n, parameters): rate / min(left, right)
        for (variant, parameters), curve in curves.items()
        for (_, left), (n, rate), (_, right) in zip(sorted(curve), sorted(curve)[1:], sorted(curve)[2:], strict=False)
    }


def lines(rounds: Sequence[Round]) -> Iterator[str]:
    """A table for each front beside the command, then what it comes to."""
    by_side = sides(rounds)
    command = by_side.get(COMMAND, {})
    wide = max((len(parameters) for points in by_side.values() for _, _, parameters in points), default=0)
    for front in [each for each in by_side if each != COMMAND]:
        yield f"\nwindow, {front} in front, beside the command; times in ms, spreads are interquartile ranges"
        yield (f"{'variant':<27} {'n':>5} {'parameters':<{wide}} {'window':>9} {'command':>9} {'ratio':>7} {'spreads, %':>13}"
               f" {'rounds':>13}  disturbed: window | command")  # fmt: skip
        for key, mine in sorted(by_side[front].items(), key=lambda point: (_place(point[0]), point[0])):
            yield _row(key, mine, command.get(key), wide)
        yield from _summary(by_side[front], command)
    yield from _fared(rounds)


def _place(key: Key) -> int:
    return [each.id for each in VARIANTS].index(key[0])


def _row(key: Key, mine: Side, its: Side | None, wide: int) -> str:
    variant, n, parameters = key
    start = f"{variant:<27} {n:>5} {parameters:<{wide}}"
    if its is None or mine.median is None or its.median is None:
        return f"{start} {mine.outcome} | {'not measured' if its is None else its.outcome}"
    ratio = mine.median / its.median
    mark = " " if beyond(ratio) <= _allowed(its) else "*"
    spreads, apart = f"{100 * mine.spread:.1f} | {100 * its.spread:.1f}", f"{mine.rounds:.2f} | {its.rounds:.2f}"
    who = f"{mine.disturbed or '-'} | {its.disturbed or '-'}" if mine.disturbed or its.disturbed else ""
    return f"{start} {mine.median:>9.4g} {its.median:>9.4g} {ratio:>6.3f}{mark} {spreads:>13} {apart:>13}  {who}".rstrip()


def _allowed(command: Side) -> float:
    return ALLOWED_SHORT if command.median is not None and command.median < SHORT_MS else ALLOWED


def _summary(window: dict[Key, Side], command: dict[Key, Side]) -> Iterator[str]:
    """How many points agree, the worst of the short and of the others, and the dips."""
    found = ratios(window, command)
    for short, allowed in ((False, ALLOWED), (True, ALLOWED_SHORT)):
        these = {key: ratio for key, ratio in found.items() if (_allowed(command[key]) == ALLOWED_SHORT) is short}
        if these:
            worst = max(these, key=lambda key: beyond(these[key]))
            within = sum(beyond(ratio) <= allowed for ratio in these.values())
            yield (f"{'below' if short else 'from'} {SHORT_MS} ms{'' if short else ' on'}: {within} of {len(these)} points within"
                   f" {100 * (allowed - 1):.0f} %, worst {these[worst]:.3f} ({_named(worst)})")  # fmt: skip
    lacking = [key for key in dict.fromkeys((*window, *command)) if key not in found]
    if lacking:
        yield f"not compared: {', '.join(map(_named, lacking))}"
    yield f"dips that the command does not have: {', '.join(map(_named, dips(window, command))) or 'none'}"


def _named(key: Key) -> str:
    return f"{key[0]} at n = {key[1]}"


def _fared(rounds: Iterable[Round]) -> Iterator[str]:
    yield "\nthe window's event loop, ms late, and its interface thread"
    for number, each in enumerate((each for each in rounds if each.window), 1):
        for phase, told in each.window.items():
            yield (f"window {number}, {each.side:<6} in front, {phase:<9} p99 {told['p99_ms']:6.1f}  longest {told['longest_ms']:6.1f}"
                   f" (own work {told['own_ms']:.1f}, after {told['longest_at_s']:.1f} s), over 50: {told['over_50_ms']:.0f},"
                   f" {100 * told['share']:.1f} % of a core in {told['seconds']:.0f} s")  # fmt: skip


def measured(variants: Sequence[str], sizes: Sequence[int], fronts: Sequence[str], rounds: int, own_results: int = 0) -> Iterator[Round]:
    """Measure in turn, in fresh folders of the program's own; each round as soon as it is there."""
    with tempfile.TemporaryDirectory() as name:
        window, command = Path(name) / "window", Path(name) / "command"
        command.mkdir()
        if own_results:
            fill(find_places({HOME_VARIABLE: str(window)}, sys.platform, window).store, own_results)
        for _ in range(rounds):
            for front in fronts:
                yield by_window(window, front, variants, sizes)
                yield by_command(command, variants, sizes)


def by_window(home: Path, front: str, variants: Sequence[str], sizes: Sequence[int]) -> Round:
    """What a window of its own measures."""
    request = json.dumps({"home": str(home), "front": front, "variants": variants, "sizes": sizes})
    answer = json.loads(said([sys.executable, "-m", "tests.perf.measured_window", request], home).splitlines()[-1])
    return Round(front, answer["results"], {phase: answer[phase] for phase in ("opening", "measuring")})


def by_command(home: Path, variants: Sequence[str], sizes: Sequence[int]) -> Round:
    """What the command measures, once for each operation."""
    results: list[Found] = []
    for operation in dict.fromkeys(each.operation for each in VARIANTS if each.id in variants):
        these = [each.id for each in VARIANTS if each.id in variants and each.operation is operation]
        table = str(home / "sweep.json")
        sweep = ["sweep", *these, "--n", ",".join(map(str, sizes)), "--out", table, "--json"]
        results += json.loads(said([sys.executable, "-m", "app", *sweep], home))
    return Round(COMMAND, results)


def said(command: list[str], home: Path) -> str:
    """The standard output. Raises RuntimeError with the errors where there is none."""
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    if not ran.stdout.strip():
        raise RuntimeError(f"{' '.join(command)} ended with {ran.returncode}: {ran.stderr[-3000:]}")
    return ran.stdout


def figures(*, quick: bool) -> list[Figure]:
    """The worst ratio, short times apart, and how the interface thread fared at worst."""
    rungs, sizes, times = ("cpu.loop-order", "cpu.blocked", "cpu.numpy"), (64, 256, 512), 1 if quick else 3
    rounds = list(measured(rungs, sizes, FRONTS, times))
    by_side, conditions = sides(rounds), f"{len(rungs)} rungs, {len(sizes)} sizes, {times} rounds"
    found: dict[str, list[float]] = {"short times": [], "times": []}
    for front in FRONTS:
        for key, ratio in ratios(by_side[front], by_side[COMMAND]).items():
            found["short times" if _allowed(by_side[COMMAND][key]) == ALLOWED_SHORT else "times"].append(beyond(ratio))
    told = [each.window["measuring"] for each in rounds if each.window]
    return [
        *(Figure(f"{name}, window over command at worst", max(worst), "times", conditions) for name, worst in found.items() if worst),
        Figure("event loop while measuring, 99th percentile", max(each["p99_ms"] for each in told), "ms", conditions),
        Figure("event loop while measuring, longest gap", max(each["longest_ms"] for each in told), "ms", conditions),
        Figure("interface thread while measuring, share of a core", max(each["share"] for each in told), "", conditions),
    ]


def main(arguments: list[str]) -> None:
    """Measure as asked and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=["cpu.*"], metavar="VARIANT", help="ids or patterns")
    parser.add_argument("--sizes", default="128,256,512,1024,2048", help="values of n, with commas")
    parser.add_argument("--front", nargs="+", choices=FRONTS, default=list(FRONTS), help="what is in front while the window measures")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--own-results", type=int, default=0, metavar="COUNT", help="results that the window's history begins with")
    parser.add_argument("--json", type=Path, metavar="OUT", help="a file for all that was measured")
    parser.add_argument("--show", type=Path, metavar="OUT", help="only print the tables of such a file")
    chosen = parser.parse_args(arguments)
    variants = [
        each.id
        for each in VARIANTS
        if each.operation is not Operation.HELLO and any(fnmatchcase(each.id, name) for name in chosen.variants)
    ]
    rounds: list[Round] = [Round(**each) for each in json.loads(chosen.show.read_text(encoding="utf-8"))] if chosen.show else []
    coming = (
        ()
        if chosen.show
        else measured(variants, [int(n) for n in chosen.sizes.split(",")], chosen.front, chosen.rounds, chosen.own_results)
    )
    try:
        for each in coming:
            rounds.append(each)
            print(f"{each.side}: {len(each.results)} results", file=sys.stderr, flush=True)
            if chosen.json:
                chosen.json.write_text(json.dumps([asdict(every) for every in rounds]), encoding="utf-8")
    except KeyboardInterrupt:
        print("interrupted; this is what there is", file=sys.stderr)
    print("\n".join(lines(rounds)))


if __name__ == "__main__":
    main(sys.argv[1:])
