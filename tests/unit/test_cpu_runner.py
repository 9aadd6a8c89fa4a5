"""The CPU runner: operands, panels, cancelling, threads, and the conditions that it states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernels.catalog import find
from kernels.cpu.matrix import ALIGNMENT, aligned_copy, aligned_matrix
from kernels.cpu.runner import CpuRun, CpuRunner, Panels
from kernels.cpu.source import kernel_function
from kernels.measure.results import Point
from kernels.measure.runner import Cancelled, Matrix
from kernels.reference import compute_reference, random_inputs
from kernels.spec import Operation, Problem

MATMUL = Problem(Operation.MATMUL, 24, 20, 28)


def never() -> None:
    """Nobody cancels."""


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (64, 64)])
def test_operands_start_at_a_cache_line(shape: tuple[int, int]) -> None:
    for _ in range(5):
        matrix = aligned_matrix(shape)
        assert matrix.shape == shape
        assert matrix.ctypes.data % ALIGNMENT == 0
        assert matrix.flags.c_contiguous
        assert matrix.flags.writeable


def test_an_aligned_copy_is_a_copy() -> None:
    original = np.arange(6, dtype=np.float32).reshape(2, 3)
    copy = aligned_copy(original)
    original[0, 0] = 9
    np.testing.assert_array_equal(copy, [[0, 1, 2], [3, 4, 5]])


def test_a_run_is_timed_right_and_says_how() -> None:
    inputs = random_inputs(MATMUL, 1)
    inputs["A"].flags.writeable = False
    with CpuRunner().prepare(Point("cpu.blocked", MATMUL, {"tile": 8}), inputs, never) as run:
        run.poison()
        assert np.isnan(run.output()).all()
        assert run.sample(never) > 0
        assert compute_reference(MATMUL, inputs, never).verify(run.output(), never).reason is None
        conditions = run.conditions()
    assert conditions["threads"] == 1
    assert conditions["rows_per_call"] == 24
    assert conditions["alignment_bytes"] == 64
    assert {"numba", "llvmlite", "llvm_processor", "llvm_vectors"} <= set(conditions)
    assert str(conditions["llvm_loop"]).split()[0].startswith(("vadd", "add", "fadd", "fmla")), "vectors without leave to fuse"


def test_a_transposition_runs_in_one_call() -> None:
    problem = Problem(Operation.TRANSPOSE, 7, 9)
    inputs = random_inputs(problem, 1)
    with CpuRunner().prepare(Point("cpu.transpose-blocked", problem, {"tile": 4}), inputs, never) as run:
        run.poison()
        run.sample(never)
        np.testing.assert_array_equal(run.output(), inputs["A"].T)


@pytest.mark.parametrize("variant_id", ["cpu.transpose-naive", "cpu.transpose-parallel"])
def test_a_transposition_is_set_beside_copying_the_same_matrix(variant_id: str) -> None:
    problem, variant = Problem(Operation.TRANSPOSE, 32, 48), find(variant_id)
    assert variant is not None
    inputs = random_inputs(problem, 1)
    with CpuRunner().prepare(Point(variant_id, problem, variant.defaults), inputs, never) as run:
        run.sample(never)
        assert float(run.conditions()["copy_ms"]) > 0
        np.testing.assert_array_equal(run.output(), inputs["A"].T)
    with CpuRunner().prepare(Point("cpu.naive", MATMUL, {}), random_inputs(MATMUL, 1), never) as run:
        assert "copy_ms" not in run.conditions()


def test_the_library_obeys_the_threads_and_gives_them_back() -> None:
    before = blas_threads()
    with CpuRunner().prepare(Point("cpu.numpy", MATMUL, {"threads": 1}), random_inputs(MATMUL, 1), never) as run:
        assert set(blas_threads()) <= {1}
        run.sample(never)
        conditions = run.conditions()
    assert blas_threads() == before
    assert conditions["threads"] in (1, "unknown")
    assert {"blas", "blas_version", "blas_processor", "numpy"} <= set(conditions)
    assert conditions["rows_per_call"] == 24


def test_a_long_run_is_cut_and_asks_between_the_panels() -> None:
    calls: list[int] = []
    asked: list[None] = []

    def kernel(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
        assert (B.shape, tile) == ((28, 20), 8)
        assert len(A) == len(C)
        calls.append(len(A))

    operands = {**random_inputs(MATMUL, 1), "C": aligned_matrix((24, 20))}
    run = CpuRun(kernel, operands, (8,), Panels(granule=8, expected_ms=1000.0), {})
    run.sample(lambda: asked.append(None))
    assert calls == [8, 8, 8]
    assert len(asked) == 3
    assert run.conditions()["rows_per_call"] == 8
    run.sample(never)
    assert calls[3:] == [24], "the first sample has shown that the whole is quick"


def test_a_long_run_can_be_cancelled_in_the_middle() -> None:
    asked: list[None] = []

    def cancel_at_the_second() -> None:
        asked.append(None)
        if len(asked) == 2:
            raise Cancelled

    operands = {**random_inputs(MATMUL, 1), "C": np.full((24, 20), np.nan, np.float32)}
    kernel = kernel_function(Point("cpu.loop-order", MATMUL, {}).variant)
    run = CpuRun(kernel, operands, (), Panels(granule=1, expected_ms=3000.0), {})
    with pytest.raises(Cancelled):
        run.sample(cancel_at_the_second)
    assert np.isfinite(run.output()[:2]).all()
    assert np.isnan(run.output()[2:]).all()


@pytest.mark.parametrize(("order", "rows"), [(0, 1), (1, 1), (2, 24), (5, 24)])
def test_a_run_is_cut_only_where_its_outermost_loop_goes_over_rows(order: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.cpu.runner.SLOWEST_GFLOPS", 1e-9)
    inputs = random_inputs(MATMUL, 1)
    with CpuRunner().prepare(Point("cpu.loop-order", MATMUL, {"order": order}), inputs, never) as run:
        run.sample(never)
        assert run.conditions()["rows_per_call"] == rows
        assert compute_reference(MATMUL, inputs, never).verify(run.output(), never).reason is None


def test_compiling_can_be_cancelled() -> None:
    def cancel() -> None:
        raise Cancelled

    with (
        pytest.raises(Cancelled),
        CpuRunner().prepare(Point("cpu.naive", MATMUL, {}), random_inputs(MATMUL, 1), cancel),
    ):
        pass


def test_with_a_cache_directory_kernels_are_kept(tmp_path: Path) -> None:
    runner = CpuRunner(tmp_path / "cache")
    try:
        problem = Problem(Operation.TRANSPOSE, 3, 2)
        for _ in range(2):
            with runner.prepare(Point("cpu.transpose-naive", problem, {}), random_inputs(problem, 1), never) as run:
                run.sample(never)
        assert len(set((tmp_path / "cache").rglob("*.nbc"))) == 1
    finally:
        CpuRunner()
