"""The program's medians beside those of a few lines of C that call the same functions: every CPU rung on one thread, in turn.

    python -m tests.perf.third_witness [--variants cpu.strassen] [--sizes 64,256,1024] [--seconds 100]

Each turn is timed by the program, by C, and by C once more, the control, in an order that is shuffled. A ratio is the median of those of
each turn; beside it stands between which values half of them lie. Run on an idle machine.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kernels.base.spec import Variant
from tests.perf.figures import Figure
from tests.perf.paired import Ratio
from tests.witnesses.test_timed_calls import SINGLE, SOURCE, taken_in_turn

TURNS = {64: 31, 128: 31, 256: 31, 512: 15, 1024: 7}
"""By n."""
TOGETHER_MS = 6.0
"""So many calls are timed together that they take about as long; at least one."""
ALLOWED = 1.02


def compared(variants: Sequence[Variant], sizes: Sequence[int], seconds: float = float("inf")) -> Iterator[tuple[Ratio, Ratio]]:
    """Milliseconds of a call, ours beside C's and C's beside C's; after `seconds` nothing further is begun."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        witness = compiled_witness(Path(folder))
        for n in sizes:
            for variant in variants:
                if time.monotonic() < end:
                    one_ms = min(ms for turn in taken_in_turn(variant, n, 1, witness, 1) for ms in turn)
                    calls = max(1, round(TOGETHER_MS / one_ms))
                    turns = taken_in_turn(variant, n, calls, witness, TURNS[n])
                    ours, theirs, again = ([ms / calls for ms in side] for side in zip(*turns, strict=True))
                    yield Ratio((variant.id, n, ""), ours, theirs), Ratio((variant.id, n, ""), again, theirs)


def compiled_witness(folder: Path) -> Any:
    """The function in C, compiled in a folder."""
    library = folder / "timed_calls.so"
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).witness
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return function


def figures(*, quick: bool) -> list[Figure]:
    """For each rung and n how many times as long one of the two takes as the other, and how far C is from itself."""
    return [
        Figure(f"{ratio.key[0]} n = {ratio.key[1]}, {name}", ratio.apart, "", f"{len(ratio.mine)} turns")
        for pair in compared(SINGLE[::4] if quick else SINGLE, (64, 256, 1024))
        for name, ratio in zip(("ours and C's", "C's twice"), pair, strict=True)
    ]


def main(arguments: list[str]) -> None:
    """Compare as asked and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="+", default=[each.id for each in SINGLE], metavar="VARIANT")
    parser.add_argument("--sizes", default="64,256,1024", help="values of n, with commas")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which nothing further is begun")
    chosen = parser.parse_args(arguments)
    variants, sizes = [each for each in SINGLE if each.id in chosen.variants], [int(n) for n in chosen.sizes.split(",")]
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'variant':<27} {'n':>5} {'C, ms':>9} {'ratio':>7}  {'half within':<13} C twice, half within")
    found: list[tuple[Ratio, Ratio]] = []
    for ratio, control in compared(variants, sizes, chosen.seconds):
        found.append((ratio, control))
        mark, ms = " " if ratio.apart <= ALLOWED else "*", statistics.median(ratio.command)
        spread = f"{ratio.between:<13} {control.median:.3f}, {control.between}"
        print(f"{ratio.key[0]:<27} {ratio.key[1]:>5} {ms:>9.4g} {ratio.median:>7.3f}{mark} {spread}", flush=True)
    for name, place in (("ours and C's", 0), ("C's twice", 1)):
        within = sum(pair[place].apart <= ALLOWED for pair in found)
        print(f"{name}: {within} of {len(found)} within {100 * (ALLOWED - 1):.0f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
