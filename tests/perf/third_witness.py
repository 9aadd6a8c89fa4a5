"""The program's medians against those of a few lines of C that call the same functions: every CPU rung on one thread, in turn.

python tests/perf/third_witness.py
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.witnesses.test_timed_calls import SINGLE, SOURCE, ratio_of

SIZES = {64: 400, 256: 20, 1024: 1}
"""n, and how many calls are timed together."""


def main() -> None:
    """Print a line for each rung and n: our median over C's."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "timed_calls.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(library)], check=True)
        witness = ctypes.CDLL(str(library)).witness
        witness.restype, witness.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
        for variant in SINGLE:
            told = "   ".join(f"n = {n}: {ratio_of(variant, n, calls, witness):.3f}" for n, calls in SIZES.items())
            print(f"{variant.id:32} {told}", flush=True)


if __name__ == "__main__":
    main()
