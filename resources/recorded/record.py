"""Record the GPU variants on the GPU of this machine: `python resources/recorded/record.py OUTPUT_FOLDER NAME`, from the repository's root.

Writes NAME.json, a sweep over sizes and tiles, and odd_sizes/NAME.json, sizes that no tile divides. Takes about two minutes
on an H200. The exit status is 1 where a point is wrong or fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from app import __version__
from kernels.catalog import of
from kernels.gpu.detect import probe_gpu
from kernels.gpu.runner import GpuRunner
from kernels.measure.environment import free_memory_bytes, machine_conditions
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.recorded import recorded_text
from kernels.measure.results import Point, Result, Status
from kernels.measure.sampler import Bench, Phase
from kernels.measure.sweep import plan, run_sweep
from kernels.reference import ReferenceCache
from kernels.spec import Device, Operation, Problem

TILES = (4, 8, 16, 32, 64)
ODD_TILES = (1, 3, 16, 32)
ODD_SIZES = (
    (1, 1, 1), (1, 33, 65), (33, 1, 129), (129, 65, 1), (17, 17, 17),
    (31, 33, 32), (33, 65, 129), (257, 100, 63), (1000, 1001, 999), (5, 7, 0),
)  # fmt: skip
"""m, n and k."""


class Recorder:
    """Keeps results and prints them as they come."""

    def __init__(self) -> None:
        self.results: list[Result] = []

    def append(self, result: Result) -> None:
        point = result.point
        rate = "" if result.rate is None else f"{result.rate:10.1f}"
        shape = f"{point.problem.m} x {point.problem.n} x {point.problem.k}"
        sys.stdout.write(f"{point.variant_id:22} {shape:20} {dict(point.parameters)} {result.status} {rate} {result.reason or ''}\n")
        sys.stdout.flush()
        self.results.append(result)

    def started(self, point: Point, seconds_left: float) -> None:
        """Nothing is shown before a point ends."""

    def finished(self, result: Result) -> None:
        """Shown when it is kept."""

    def entered(self, point: Point, phase: Phase) -> None:
        """Phases are not shown."""

    def sampled(self, point: Point, taken: int, at_most: int) -> None:
        """Samples are not shown."""


def record(problems: Iterable[Problem], tiles: tuple[int, ...], bench: Bench) -> list[Result]:
    """Measure every GPU variant on the problems of its operation, with each tile."""
    recorder = Recorder()
    wanted = tuple(problems)
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        variants = [(variant.id, variant.defaults) for variant in of(operation) if variant.device is Device.GPU]
        points = plan(variants, [problem for problem in wanted if problem.operation is operation], tiles)
        run_sweep(points, bench, recorder, lambda: None, recorder)
    return recorder.results


def bench_for(protocol: Protocol) -> Bench:
    """The bench on this machine's GPU; ends the program where there is none."""
    status = probe_gpu()
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    gpu = {"gpu": status.name, **status.details, "nvidia_driver": nvidia_driver()}
    conditions = machine_conditions(__version__) | gpu
    return Bench(GpuRunner(status), status.limits, protocol, ReferenceCache(protocol.seed), Estimator(), conditions, free_memory_bytes())


def nvidia_driver() -> str:
    """The driver's own version, which CUDA does not tell."""
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    return subprocess.run(query, capture_output=True, text=True, timeout=30, check=True).stdout.strip()


def odd_problems() -> Iterable[Problem]:
    for m, n, k in ODD_SIZES:
        yield Problem(Operation.MATMUL, m, n, k)
        if k:
            yield Problem(Operation.TRANSPOSE, m, n)


def main() -> int:
    parser = argparse.ArgumentParser(description="Record the GPU variants on this machine's GPU.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--largest", type=int, default=8192, help="largest n of the sweep")
    arguments = parser.parse_args()
    sizes = [128 << doubling for doubling in range(20) if 128 << doubling <= arguments.largest]
    squares = [Problem.square(operation, n) for n in sizes for operation in (Operation.MATMUL, Operation.TRANSPOSE)]
    once = Protocol(warm_ups=0, min_samples=1, max_samples=1)
    outcomes = {
        f"odd_sizes/{arguments.name}.json": record(odd_problems(), ODD_TILES, bench_for(once)),
        f"{arguments.name}.json": record(squares, TILES, bench_for(Protocol(min_samples=10))),
    }
    for name, results in outcomes.items():
        (arguments.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (arguments.folder / name).write_text(recorded_text(results), encoding="utf-8")
    return any(result.status in (Status.WRONG, Status.FAILED) for results in outcomes.values() for result in results)


if __name__ == "__main__":
    sys.exit(main())
