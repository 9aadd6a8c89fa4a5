"""The CPU runner: operands, how many calls a sample times, cancelling, threads, and the conditions that it states."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernels.base.arrays import Cancelled, Matrix, never
from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.cpu.matrix import ALIGNMENT, aligned_copy, aligned_matrix
from kernels.jit.runner import CpuRun, CpuRunner
from kernels.measure.disturbance_sentences import CALLS

MATMUL = Problem(Operation.MATMUL, 24, 20, 28)


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
    with CpuRunner().prepare(Case("cpu.blocked", MATMUL, {"tile": 8}), inputs, never) as run:
        run.poison()
        assert np.isnan(run.output()).all()
        assert run.sample(never) > 0
        assert compute_reference(MATMUL, inputs, never).verify(run.output(), never).reason is None
        conditions = run.conditions()
    assert conditions["threads"] == 1
    assert conditions["alignment_bytes"] == 64
    assert {"numba", "llvmlite", "llvm_processor", "llvm_vectors"} <= set(conditions)
    assert str(conditions["llvm_loop"]).split()[0].startswith(("vadd", "add", "fadd", "fmla")), "vectors without leave to fuse"


def test_a_transposition_runs_in_one_call() -> None:
    problem = Problem(Operation.TRANSPOSE, 7, 9)
    inputs = random_inputs(problem, 1)
    with CpuRunner().prepare(Case("cpu.transpose-blocked", problem, {"tile": 4}), inputs, never) as run:
        run.poison()
        run.sample(never)
        np.testing.assert_array_equal(run.output(), inputs["A"].T)


@pytest.mark.parametrize("variant_id", ["cpu.transpose-naive", "cpu.transpose-parallel"])
def test_a_transposition_is_set_beside_copying_the_same_matrix(variant_id: str) -> None:
    problem, variant = Problem(Operation.TRANSPOSE, 32, 48), by_id(variant_id)
    inputs = random_inputs(problem, 1)
    with CpuRunner().prepare(Case(variant_id, problem, variant.defaults), inputs, never) as run:
        run.sample(never)
        assert float(run.conditions()["copy_ms"]) > 0
        np.testing.assert_array_equal(run.output(), inputs["A"].T)
    with CpuRunner().prepare(Case("cpu.naive", MATMUL, {}), random_inputs(MATMUL, 1), never) as run:
        assert "copy_ms" not in run.conditions()


def test_the_library_obeys_the_threads_and_gives_them_back() -> None:
    before = blas_threads()
    with CpuRunner().prepare(Case("cpu.numpy", MATMUL, {"threads": 1}), random_inputs(MATMUL, 1), never) as run:
        assert set(blas_threads()) <= {1}
        run.sample(never)
        conditions = run.conditions()
    assert blas_threads() == before
    assert conditions["threads"] in (1, "unknown")
    assert {"blas", "blas_version", "blas_processor", "numpy"} <= set(conditions)


def test_short_runs_are_timed_several_at_once_and_the_first_alone() -> None:
    runs: list[None] = []

    def kernel(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
        assert (len(A), B.shape, tile) == (24, (28, 20), 8)
        runs.append(None)

    run = CpuRun(kernel, {**random_inputs(MATMUL, 1), "C": aligned_matrix((24, 20))}, (8,), {})
    run.sample(never)
    assert len(runs) == 1, "what is verified is one run exactly"
    assert run.conditions()[CALLS] == 1
    run.sample(never)
    calls = run.conditions()[CALLS]
    assert isinstance(calls, int)
    assert calls > 10, "a call of some microseconds is too short for the clock"
    before = len(runs)
    run.sample(never)
    assert len(runs) == before + 1 + calls, "and one before them that is not timed"


def test_a_long_run_is_timed_alone() -> None:
    run = CpuRun(lambda *_: time.sleep(0.015), {**random_inputs(MATMUL, 1), "C": aligned_matrix((24, 20))}, (), {})
    assert min(run.sample(never) for _ in range(3)) >= 15
    assert run.conditions()[CALLS] == 1


def test_what_a_compiled_kernel_raises_is_raised() -> None:
    import numba

    def beyond(A: Matrix, C: Matrix) -> None:
        C[0, 0] = A[99, 0]

    kernel = numba.njit("void(float32[:, ::1], float32[:, ::1])", boundscheck=True)(beyond)
    run = CpuRun(kernel, {"A": aligned_matrix((2, 2)), "C": aligned_matrix((2, 2))}, (), {})
    with pytest.raises(IndexError):
        run.sample(never)


def test_compiling_can_be_cancelled() -> None:
    def cancel() -> None:
        raise Cancelled

    with (
        pytest.raises(Cancelled),
        CpuRunner().prepare(Case("cpu.naive", MATMUL, {}), random_inputs(MATMUL, 1), cancel),
    ):
        pass


def test_with_a_cache_directory_kernels_are_kept(tmp_path: Path) -> None:
    runner = CpuRunner(tmp_path / "cache")
    try:
        problem = Problem(Operation.TRANSPOSE, 3, 2)
        for _ in range(2):
            with runner.prepare(Case("cpu.transpose-naive", problem, {}), random_inputs(problem, 1), never) as run:
                run.sample(never)
        assert len(set((tmp_path / "cache").rglob("*.nbc"))) == 1
    finally:
        CpuRunner()
