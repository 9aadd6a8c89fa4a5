"""The program's medians beside those of a few lines of C that call the same functions: every CPU rung on one thread, in turn.

python tests/perf/third_witness.py
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.perf.figures import Figure
from tests.witnesses.test_timed_calls import SINGLE, SOURCE, ratio_of

SIZES = {64: 400, 256: 20, 1024: 1}
"""n, and how many calls are timed together."""


def figures(*, quick: bool) -> list[Figure]:
    """For each rung and n how many times as long one of the two medians is as the other."""
    with tempfile.TemporaryDirectory() as folder:
        witness = compiled_witness(Path(folder))
        found = []
        for variant in SINGLE[::4] if quick else SINGLE:
            for n, calls in SIZES.items():
                ratio = ratio_of(variant, n, calls, witness)
                found.append(Figure(f"{variant.id} n = {n}, ours and C's", max(ratio, 1 / ratio), "", f"{calls} calls together, in turn"))
        return found


def compiled_witness(folder: Path) -> Any:
    """The function in C, compiled in a folder."""
    library = folder / "timed_calls.so"
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).witness
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    return function


if __name__ == "__main__":
    for figure in figures(quick=False):
        print(figure, flush=True)
