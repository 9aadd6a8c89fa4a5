"""How far the medians of several starts of `tilescope run` lie apart, for each rung with several threads: at most 10 % is wanted.

    python -m tests.perf.command_starts [--starts 10] [--sizes 64,128,256,512,1024,2048] [--variants cpu.parallel] [--json OUT]

Each start is a process of its own; all share one fresh TILESCOPE_HOME, in which the kernels are compiled by a first start that does not
count. The starts of all points take turns, so that what comes and goes on the machine meets all of them. Run on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from kernels.base.spec import Device
from kernels.catalogue.catalogue import VARIANTS
from kernels.measure.disturbance_sentences import is_disturbed
from tests.perf.figures import Figure
from tests.perf.paired import disturbed
from tests.perf.window_times import said

ALLOWED = 1.10
SIZES = (64, 128, 256, 512, 1024, 2048)

Starts = dict[tuple[str, int], list[dict[str, Any]]]
"""By variant and n, one result of `tilescope run --json` for each start."""


def rungs() -> list[str]:
    """The ids of those whose iterations are shared out among threads."""
    return [each.id for each in VARIANTS if each.device is Device.CPU and {"threads", "schedule"} <= each.defaults.keys()]


def started(variants: Sequence[str], sizes: Sequence[int], starts: int, seconds: float = float("inf")) -> Iterator[Starts]:
    """Start the command so often at each point; all that there is so far, after each turn. After `seconds` there is no other turn."""
    found: Starts = {}
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as home:
        for turn in range(starts + 1):
            if turn > 1 and time.monotonic() > end:
                return
            for variant in variants:
                for n in sizes if turn else sizes[:1]:
                    text = said([sys.executable, "-m", "app", "run", variant, "--n", str(n), "--json"], Path(home))
                    if turn:
                        found.setdefault((variant, n), []).append(json.loads(text))
            if turn:
                yield found


def medians(results: Sequence[Mapping[str, Any]]) -> list[float]:
    """Of each start, ms; none of one without a verified time."""
    return [each["median_ms"] for each in results if each["verified"]]


def apart(results: Sequence[Mapping[str, Any]]) -> float:
    """The largest median over the smallest."""
    found = medians(results)
    return max(found) / min(found) if found else 1.0


def lines(found: Starts) -> Iterator[str]:
    """A row for each point: the median of each start, how far they lie apart and how much is disturbed; then the verdict."""
    yield f"{'variant':<26} {'n':>5} {'max/min':>8}  median of each start, ms"
    ratios = {point: apart(results) for point, results in found.items()}
    calm = {point: apart([each for each in results if not is_disturbed(each["conditions"])]) for point, results in found.items()}
    for (variant, n), results in found.items():
        failed = [each["reason"] for each in results if not each["verified"]]
        mark = "*" if ratios[variant, n] > ALLOWED else " "
        told = " ".join(f"{median:.4g}" for median in medians(results))
        notes = [f"disturbed: {disturbed(results)}", *([f"{len(failed)} failed: {failed[0]}"] if failed else [])]
        yield f"{variant:<26} {n:>5} {ratios[variant, n]:>7.3f}{mark}  {'   '.join([told, *notes])}"
    for label, each in (("", ratios), (" without disturbed starts", calm)):
        within, worst = sum(ratio <= ALLOWED for ratio in each.values()), max(each, key=each.__getitem__)
        yield (f"{within} of {len(each)} points within {100 * (ALLOWED - 1):.0f} %{label}, worst {each[worst]:.3f}"
               f" ({worst[0]} at n = {worst[1]})")  # fmt: skip


def figures(*, quick: bool) -> list[Figure]:
    """For each rung the largest ratio of two starts' medians, and the middle one over the sizes."""
    sizes, starts = ((64, 512), 4) if quick else (SIZES, 10)
    found = deque(started(rungs(), sizes, starts), maxlen=1).pop()
    by_rung = {rung: [apart(results) for (variant, _), results in found.items() if variant == rung] for rung in rungs()}
    conditions = f"{starts} starts, n {sizes[0]} to {sizes[-1]}"
    return [
        figure
        for rung, ratios in by_rung.items()
        for figure in (
            Figure(f"{rung}, largest over smallest median at worst", max(ratios), "times", conditions),
            Figure(f"{rung}, largest over smallest median, middle size", statistics.median(ratios), "times", conditions),
        )
    ]


def main(arguments: list[str]) -> None:
    """Start the command as often as asked and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--variants", nargs="+", default=rungs(), metavar="VARIANT", help="ids or patterns; all with several threads if not given"
    )
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="values of n, with commas")
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which there is no other turn")
    parser.add_argument("--json", type=Path, metavar="OUT", help="a file for all that was measured")
    chosen = parser.parse_args(arguments)
    variants = [each.id for each in VARIANTS if any(fnmatchcase(each.id, name) for name in chosen.variants)]
    found: Starts = {}
    for turn, found in enumerate(started(variants, [int(n) for n in chosen.sizes.split(",")], chosen.starts, chosen.seconds), 1):
        print(f"{turn} of {chosen.starts} starts", file=sys.stderr, flush=True)
        if chosen.json:
            chosen.json.write_text(json.dumps([each for results in found.values() for each in results]), encoding="utf-8")
    print("\n".join(lines(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
