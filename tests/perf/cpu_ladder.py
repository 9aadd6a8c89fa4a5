"""Times the CPU ladder at n = 1024 in one run: `python tests/perf/cpu_ladder.py [n]`. Best of the samples, one thread each."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from kernels.catalog import VARIANTS
from kernels.cpu.runner import CpuRunner
from kernels.measure.results import Point
from kernels.reference import random_inputs
from kernels.spec import Device, Operation, Problem

SAMPLES = 5
TILES = (16, 32, 64, 128, 256)


def best_ms(runner: CpuRunner, variant_id: str, problem: Problem, parameters: Mapping[str, int]) -> float:
    """The shortest of a few samples after a first run; of two where a run takes longer than a second."""
    with runner.prepare(Point(variant_id, problem, parameters), random_inputs(problem, 1), lambda: None) as run:
        first = run.sample(lambda: None)
        return min(run.sample(lambda: None) for _ in range(SAMPLES if first < 1000 else 2))


def main(n: int) -> None:
    runner = CpuRunner()
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        problem = Problem.square(operation, n)
        slowest = 0.0
        for variant in VARIANTS:
            if variant.device is not Device.CPU or variant.operation is not operation:
                continue
            for tile in TILES if "tile" in variant.defaults else (0,):
                parameters = {name: tile if name == "tile" else 1 for name in variant.defaults}
                ms = best_ms(runner, variant.id, problem, parameters)
                slowest = slowest or ms
                rate = (problem.flops or problem.bytes) / ms / 1e6
                unit = "GFLOP/s" if problem.flops else "GB/s"
                label = f"{variant.id} {tile}" if tile else variant.id
                sys.stdout.write(f"{label:26} {ms:9.1f} ms {rate:7.2f} {unit:8} {slowest / ms:6.1f} x naive\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1024)
