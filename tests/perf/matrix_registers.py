"""Judges and times `cpu.amx` on a processor that has AMX: `python -m tests.perf.matrix_registers [--n 512,1024] [--kc 256,512,1024]`.

First every product is compared with float64 at odd sizes and at the edges of a register, and with what NumPy makes of the same text, bit by
bit. Then a table: the best of a few samples beside NumPy's float32 product on one thread. The status is 1 where a product is wrong.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.cpu.matmul_amx import multiply
from kernels.jit.detect import refuse_matrix_registers
from kernels.jit.runner import CpuRunner
from tests.perf.cpu_ladder import NUMPY, best_s

SHAPES = [(1, 1, 1), (16, 16, 32), (17, 33, 31), (32, 32, 64), (65, 17, 100), (100, 1000, 333), (1, 1000, 7), (3, 5, 0), (511, 513, 1025)]
EMULATED = 1 << 21
"""The most products that NumPy computes as the instruction does."""


def wrong(runner: CpuRunner, variant: Variant, shape: tuple[int, int, int], kc: int) -> str:
    """What is wrong with a product; empty where nothing is."""
    problem = Problem.of(Operation.MATMUL, *shape)
    parameters = {**variant.defaults, "mc": 64, "kc": kc, "nc": 96}
    inputs = random_inputs(problem, 1)
    with runner.prepare(Case(variant.id, problem, parameters), inputs, lambda: None) as run:
        run.poison()
        run.sample(lambda: None)
        output = run.output().copy()
    reason = compute_reference(problem, inputs, lambda: None).judging(variant, problem, parameters).verify(output, lambda: None).reason
    if reason is not None:
        return str(reason)
    if np.prod(shape) <= EMULATED:
        emulated = np.full_like(output, np.nan)
        multiply(**inputs, C=emulated, mc=64, kc=kc, nc=96)
        if not np.array_equal(output, emulated):
            return f"{(output != emulated).sum()} elements are not those of the emulation, by at most {np.abs(output - emulated).max():.1e}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", default="512,1000,1024,2000,2048,3000,4096")
    parser.add_argument("--kc", default="256,512,1024,2048")
    options = parser.parse_args()
    reason = refuse_matrix_registers()
    if reason is not None:
        sys.stdout.write(f"{reason}\n")
        return 2
    variant, runner, failed = by_id("cpu.amx"), CpuRunner(), False
    for shape in SHAPES:
        for kc in (32, 96):
            text = wrong(runner, variant, shape, kc)
            failed |= bool(text)
            sys.stdout.write(f"{shape}, kc = {kc}: {text or 'right'}\n")
    for n in map(int, options.n.split(",")):
        problem = Problem.square(Operation.MATMUL, n)
        numpy = best_s(runner, Case(NUMPY, problem, {"threads": 1}))
        for kc in map(int, options.kc.split(",")):
            taken = best_s(runner, Case(variant.id, problem, {**variant.defaults, "kc": kc}))
            rates = f"{problem.flops / taken / 1e9:8.0f} GFLOP/s, NumPy {problem.flops / numpy / 1e9:8.0f}"
            sys.stdout.write(f"n = {n:5}, kc = {kc:5}: {1e3 * taken:9.3f} ms, {rates}: {numpy / taken:5.2f} times\n")
            sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
