"""Bandwidth of the transpositions beside `np.copyto` of the same matrices, in turn in one run.

`python tests/perf/transpose_bandwidth.py [n ...]`. All count each byte read and each byte written once. "in turn": after another
function has used the caches; "again": a second time at once, as a measurement repeats it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from kernels.cpu.matrix import aligned_matrix
from kernels.cpu.runner import CpuRunner
from kernels.cpu.transpose_rungs import CPU_TRANSPOSITIONS
from kernels.measure.results import Point
from kernels.reference import random_inputs
from kernels.spec import Operation, Problem

SIZES = (1024, 2048, 4096)
SAMPLES = 25
COPY = "np.copyto"


def timed(function: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1e3


def main(sizes: tuple[int, ...]) -> None:
    for n in sizes:
        problem = Problem.square(Operation.TRANSPOSE, n)
        inputs = random_inputs(problem, 1)
        A, C = aligned_matrix((n, n)), aligned_matrix((n, n))
        A[...] = inputs["A"]
        with ExitStack() as stack:
            timers: dict[str, Callable[[], float]] = {
                COPY: lambda A=A, C=C: timed(lambda: np.copyto(C, A)),  # type: ignore[misc]
                "np.ascontiguousarray(A.T)": lambda A=A: timed(lambda: np.ascontiguousarray(A.T)),  # type: ignore[misc]
            }
            for variant in CPU_TRANSPOSITIONS:
                run = stack.enter_context(CpuRunner().prepare(Point(variant.id, problem, variant.defaults), inputs, lambda: None))
                timers[variant.id] = lambda run=run: run.sample(lambda: None)  # type: ignore[misc]
            report(n, problem.bytes, timers)


def report(n: int, moved: int, timers: dict[str, Callable[[], float]]) -> None:
    """Write the medians of samples that were taken in turn."""
    first: dict[str, list[float]] = {name: [] for name in timers}
    again: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(SAMPLES):
        for name, timer in timers.items():
            first[name].append(timer())
            again[name].append(timer())
    for name in timers:
        rates = [moved / statistics.median(times[name]) / 1e6 for times in (first, again)]
        shares = [statistics.median(times[COPY]) / statistics.median(times[name]) for times in (first, again)]
        sys.stdout.write(f"{n:5} {name:30} in turn {rates[0]:6.1f} GB/s {shares[0]:5.2f}   again {rates[1]:6.1f} GB/s {shares[1]:5.2f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
