"""Bandwidth of the transpositions beside `np.copyto` of the same matrices, in turn in one run.

`python tests/perf/transpose_bandwidth.py [n ...]`. All count each byte read and each byte written once. "in turn": one call, after another
function has used the caches; "again": calls that follow at once, as a measurement repeats them, of each as many as take a millisecond
of copying. Beside them the same blocks, copied without being turned: what the order of the stores costs alone.
"""

from __future__ import annotations

import os
import statistics
import sys
from contextlib import ExitStack
from functools import cache
from typing import Any

import numpy as np

from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.cpu_transpositions import CPU_TRANSPOSITIONS
from kernels.cpu.matrix import Matrix, aligned_matrix
from kernels.cpu.simd import LANES, tile_load, tile_store
from kernels.jit.runner import CpuRunner
from kernels.jit.timed_calls import TimeCalls, timing
from tests.perf.figures import Figure

SIZES = (256, 384, 512, 768, 999, 1000, 1024, 1500, 2048, 2500, 3000, 3001, 4096, 5000, 6000, 7000, 8192)
SAMPLES = 25
COPY, BLOCKS = "np.copyto", "blocks, not turned"
AGAIN_MS = 1.0
STREAMING = ("cpu.transpose-streaming", "cpu.transpose-parallel")
FEW_ROWS = 16
Samples = dict[str, list[float]]
"""Milliseconds by what was timed."""


def copy_blocks(A: Matrix, C: Matrix) -> None:
    """The whole blocks of A to the same places of C, along rows."""
    for i in range(0, A.shape[0] - LANES + 1, LANES):
        for j in range(0, A.shape[1] - LANES + 1, LANES):
            tile_store(C, i, j, tile_load(A, i, j, LANES, LANES), LANES, LANES)


@cache
def block_copier() -> Any:
    """`copy_blocks`, compiled."""
    import numba

    import kernels.jit.simd_numba  # noqa: F401  # teaches numba the tiles

    return numba.njit("void(float32[:, ::1], float32[:, ::1])", nogil=True)(copy_blocks)


def figures(*, quick: bool) -> list[Figure]:
    """What the fastest transposition reaches of the copy."""
    found = []
    for n in (2048,) if quick else SIZES:
        for how, times in zip(("in turn", "again"), sampled(n), strict=True):
            ours = {label: statistics.median(times[label]) for label in settings()}
            best, copy = min(ours, key=ours.__getitem__), statistics.median(times[COPY])
            found.append(Figure(f"best, n = {n}, {how}", copy / ours[best], f"times {COPY}", f"{best}, median of {SAMPLES}, all cores"))
    return found


def settings() -> dict[str, tuple[Variant, Parameters]]:
    """What is timed by its label: each rung as it is, and those that stream in strips of few rows too, ahead where rows are long."""
    found: dict[str, tuple[Variant, Parameters]] = {variant.id: (variant, variant.defaults) for variant in CPU_TRANSPOSITIONS}
    for variant in CPU_TRANSPOSITIONS:
        if variant.id in STREAMING:
            found[f"{variant.id}, tile {FEW_ROWS}"] = variant, {**variant.defaults, "tile": FEW_ROWS}
    return found


def main(sizes: tuple[int, ...]) -> None:
    for n in sizes:
        report(n, Problem.square(Operation.TRANSPOSE, n).bytes, *sampled(n))


def sampled(n: int) -> tuple[Samples, Samples]:
    """Samples that were taken in turn, and those that were taken again at once."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    with ExitStack() as stack:
        stack.callback(allow, cores)
        problem = Problem.square(Operation.TRANSPOSE, n)
        inputs = random_inputs(problem, 1)
        A, C = aligned_matrix((n, n)), aligned_matrix((n, n))
        A[...] = inputs["A"]
        timers: dict[str, TimeCalls] = {COPY: timing(np.copyto, (C, A)), "np.copyto(C, A.T)": timing(np.copyto, (C, A.T))}
        timers[BLOCKS] = timing(block_copier(), (A, C))
        for label, (variant, parameters) in settings().items():
            allow(cores)  # a team of threads has taken its own
            run = stack.enter_context(CpuRunner().prepare(Case(variant.id, problem, parameters), inputs, lambda: None))
            timers[label] = run._time  # type: ignore[attr-defined]  # its samples time so many calls as suit it
        allow(set(sorted(cores)[:1]))  # where the calling thread of a measured team stays
        calls = max(1, round(AGAIN_MS / min(timers[COPY](1, 0) for _ in range(3))))
        first: Samples = {name: [] for name in timers}
        again: Samples = {name: [] for name in timers}
        for _ in range(SAMPLES):
            for name, timer in timers.items():
                first[name].append(timer(1, 0))
                again[name].append(timer(calls, 0) / calls)
    return first, again


def allow(cores: set[int]) -> None:
    """Let the calling thread, and teams made from now on, run on these cores; on any where the system has no way to say so."""
    if cores:
        os.sched_setaffinity(0, cores)


def report(n: int, moved: int, first: Samples, again: Samples) -> None:
    """Write the medians."""
    for name in first:
        rates = [moved / statistics.median(times[name]) / 1e6 for times in (first, again)]
        shares = [statistics.median(times[COPY]) / statistics.median(times[name]) for times in (first, again)]
        sys.stdout.write(f"{n:5} {name:34} in turn {rates[0]:6.1f} GB/s {shares[0]:5.2f}   again {rates[1]:6.1f} GB/s {shares[1]:5.2f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
