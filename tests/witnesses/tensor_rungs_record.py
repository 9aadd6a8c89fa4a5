"""Records the outputs of the tensor-core rungs on a GPU of compute capability 9.0, as hashes, at sizes that are executed without one.

    python -m tests.witnesses.tensor_rungs_record tests/golden/tensor_rungs_9_0.json

Ten seconds. `test_tensor_records.py` compares them with what the interpreter computes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id

RUNGS = (
    "gpu.wmma-bf16", "gpu.wmma-tf32", "gpu.mma-bf16", "gpu.mma-padded-bf16", "gpu.mma-swizzled-bf16",
    "gpu.mma-tf32", "gpu.mma-padded-tf32", "gpu.mma-swizzled-tf32", "gpu.wgmma-bf16", "gpu.wgmma-clusters-bf16",
    "gpu.three-parts",
)  # fmt: skip
SIZES = ((17, 19, 23), (64, 64, 64), (130, 133, 70), (128, 256, 64), (200, 100, 300))
"""m, n and k: edges, whole tiles, several steps of k."""


def points() -> list[Case]:
    """Each rung with its defaults at each size."""
    found = []
    for rung in RUNGS:
        variant = by_id(rung)
        found += [Case(rung, Problem.of(Operation.MATMUL, *size), variant.defaults) for size in SIZES]
    return found


def key(point: Case) -> str:
    """What a point is called in the record."""
    return f"{point.variant_id} {point.problem.m}x{point.problem.n}x{point.problem.k}"


def digest(output: np.ndarray[Any, Any]) -> str:
    """The first half of the hash of an output's bytes."""
    return hashlib.sha256(np.ascontiguousarray(output, np.float32).tobytes()).hexdigest()[:32]


def main(out: Path) -> None:
    """Launch all, once each."""
    from kernels.gpu.detect import look
    from kernels.gpu.execution import Executor

    status = look()
    executor, found = Executor(status), dict[str, str]()
    for point in points():
        with executor.prepare(point) as execution:
            for name, matrix in random_inputs(point.problem, 0).items():
                execution.fill(name, 0, np.ascontiguousarray(matrix))
            execution.poison()
            execution.sample()
            found[key(point)] = digest(execution.output(0, point.problem.shapes["C"][0]))
    out.write_text(json.dumps({"machine": str(status.name), "outputs": found}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(found)} outputs\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
