"""Times the CPU ladder in one run: `python tests/perf/cpu_ladder.py [--n 1024,2048] [--tiles 8,64] [--budget 20] [variant ...]`.

A table for each size: the best of a few samples, GFLOP/s, and that as a percentage of NumPy on as many threads and of the machine's peak.
A variant whose run at this size would take longer than the budget, judged by the size before, is left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack

import numpy as np

from kernels.base.machine_conditions import usable_cores
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.source import arguments
from kernels.cpu.matrix import aligned_copy, aligned_matrix
from kernels.jit.compile import Specialization, compiled
from kernels.jit.peak import peak_gflops
from kernels.jit.runner import CpuRunner
from tests.devices.cpu_settings import CPU_VARIANTS
from tests.perf.figures import Figure

SAMPLES = 5
NUMPY = "cpu.numpy"
SMALL = ("cpu.unrolled", "cpu.simd", "cpu.packed")
"""Rungs without packing are faster where there is little to be used again; which of them depends on whether n is made of vectors."""
SMALL_SIZES = (8, 16, 24, 31, 32, 48, 50, 64)
Setting = tuple[str, Mapping[str, int]]
"""A label and the parameters that differ from the defaults."""


def figures(*, quick: bool) -> list[Figure]:
    """The fastest on one thread and on all, beside NumPy on as many; small products; and what blocking gains over plain loops."""
    runner, cores, found = CpuRunner(), usable_cores(), []
    for n in (1024,) if quick else (512, 1024, 2048, 4096):
        times = _in_turn_s(runner, n, {"cpu.packed": {}, NUMPY: {"threads": 1}})
        found.append(Figure(f"cpu.packed, times NumPy, n = {n}", times[NUMPY] / times["cpu.packed"], "times", "1 thread, best, in turn"))
        ours, numpy = (_rung_s(runner, name, n, {"threads": cores}) for name in ("cpu.parallel", NUMPY))
        conditions = f"{cores} threads, best of {SAMPLES} and a first, one after the other: NumPy's threads stay awake for a while"
        found.append(Figure(f"cpu.parallel, times NumPy, n = {n}", numpy / ours, "times", conditions))
    found += [_small(n) for n in (SMALL_SIZES[-1:] if quick else SMALL_SIZES)]
    if not quick:
        naive, blocked = (_rung_s(runner, name, 1024, {}) for name in ("cpu.naive", "cpu.blocked"))
        found.append(Figure("cpu.blocked, times cpu.naive, n = 1024", naive / blocked, "times", "best, one after the other"))
    return found


def _in_turn_s(runner: CpuRunner, n: int, chosen: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """Seconds of the shortest sample of each, taken in turn for about a second each."""
    with ExitStack() as stack:
        runs, times = {}, dict.fromkeys(chosen, float("inf"))
        for name, changed in chosen.items():
            variant = by_id(name)
            case = Case(name, Problem.square(variant.operation, n), {**variant.defaults, **changed})
            runs[name] = stack.enter_context(runner.prepare(case, random_inputs(case.problem, 1), lambda: None))
        for _ in range(SAMPLES + min(int(1e11 / n**3), 100)):
            times = {name: min(times[name], run.sample(lambda: None) / 1e3) for name, run in runs.items()}
    return times


def _small(n: int) -> Figure:
    """A small product as a user calls it, from the interpreter, beside NumPy's call."""
    inputs = random_inputs(Problem.square(Operation.MATMUL, n), 1)
    A, B, C = aligned_copy(inputs["A"]), aligned_copy(inputs["B"]), aligned_matrix((n, n))
    calls: dict[str, Callable[[], object]] = {NUMPY: lambda: np.matmul(A, B, out=C)}
    for name in SMALL:
        variant = by_id(name)
        kernel, numbers = compiled(Specialization.of(variant, variant.defaults)), arguments(variant, variant.defaults)
        calls[name] = lambda kernel=kernel, numbers=numbers: kernel(A, B, C, *numbers)  # type: ignore[misc]
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(100):
        times = {name: min(times[name], _hundred_s(call)) for name, call in calls.items()}
    best = min(SMALL, key=times.__getitem__)
    return Figure(f"small, times NumPy, n = {n}", times[NUMPY] / times[best], "times", f"{best}, called by the interpreter, best, in turn")


