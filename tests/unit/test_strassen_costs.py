"""What Strassen's multiplication saves and costs is what its kernel really does."""

from __future__ import annotations

import weakref

import numpy as np
import numpy.typing as npt
import pytest

from kernels.base.arrays import never
from kernels.base.reference import LONGEST_SUM, UNIT_ROUNDOFF, compute_reference, random_inputs, refuse_verification
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.strassen_costs import costs, error_growth, extra_memory_bytes, levels, multiplications, remark
from kernels.cpu import matmul_divide_and_conquer, matmul_packed, matmul_strassen
from kernels.cpu.matrix import Matrix, aligned_matrix
from kernels.jit.runner import CpuRunner
from tests.devices.poisoned_output import poisoned_output

Exact = npt.NDArray[np.float64]
SHAPES = [(64, 64, 64), (65, 70, 95), (40, 200, 64), (16, 16, 16), (33, 130, 129)]


def multiply(problem: Problem, crossover: int, seed: int = 1) -> tuple[dict[str, Matrix], Matrix]:
    """Inputs and output of the kernel as plain Python."""
    inputs, output = random_inputs(problem, seed), poisoned_output(problem)
    matmul_strassen.multiply(inputs["A"], inputs["B"], output, crossover)
    return inputs, output


@pytest.mark.parametrize(
    ("side", "crossover", "expected"), [(64, 64, 0), (127, 64, 0), (128, 64, 1), (4096, 512, 3), (1, 1, 0), (0, 32, 0)]
)
def test_sides_are_halved_down_to_the_crossover_size(side: int, crossover: int, expected: int) -> None:
    problem = Problem(Operation.MATMUL, 5000, side, 6000)
    assert levels(problem, {"crossover": crossover}) == expected


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("crossover", [8, 16, 1000])
def test_the_extra_memory_is_what_is_allocated(shape: tuple[int, int, int], crossover: int, monkeypatch: pytest.MonkeyPatch) -> None:
    live = most = 0

    def release(size: int) -> None:
        nonlocal live
        live -= size

    def panel(rows: int, columns: int) -> Matrix:
        nonlocal live, most
        memory = aligned_matrix((rows, columns))
        live += memory.nbytes
        most = max(most, live)
        weakref.finalize(memory.base, release, memory.nbytes)  # a view keeps only its memory
        return memory

    monkeypatch.setattr(matmul_strassen, "panel", panel)
    problem = Problem(Operation.MATMUL, *shape)
    multiply(problem, crossover)
    assert most == extra_memory_bytes(problem, {"crossover": crossover})
    assert live == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("crossover", [8, 16, 1000])
def test_the_multiplications_are_those_that_are_done(shape: tuple[int, int, int], crossover: int, monkeypatch: pytest.MonkeyPatch) -> None:
    done = 0
    packed, rest = matmul_packed.multiply, matmul_divide_and_conquer.add_product

    def counted_packed(A: Matrix, B: Matrix, C: Matrix, mc: int, kc: int, nc: int) -> None:
        nonlocal done
        done += len(A) * B.shape[0] * B.shape[1]
        packed(A, B, C, mc, kc, nc)

    def counted_rest(A: Matrix, B: Matrix, C: Matrix, tile: int) -> None:
        nonlocal done
        done += len(A) * B.shape[0] * B.shape[1]
        rest(A, B, C, tile)

    monkeypatch.setattr(matmul_strassen, "multiply_packed", counted_packed)
    monkeypatch.setattr(matmul_strassen, "add_product", counted_rest)
    problem = Problem(Operation.MATMUL, *shape)
    multiply(problem, crossover)
    assert done == multiplications(problem, {"crossover": crossover})


def test_each_level_of_whole_blocks_saves_an_eighth_and_takes_a_quarter_of_the_memory() -> None:
    problem = Problem.square(Operation.MATMUL, 1024)
    assert [multiplications(problem, {"crossover": size}) / 1024**3 for size in (1024, 512, 256)] == [1, 7 / 8, 49 / 64]
    assert [extra_memory_bytes(problem, {"crossover": size}) / problem.bytes for size in (1024, 512, 256)] == [0, 1 / 4, 5 / 16]


