"""Record the GPU variants on the GPU of this machine: `python resources/recorded/record.py OUTPUT_FOLDER NAME`, from the repository's root.

Writes NAME.json, a sweep over sizes and settings, and odd_sizes/NAME.json, sizes that no tile divides. Takes about three minutes
on an H200. The exit status is 1 where a point is wrong or fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from app import __version__
from kernels.catalog import of
from kernels.gpu.detect import probe_gpu
from kernels.gpu.runner import GpuRunner
from kernels.limits import Limits, refuse
from kernels.measure.environment import free_memory_bytes, machine_conditions
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.recorded import recorded_text
from kernels.measure.results import Point, Result, Status
from kernels.measure.sampler import Bench, Phase
from kernels.measure.sweep import plan, run_sweep
from kernels.reference import ReferenceCache
from kernels.spec import Device, Operation, Problem, Variant

EXPLORED_TILE = 32
"""The tile at which block heights and paddings other than the default are recorded."""
LARGEST_EXPLORED = 2048
"""The largest n of block heights other than the default."""
ODD_VALUES = {"tile": (1, 3, 16, 32, 64, 96, 128), "rows": (0, 8), "padding": (0, 1, 2), "results": (4, 8)}
ODD_SIZES = (
    (1, 1, 1), (1, 33, 65), (33, 1, 129), (129, 65, 1), (17, 17, 17),
    (31, 33, 32), (33, 65, 129), (257, 100, 63), (1000, 1001, 999), (5, 7, 0),
)  # fmt: skip
"""m, n and k."""
BUDGET_S = 8.0
"""A point whose samples would take longer is run once."""


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


def record(points: Sequence[Point], bench: Bench) -> list[Result]:
    """Measure the points in order."""
    recorder = Recorder()
    run_sweep(points, bench, recorder, lambda: None, recorder)
    return recorder.results


def sweep_points(largest: int) -> list[Point]:
    """Every GPU variant with the settings that are offered, on square matrices."""
    sizes = [128 << doubling for doubling in range(20) if 128 << doubling <= largest]
    points: list[Point] = []
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        choices = [(variant.id, setting) for variant in _gpu_variants(operation) for setting in _offered(variant)]
        points += plan(choices, [Problem.square(operation, n) for n in sizes])
    return [point for point in points if not _explores(point) or point.problem.n <= LARGEST_EXPLORED]


def odd_points() -> list[Point]:
    """Every GPU variant that is not refused, at sizes that no tile divides."""
    points: list[Point] = []
    for operation in (Operation.MATMUL, Operation.TRANSPOSE):
        problems = [Problem.of(operation, m, n, k) for m, n, k in ODD_SIZES if k or operation is Operation.MATMUL]
        variants = _gpu_variants(operation)
        choices = [(variant.id, setting) for variant in variants for setting in _combinations(variant, ODD_VALUES)]
        points += [p for p in plan(choices, problems) if refuse(p.variant, p.problem, p.parameters, Limits()) is None]
    return points


def _explores(point: Point) -> bool:
    """Whether the blocks are of another height than the default."""
    return "rows" in point.parameters and point.parameters["rows"] != point.variant.defaults["rows"]


def _gpu_variants(operation: Operation) -> list[Variant]:
    return [variant for variant in of(operation) if variant.device is Device.GPU]


def _offered(variant: Variant) -> list[dict[str, int]]:
    """Every combination of stops; block heights and paddings other than the default only at one tile."""
    explored = {name: default for name, default in variant.defaults.items() if name in ("rows", "padding")}
    combinations = _combinations(variant, {parameter.name: parameter.stops for parameter in variant.parameters})
    return [setting for setting in combinations if setting.items() >= explored.items() or setting["tile"] == EXPLORED_TILE]


def _combinations(variant: Variant, values: Mapping[str, Sequence[int]]) -> list[dict[str, int]]:
    names = list(variant.defaults)
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*(values[name] for name in names))]


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


def main() -> int:
    parser = argparse.ArgumentParser(description="Record the GPU variants on this machine's GPU.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--largest", type=int, default=8192, help="largest n of the sweep")
    arguments = parser.parse_args()
    once = Protocol(warm_ups=0, min_samples=1, max_samples=1)
    outcomes = {
        f"odd_sizes/{arguments.name}.json": record(odd_points(), bench_for(once)),
        f"{arguments.name}.json": record(sweep_points(arguments.largest), bench_for(Protocol(min_samples=10, budget_s=BUDGET_S))),
    }
    for name, results in outcomes.items():
        (arguments.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (arguments.folder / name).write_text(recorded_text(results), encoding="utf-8")
    return any(result.status in (Status.WRONG, Status.FAILED) for results in outcomes.values() for result in results)


if __name__ == "__main__":
    sys.exit(main())
