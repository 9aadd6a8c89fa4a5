"""Record where the time of one use of this machine's GPU goes: `python packaging/recording/record_uses.py OUTPUT_FOLDER NAME`.

Writes NAME.json, the parts, each use in a process of its own, and NAME.cpu.json, the processor's times on the same problems, which
they are compared with. Takes about seven minutes on an H200. The exit status is 1 where something fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app import __version__
from kernels.base.arrays import never
from kernels.base.devices import DeviceStatus
from kernels.base.limits import Limits, refuse
from kernels.base.machine_conditions import free_memory_bytes, machine_conditions, usable_cores
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import find
from kernels.gpu.process import measure_use, probe_gpu
from kernels.jit.runner import CpuRunner
from kernels.measure.disturbance_watch import Watch
from kernels.measure.estimate import Estimator
from kernels.measure.gpu_use_times import UseTimes, uses_text
from kernels.measure.protocol import Protocol
from kernels.measure.recording_file import recorded_text
from kernels.measure.results import Result
from kernels.measure.runner import RunFailed
from kernels.measure.sampler import Sampler, Unobserved
from kernels.measure.sweep import Bench, measure_point

GPU = ("gpu.naive", "gpu.tiled", "gpu.fastest", "gpu.cublas", "gpu.transpose-padded")
CPU = ("cpu.numpy", "cpu.transpose-simd", "cpu.transpose-parallel")
"""The fastest of the processor."""
LARGEST_PRODUCT = 8192
"""The largest n of multiplications on the processor: beyond it the float64 reference takes minutes."""


def say(point: Case, *words: object) -> None:
    sys.stdout.write(" ".join(map(str, (f"{point.variant_id:22} {point.problem.n:6}", *words))) + "\n")
    sys.stdout.flush()


def record_uses(points: Sequence[Case], status: DeviceStatus, path: Path) -> bool:
    """Each point with pageable and with pinned memory, written as they come; whether all went well."""
    machine, well = machine_conditions(__version__), True
    uses: list[UseTimes] = []
    for point in points:
        for pinned in (False, True):
            try:
                use = measure_use(status, point, never, pinned=pinned)
            except RunFailed as failed:
                say(point, failed.reason)
                well = False
                continue
            uses.append(replace(use, conditions={**machine, **use.conditions}))
            path.write_text(uses_text(uses), encoding="utf-8")
            times = (f"{part} {use.first_ms(part):.3f}/{use.later_ms(part):.3f}" for part in use.times_ms)
            say(point, "pinned  " if pinned else "pageable", *times)
    return well


def record_cpu(points: Sequence[Case]) -> list[Result]:
    """Every point on all cores."""
    protocol, results = Protocol(budget_s=20.0), []
    conditions = machine_conditions(__version__)
    bench = Bench(Sampler(CpuRunner(), Watch()), Limits(), protocol, Estimator(), conditions, free_memory_bytes())
    for point in points:
        results.append(measure_point(point, bench, never, Unobserved()))
        say(point, results[-1].status, results[-1].median_ms, results[-1].reason or "")
    return results


def points_of(names: Sequence[str], sizes: Sequence[int]) -> list[Case]:
    """The variants with their defaults, those with threads on all cores, at each size that they can do."""
    variants = [variant for name in names if (variant := find(name)) is not None]
    points = [Case(variant.id, Problem.square(variant.operation, n), _parameters(variant)) for n in sizes for variant in variants]
    return [point for point in points if refuse(point.variant, point.problem, point.parameters, Limits()) is None]


def _parameters(variant: Variant) -> dict[str, int]:
    return variant.defaults | ({"threads": usable_cores()} if "threads" in variant.defaults else {})


def main() -> int:
    parser = argparse.ArgumentParser(description="Record the parts of one use of this machine's GPU.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--largest", type=int, default=16384, help="largest n")
    parser.add_argument("--variants", nargs="+", default=GPU, help="variants of the GPU")
    arguments = parser.parse_args()
    sizes = [128 << doubling for doubling in range(20) if 128 << doubling <= arguments.largest]
    status = probe_gpu()
    if not status.ready:
        sys.exit(f"{status.reason} {status.remedy}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    well = record_uses(points_of(arguments.variants, sizes), status, arguments.folder / f"{arguments.name}.json")
    cpu = points_of(CPU, sizes)
    results = record_cpu([p for p in cpu if p.problem.operation is not Operation.MATMUL or p.problem.n <= LARGEST_PRODUCT])
    (arguments.folder / f"{arguments.name}.cpu.json").write_text(recorded_text(results), encoding="utf-8")
    return 0 if well and all(result.verified for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