@pytest.mark.parametrize("crossover", [2, 4, 8, 16, 32])
@pytest.mark.parametrize("seed", range(3))
def test_the_error_grows_with_the_levels_and_stays_within_the_bound(crossover: int, seed: int) -> None:
    problem = Problem.square(Operation.MATMUL, 64)
    inputs, output = multiply(problem, crossover, seed)
    reference = compute_reference(problem, inputs, never)
    verdict = reference.allowing(error_growth(problem, {"crossover": crossover})).verify(output, never)
    assert verdict.reason is None
    _, ordinary = multiply(problem, 64, seed)
    assert np.abs(output - reference.expected).max() > np.abs(ordinary - reference.expected).max()


@pytest.mark.parametrize("crossover", [32, 64, 128])
@pytest.mark.parametrize("seed", range(3))
def test_the_allowed_error_covers_what_the_norms_of_the_inputs_can_cause(crossover: int, seed: int) -> None:
    """Against the same bound with the norms that the sums of blocks really have, in place of those that they have on average."""
    problem = Problem.square(Operation.MATMUL, 256)
    inputs = random_inputs(problem, seed)
    depth = levels(problem, {"crossover": crossover})
    worst = worst_error(inputs["A"].astype(np.float64), inputs["B"].astype(np.float64), depth)
    reference = compute_reference(problem, inputs, never).allowing(error_growth(problem, {"crossover": crossover}))
    assert worst <= reference.allowed_error * reference.scale.max()


def worst_error(A: Exact, B: Exact, depth: int) -> float:
    """The largest error that any element may have to first order, without the roundings of the additions."""
    if depth == 0:
        norms = np.linalg.norm(A, axis=1).max() * np.linalg.norm(B, axis=0).max()
        return float(A.shape[1] * UNIT_ROUNDOFF * norms)
    (A11, A12), (A21, A22) = ((row[:, : len(A) // 2], row[:, len(A) // 2 :]) for row in np.split(A, 2))
    (B11, B12), (B21, B22) = ((row[:, : len(B) // 2], row[:, len(B) // 2 :]) for row in np.split(B, 2))
    pairs = (
        (A11 + A22, B11 + B22), (A21 + A22, B11), (A11, B12 - B22), (A22, B21 - B11),
        (A11 + A12, B22), (A21 - A11, B11 + B12), (A12 - A22, B21 + B22),
    )  # fmt: skip
    e1, e2, e3, e4, e5, e6, e7 = (worst_error(left, right, depth - 1) for left, right in pairs)
    return max(e1 + e4 + e5 + e7, e3 + e5, e2 + e4, e1 + e2 + e3 + e6)


@pytest.mark.parametrize("crossover", [8, 32])
def test_a_forgotten_product_is_found(crossover: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem.square(Operation.MATMUL, 64)

    def forgotten(_X: Matrix, _Y: Matrix, _Z: Matrix) -> None:
        """What it should write is not there."""

    def panel(rows: int, columns: int) -> Matrix:
        memory = aligned_matrix((rows, columns))
        memory[:] = 0  # what lies in fresh memory may overflow
        return memory

    monkeypatch.setattr(matmul_strassen, "subtract", forgotten)
    monkeypatch.setattr(matmul_strassen, "panel", panel)
    inputs, output = multiply(problem, crossover)
    reference = compute_reference(problem, inputs, never).allowing(error_growth(problem, {"crossover": crossover}))
    assert reference.verify(np.nan_to_num(output), never).reason is not None
    assert reference.verify(np.zeros_like(output), never).reason is not None


def test_what_cannot_be_verified_is_refused_earlier() -> None:
    def refused(n: int, crossover: int) -> bool:
        problem = Problem.square(Operation.MATMUL, n)
        return refuse_verification(problem, None, error_growth(problem, {"crossover": crossover})) is not None

    assert not refused(4096, 64)
    assert refused(4096, 32)
    assert not refused(8192, 512)
    assert not refused(LONGEST_SUM - 1, LONGEST_SUM)
    assert refused(LONGEST_SUM, LONGEST_SUM)


def test_a_result_says_what_it_saved_and_cost() -> None:
    problem, parameters = Problem.square(Operation.MATMUL, 64), {"crossover": 32, "mc": 24, "kc": 32, "nc": 64}
    with CpuRunner().prepare(Case("cpu.strassen", problem, parameters), random_inputs(problem, 1), never) as run:
        run.sample(never)
        conditions = run.conditions()
    assert costs(problem, parameters).items() <= conditions.items()
    assert conditions["extra_memory_bytes"] == 3 * 32 * 32 * 4
    said = str(remark(conditions, problem))
    assert "87.5 %" in said
    assert remark({"threads": 1}, problem) is None
