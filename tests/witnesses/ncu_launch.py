"""Launches every case once, in order, on the GPU of this machine: the program that Nsight Compute profiles.

`python ncu_launch.py OUT.json [NAME ...]`, from the repository's root, for the cases whose names begin so; writes the SHA-256 of each
case's output with fused operations off.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.witnesses.ncu_cases import Case, chosen


def main() -> None:
    """Launch the cases as they are profiled, and write the outputs' hashes."""
    outputs = {case.name: hashlib.sha256(launch(case).tobytes()).hexdigest() for case in chosen(sys.argv[2:])}
    Path(sys.argv[1]).write_text(json.dumps(outputs, indent=1), encoding="utf-8")


def launch(case: Case) -> np.ndarray[Any, Any]:
    """The case's output. Copies are the only other thing that the GPU is asked to do, so that each launch is one profile."""
    import cupy

    defines = tuple(f"-D{name}={value}" for name, value in case.defines.items())
    module = cupy.RawModule(code=case.text, options=("--std=c++17", "--fmad=false", "-lineinfo", *defines))
    arguments: dict[str, Any] = {
        name: np.int32(value) if isinstance(value, int) else cupy.asarray(value) for name, value in case.arguments.items()
    }
    module.get_function(case.kernel)(case.grid, case.block, tuple(arguments.values()))
    output: np.ndarray[Any, Any] = arguments[case.output].get()
    return output


if __name__ == "__main__":
    main()
