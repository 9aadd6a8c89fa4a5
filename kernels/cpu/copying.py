"""What a transposition is set beside: how long it takes to copy the same matrix without turning it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping

import numpy as np

from kernels.measure.runner import Matrix
from kernels.spec import Operation, Problem

SAMPLES = 5


def copying(problem: Problem, operands: Mapping[str, Matrix]) -> dict[str, float]:
    """`copy_ms`, the median of a few times of `np.copyto` from A to where C is, after a first one; nothing for another operation."""
    if problem.operation is not Operation.TRANSPOSE:
        return {}
    target = operands["C"].reshape(problem.shapes["A"])
    times = [_copy_ms(operands["A"], target) for _ in range(SAMPLES + 1)]
    return {"copy_ms": statistics.median(times[1:])}


def _copy_ms(source: Matrix, target: Matrix) -> float:
    start = time.perf_counter_ns()
    np.copyto(target, source)
    return (time.perf_counter_ns() - start) / 1e6
