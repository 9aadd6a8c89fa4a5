"""CPU kernels, as they are compiled and run, are right for every shape: one row, primes, long and thin, tiles that do not fit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.arrays import Matrix, never
from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Parameters, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.source import Kernel, arguments
from kernels.jit.runner import CpuRun, CpuRunner
from tests.devices.cpu_settings import CPU_VARIANTS, any_settings, with_tile
from tests.devices.poisoned_output import poisoned_output

MULTIPLICATIONS = [variant for variant in CPU_VARIANTS if variant.operation is Operation.MATMUL]
SIDES = st.one_of(st.sampled_from([1, 2, 3, 7, 13, 31, 64, 97]), st.integers(1, 40))
SIDES_OR_NONE = st.one_of(SIDES, st.just(0))
RUNNER = CpuRunner()
each_variant = pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
each_multiplication = pytest.mark.parametrize("variant", MULTIPLICATIONS, ids=lambda variant: variant.id)


def output_of(variant: Variant, problem: Problem, parameters: Parameters, inputs: Mapping[str, Matrix]) -> Matrix:
    """What the compiled variant makes of these inputs, on an output full of NaN."""
    with RUNNER.prepare(Case(variant.id, problem, parameters), inputs, never) as run:
        run.poison()
        run.sample(never)
        return run.output().copy()


def assert_right(variant: Variant, problem: Problem, parameters: Parameters, inputs: dict[str, Matrix]) -> None:
    reference = compute_reference(problem, inputs, never).judging(variant, problem, parameters)
    verdict = reference.verify(output_of(variant, problem, parameters, inputs), never)
    assert verdict.reason is None, str(verdict.reason)


@each_variant
@settings(deadline=None, max_examples=40)
@given(m=SIDES, n=SIDES, k=SIDES_OR_NONE, seed=st.integers(0, 9), data=st.data())
def test_every_shape_is_right_with_every_setting(variant: Variant, m: int, n: int, k: int, seed: int, data: st.DataObject) -> None:
    problem = Problem.of(variant.operation, m, n, k)
    assert_right(variant, problem, data.draw(any_settings(variant)), random_inputs(problem, seed))


@each_variant
@pytest.mark.parametrize("shape", [(1, 1000, 1), (1000, 1, 1), (1, 1, 1000), (2, 3, 499), (131, 67, 257)])
def test_long_and_thin_is_right(variant: Variant, shape: tuple[int, int, int]) -> None:
    problem = Problem.of(variant.operation, *shape)
    assert_right(variant, problem, with_tile(variant, 64), random_inputs(problem, 1))


@each_variant
@pytest.mark.parametrize("shape", [(0, 5, 3), (5, 0, 3), (0, 0, 0), (3, 5, 0)])
def test_nothing_to_do_is_done(variant: Variant, shape: tuple[int, int, int]) -> None:
    problem = Problem.of(variant.operation, *shape)
    inputs = random_inputs(problem, 1)
    output = output_of(variant, problem, variant.defaults, inputs)
    assert output.shape == problem.shapes["C"]
    if variant.operation is Operation.MATMUL:
        assert (output == 0).all()


@each_multiplication
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["A", "B"])
def test_what_is_not_finite_shows_where_it_belongs(variant: Variant, value: float, name: str) -> None:
    problem = Problem(Operation.MATMUL, 37, 41, 43)
    for place in ((0, 0), (17, 5), (-1, -1)):
        inputs = random_inputs(problem, 1)
        inputs[name][place] = value
        with np.errstate(invalid="ignore"):
            expected = inputs["A"].astype(np.float64) @ inputs["B"].astype(np.float64)
            output = output_of(variant, problem, with_tile(variant, 16), inputs)
        affected = ~np.isfinite(expected)
        assert affected.any()
        if variant.error_growth is None:
            np.testing.assert_array_equal(output[affected], expected[affected].astype(np.float32))
            assert np.isfinite(output[~affected]).all(), "no other element is touched"
        else:
            assert not np.isfinite(output[affected]).any(), "differences of blocks carry it further, but it is never lost"


@each_variant
@pytest.mark.parametrize("part", [np.s_[1::2, :], np.s_[:, ::3], np.s_[::-1, ::-1], np.s_[3:, 2:]])
def test_the_runner_copies_inputs_that_are_not_contiguous(variant: Variant, part: tuple[slice, slice]) -> None:
    whole = random_inputs(Problem.of(variant.operation, 60, 60, 60), 1)
    inputs = {name: matrix[part] for name, matrix in whole.items()}
    if variant.operation is Operation.MATMUL:
        inputs["B"] = inputs["B"].T if inputs["A"].shape[1] != inputs["B"].shape[0] else inputs["B"]
        problem = Problem(Operation.MATMUL, len(inputs["A"]), inputs["B"].shape[1], inputs["A"].shape[1])
    else:
        problem = Problem(variant.operation, *inputs["A"].shape)
    assert_right(variant, problem, with_tile(variant, 8), inputs)


@pytest.mark.parametrize("variant", [v for v in CPU_VARIANTS if not v.library and "threads" not in v.defaults], ids=lambda v: v.id)
def test_a_compiled_kernel_takes_floats_at_any_address_and_refuses_other_matrices(variant: Variant) -> None:
    problem = Problem.of(variant.operation, 35, 37, 33)
    inputs = {name: misaligned(matrix) for name, matrix in random_inputs(problem, 1).items()}
    output = misaligned(poisoned_output(problem))
    run = kernel_of(variant, problem)
    run(*inputs.values(), output, *arguments(variant, variant.defaults))
    assert compute_reference(problem, inputs, never).judging(variant, problem, variant.defaults).verify(output, never).reason is None
    for other in (np.asfortranarray(output), np.zeros((70, 74), np.float32)[::2, ::2], output.astype(np.float64)):
        with pytest.raises(TypeError):
            run(*inputs.values(), other, *arguments(variant, variant.defaults))


def misaligned(matrix: Matrix) -> Matrix:
    """A copy that begins one float behind the start of a cache line: no vector of it is aligned."""
    memory = np.empty(matrix.size + 32, np.float32)
    start = -(memory.ctypes.data // 4) % 16 + 1
    copy = memory[start : start + matrix.size].reshape(matrix.shape)
    copy[...] = matrix
    assert copy.ctypes.data % 64 == 4
    return copy


def kernel_of(variant: Variant, problem: Problem) -> Kernel:
    """The variant compiled with its defaults; one for one thread."""
    with RUNNER.prepare(Case(variant.id, problem, variant.defaults), random_inputs(problem, 1), never) as run:
        assert isinstance(run, CpuRun)
        return run.kernel