def _hundred_s(call: Callable[[], object]) -> float:
    """Seconds of a hundred calls."""
    start = time.perf_counter()
    for _ in range(100):
        call()
    return time.perf_counter() - start


def _rung_s(runner: CpuRunner, name: str, n: int, changed: Mapping[str, int]) -> float:
    variant = by_id(name)
    return best_s(runner, Case(name, Problem.square(variant.operation, n), {**variant.defaults, **changed}))


def best_s(runner: CpuRunner, point: Case) -> float:
    """Seconds of the shortest of a few samples after a first run, which counts where it is long."""
    with runner.prepare(point, random_inputs(point.problem, 1), lambda: None) as run:
        first = run.sample(lambda: None)
        samples = SAMPLES if first < 1000 else 1 if first < 5000 else 0
        return min([first, *(run.sample(lambda: None) for _ in range(samples))]) / 1e3


def settings_of(variant: Variant, tiles: Sequence[int]) -> Iterator[Setting]:
    """What is timed of a variant: each order of loops, each tile, one thread and all."""
    if "order" in variant.defaults:
        order = variant.parameter("order")
        assert order is not None
        yield from ((order.names[value], {"order": value}) for value in order.stops)
    elif "tile" in variant.defaults and tiles:
        yield from ((str(tile), {"tile": tile}) for tile in tiles)
    elif "threads" in variant.defaults:
        yield from ((f"{threads} threads", {"threads": threads}) for threads in sorted({1, usable_cores()}))
    else:
        yield "", {}


def table(variants: Sequence[Variant], n: int, tiles: Sequence[int], budget_s: float, seconds: dict[str, tuple[int, float]]) -> None:
    """Time all variants at one size. `seconds` has the size and the time of each label's last run."""
    runner = CpuRunner()
    peaks = {threads: peak_gflops(threads).gflops for threads in {1, usable_cores()}}
    flops = Problem.square(Operation.MATMUL, n).flops
    numpy = {t: flops / best_s(runner, Case(NUMPY, Problem.square(Operation.MATMUL, n), {"threads": t})) / 1e9 for t in peaks}
    sys.stdout.write(f"n = {n}, peak {', '.join(f'{peak:.0f} GFLOP/s on {threads}' for threads, peak in sorted(peaks.items()))}\n")
    for variant in variants:
        problem = Problem.square(variant.operation, n)
        for name, changed in settings_of(variant, tiles):
            label = f"{variant.id} {name}"
            last_n, last_s = seconds.get(label, (n, 0.0))
            if last_s * (n / last_n) ** 3 > budget_s:
                sys.stdout.write(f"  {label:34} longer than {budget_s:g} s\n")
                continue
            parameters = {**variant.defaults, **changed}
            taken = best_s(runner, Case(variant.id, problem, parameters))
            seconds[label] = n, taken
            threads = parameters.get("threads", 1)
            rate = (problem.flops or problem.bytes) / taken / 1e9
            shares = f"{100 * rate / numpy[threads]:6.1f} % of NumPy {100 * rate / peaks[threads]:6.1f} % of peak" if problem.flops else ""
            sys.stdout.write(f"  {label:34} {1e3 * taken:10.2f} ms {rate:8.2f} {'GFLOP/s' if problem.flops else 'GB/s':8}{shares}\n")
            sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--n", default="128,256,512,1024,2048,4096")
    parser.add_argument("--tiles", default="")
    parser.add_argument("--budget", type=float, default=20.0)
    options = parser.parse_args()
    chosen = [v for v in CPU_VARIANTS if v.id in options.variants or not options.variants]
    tiles = [int(tile) for tile in options.tiles.split(",") if tile]
    seconds: dict[str, tuple[int, float]] = {}
    for n in map(int, options.n.split(",")):
        table(chosen, n, tiles, options.budget, seconds)


if __name__ == "__main__":
    main()
