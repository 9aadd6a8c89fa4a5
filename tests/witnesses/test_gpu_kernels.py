"""Every GPU variant on a real GPU against float64, at sizes that no tile divides. Skipped where no GPU is ready."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing

import numpy as np
import pytest

from kernels.base.arrays import Cancelled
from kernels.base.devices import DeviceStatus
from kernels.base.limits import refuse_matrices
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Operation, Output, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import VARIANTS
from kernels.gpu.process import GpuProcess
from kernels.gpu.runner import GpuRunner
from kernels.measure.runner import RunFailed
from tests.launches.gpu_settings import settings

GPU = [variant for variant in VARIANTS if variant.device is Device.GPU and variant.operation is not Operation.HELLO]
SHAPES = ((1, 1, 1), (1, 33, 65), (33, 1, 129), (17, 17, 17), (33, 65, 129), (257, 100, 63))


@pytest.fixture(scope="module")
def process() -> Iterator[GpuProcess]:
    with closing(GpuProcess()) as made:
        yield made


@pytest.fixture(scope="module")
def status(process: GpuProcess) -> DeviceStatus:
    found = process.status()
    if not found.ready:
        pytest.skip(str(found.reason))
    return found


@pytest.fixture(scope="module")
def runner(status: DeviceStatus, process: GpuProcess) -> GpuRunner:
    return GpuRunner(status, process)


def check() -> None:
    """Nobody cancels."""


@pytest.mark.parametrize(
    ("variant", "setting"),
    [(variant, setting) for variant in GPU for setting in settings(variant)],
    ids=lambda value: getattr(value, "id", str(value)),
)
def test_the_output_is_right(runner: GpuRunner, variant: Variant, setting: Mapping[str, int]) -> None:
    for shape in SHAPES:
        problem = Problem.of(variant.operation, *shape)
        if refuse_matrices(variant, problem) is not None:
            continue
        references = ReferenceCache(5)
        reference = references.reference(problem, check, variant.output).judging(variant, problem, setting)
        with runner.prepare(Case(variant.id, problem, setting), references.inputs(problem), check) as run:
            for _ in range(2):
                run.poison()
                assert variant.output is Output.IN_PLACE or np.isnan(run.output()).all()
                assert run.sample(check) > 0
                assert variant.output is Output.IN_PLACE or reference.verify(run.output(), check).reason is None


def test_in_place_the_matrix_is_turned_where_it_lies(runner: GpuRunner) -> None:
    problem = Problem.square(Operation.TRANSPOSE, 100)
    references = ReferenceCache(5)
    A = references.inputs(problem)["A"]
    with runner.prepare(Case("gpu.transpose-in-place", problem, {"tile": 32, "rows": 8}), {"A": A}, check) as run:
        run.poison()
        assert (run.output() == A).all()
        run.sample(check)
        assert (run.output() == A.T).all()


def test_memory_is_given_back(runner: GpuRunner) -> None:
    import cupy

    problem = Problem.square(Operation.TRANSPOSE, 4096)
    point = Case("gpu.transpose-global", problem, {"tile": 16, "rows": 0})
    inputs = ReferenceCache(0).inputs(problem)
    before, _ = cupy.cuda.Device().mem_info
    for _ in range(3):
        with runner.prepare(point, inputs, check) as run:
            run.sample(check)
            assert before - cupy.cuda.Device().mem_info[0] >= problem.bytes
        assert cupy.cuda.Device().mem_info[0] >= before - (4 << 20)


def test_matrices_larger_than_the_free_memory_are_refused_in_words(runner: GpuRunner) -> None:
    point = Case("gpu.transpose-global", Problem.square(Operation.TRANSPOSE, 1 << 20), {"tile": 16, "rows": 0})
    with pytest.raises(RunFailed, match="GiB are free"), runner.prepare(point, {}, check):
        pass


def test_a_launch_that_the_gpu_refuses_is_told_in_words(runner: GpuRunner) -> None:
    problem = Problem.square(Operation.TRANSPOSE, 64)
    point = Case("gpu.transpose-global", problem, {"tile": 64, "rows": 0})
    with (
        runner.prepare(point, ReferenceCache(0).inputs(problem), check) as run,
        pytest.raises(RunFailed, match="number of blocks or threads"),
    ):
        run.sample(check)


def test_a_cancelled_run_ends_before_it_launches(runner: GpuRunner) -> None:
    def cancelled() -> None:
        raise Cancelled

    problem = Problem.square(Operation.TRANSPOSE, 64)
    point = Case("gpu.transpose-global", problem, {"tile": 16, "rows": 0})
    with runner.prepare(point, ReferenceCache(0).inputs(problem), check) as run:
        run.poison()
        with pytest.raises(Cancelled):
            run.sample(cancelled)
        assert np.isnan(run.output()).all()


def test_the_conditions_tell_what_the_compiler_and_the_launch_were(runner: GpuRunner, status: DeviceStatus) -> None:
    problem = Problem.square(Operation.MATMUL, 100)
    with runner.prepare(Case("gpu.tiled", problem, {"tile": 16}), ReferenceCache(0).inputs(problem), check) as run:
        for _ in range(2):  # how many launches a sample times is known after the second
            run.sample(check)
        conditions = run.conditions()
    assert conditions["gpu"] == status.name
    assert conditions["grid"] == "7 × 7"
    assert conditions["block"] == "16 × 16"
    assert conditions["shared_bytes"] == 2 * 16 * 16 * 4
    assert int(conditions["registers"]) > 0
    assert int(conditions["launches_per_sample"]) > 1
