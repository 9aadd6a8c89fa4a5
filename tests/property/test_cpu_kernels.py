"""CPU kernels, as they are compiled and run, are right for every shape: one row, primes, long and thin, tiles that do not fit."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.catalog import VARIANTS
from kernels.cpu.compile import Kernel, compiled
from kernels.cpu.runner import CpuRun, Panels
from kernels.measure.runner import Matrix
from kernels.reference import compute_reference, poisoned_output, random_inputs
from kernels.spec import Device, Operation, Problem, Variant

CPU_VARIANTS = [variant for variant in VARIANTS if variant.device is Device.CPU]
SIDES = st.one_of(st.sampled_from([1, 2, 3, 7, 13, 31, 64, 97]), st.integers(1, 40))
TILES = st.one_of(st.integers(1, 20), st.sampled_from([64, 4096]))


@cache
def kernel(variant: Variant) -> Kernel:
    return compiled(variant)


def never() -> None:
    """Nobody cancels."""


def problem_of(variant: Variant, m: int, n: int, k: int) -> Problem:
    return Problem(variant.operation, m, n, k if variant.operation is Operation.MATMUL else 0)


def sizes_of(variant: Variant, tile: int) -> tuple[int, ...]:
    return (tile,) if "tile" in variant.defaults else ()


def assert_right(problem: Problem, inputs: dict[str, Matrix], output: Matrix) -> None:
    verdict = compute_reference(problem, inputs, never).verify(output, never)
    assert verdict.reason is None, str(verdict.reason)


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
@settings(deadline=None, max_examples=60)
@given(m=SIDES, n=SIDES, k=SIDES, tile=TILES, seed=st.integers(0, 9))
def test_every_shape_is_right_on_a_poisoned_output(variant: Variant, m: int, n: int, k: int, tile: int, seed: int) -> None:
    problem = problem_of(variant, m, n, k)
    inputs = random_inputs(problem, seed)
    output = poisoned_output(problem)
    kernel(variant)(*inputs.values(), output, *sizes_of(variant, tile))
    assert_right(problem, inputs, output)


@pytest.mark.parametrize("variant", CPU_VARIANTS, ids=lambda variant: variant.id)
@pytest.mark.parametrize("shape", [(1, 1000, 1), (1000, 1, 1), (1, 1, 1000), (2, 3, 499)])
def test_long_and_thin_is_right(variant: Variant, shape: tuple[int, int, int]) -> None:
    problem = problem_of(variant, *shape)
    inputs = random_inputs(problem, 1)
    output = poisoned_output(problem)
    kernel(variant)(*inputs.values(), output, *sizes_of(variant, 64))
    assert_right(problem, inputs, output)


@pytest.mark.parametrize("variant", [v for v in CPU_VARIANTS if v.operation is Operation.MATMUL], ids=lambda variant: variant.id)
def test_without_products_the_sum_is_zero(variant: Variant) -> None:
    problem = Problem(Operation.MATMUL, 3, 5, 0)
    output = poisoned_output(problem)
    kernel(variant)(*random_inputs(problem, 1).values(), output, *sizes_of(variant, 2))
    assert (output == 0).all()


@settings(deadline=None, max_examples=60)
@given(m=SIDES, n=SIDES, k=SIDES, tile=st.integers(1, 20), share=st.floats(0.01, 1.5))
def test_panels_of_rows_change_no_bit(m: int, n: int, k: int, tile: int, share: float) -> None:
    problem = Problem(Operation.MATMUL, m, n, k)
    inputs = random_inputs(problem, 1)
    blocked = next(variant for variant in CPU_VARIANTS if variant.id == "cpu.blocked")
    whole = CpuRun(kernel(blocked), {**inputs, "C": poisoned_output(problem)}, (tile,), None, {})
    whole.sample(never)
    panels = Panels(tile, expected_ms=250 / share)
    cut = CpuRun(kernel(blocked), {**inputs, "C": poisoned_output(problem)}, (tile,), panels, {})
    cut.sample(never)
    rows = cut.conditions()["rows_per_call"]
    assert isinstance(rows, int)
    assert rows == m or rows % tile == 0
    assert whole.output().tobytes() == cut.output().tobytes()


@given(total=st.integers(1, 10_000), granule=st.integers(1, 4096), expected=st.floats(0.001, 1e9), last=st.none() | st.floats(0.001, 1e9))
def test_panels_are_whole_tiles_of_at_most_all_rows(total: int, granule: int, expected: float, last: float | None) -> None:
    rows = Panels(granule, expected).rows(total, last)
    assert 1 <= rows <= total
    assert rows == total or rows % granule == 0
    time_ms = expected if last is None else last
    assert rows * time_ms <= 251 * total or rows == min(granule, total), "a call takes longer than it may"
    assert rows == total or time_ms > 250
