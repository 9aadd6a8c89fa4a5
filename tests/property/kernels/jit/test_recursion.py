"""Divide and conquer, and Strassen's multiplication: right for every shape, as compiled and as plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.cpu_multiplications import RECURSIVE_MULTIPLICATIONS
from kernels.catalogue.source import Kernel, kernel_function
from kernels.cpusim.execute import trace
from kernels.jit.compile import Specialization, compiled
from tests.devices.poisoned_output import poisoned_output

EACH = pytest.mark.parametrize("variant", RECURSIVE_MULTIPLICATIONS, ids=lambda variant: variant.id)
SIDES = st.one_of(st.sampled_from([1, 2, 3, 7, 13, 31, 64, 97, 128]), st.integers(1, 70))
SIZES = st.one_of(st.integers(1, 20), st.sampled_from([32, 64, 4096]))


@cache
def kernel(variant: Variant) -> Kernel:
    return compiled(Specialization.of(variant, variant.defaults))


def settings_of(variant: Variant, size: int) -> Mapping[str, int]:
    """The parameters, with `size` as where the recursion ends."""
    return {**variant.defaults, "crossover" if "crossover" in variant.defaults else "tile": size}


def assert_right(variant: Variant, function: Kernel, problem: Problem, size: int, seed: int) -> None:
    inputs, output = random_inputs(problem, seed), poisoned_output(problem)
    function(*inputs.values(), output, size)
    reference = compute_reference(problem, inputs, lambda: None)
    growth = Case(variant.id, problem, settings_of(variant, size)).error_growth
    verdict = (reference if growth is None else reference.allowing(growth)).verify(output, lambda: None)
    assert verdict.reason is None, str(verdict.reason)


@EACH
@settings(deadline=None, max_examples=60)
@given(m=SIDES, n=SIDES, k=SIDES, size=SIZES, seed=st.integers(0, 9))
def test_every_shape_is_right(variant: Variant, m: int, n: int, k: int, size: int, seed: int) -> None:
    assert_right(variant, kernel(variant), Problem(Operation.MATMUL, m, n, k), size, seed)


@EACH
@pytest.mark.parametrize("shape", [(1, 1000, 1), (1000, 1, 1), (1, 1, 1000), (3, 499, 130), (200, 131, 257)])
def test_long_and_thin_and_larger_shapes_are_right(variant: Variant, shape: tuple[int, int, int]) -> None:
    assert_right(variant, kernel(variant), Problem(Operation.MATMUL, *shape), 32, 1)


@EACH
@pytest.mark.parametrize("shape", [(0, 3, 5), (3, 0, 5), (3, 5, 0), (0, 0, 0)])
def test_without_products_the_sum_is_zero(variant: Variant, shape: tuple[int, int, int]) -> None:
    problem = Problem(Operation.MATMUL, *shape)
    output = poisoned_output(problem)
    kernel(variant)(*random_inputs(problem, 1).values(), output, 2)
    assert (output == 0).all()


@EACH
@settings(deadline=None, max_examples=20)
@given(m=st.integers(1, 24), n=st.integers(1, 40), k=st.integers(1, 24), size=st.integers(1, 40))
def test_as_plain_python_it_is_right_too(variant: Variant, m: int, n: int, k: int, size: int) -> None:
    assert_right(variant, kernel_function(variant), Problem(Operation.MATMUL, m, n, k), size, 1)


@EACH
@pytest.mark.parametrize("shape", [(1, 1, 1), (9, 12, 7), (16, 16, 16), (13, 37, 21)])
@pytest.mark.parametrize("size", [4, 16])
def test_on_recording_arrays_it_is_exact(variant: Variant, shape: tuple[int, int, int], size: int) -> None:
    found = trace(variant, Problem(Operation.MATMUL, *shape), settings_of(variant, size), seed=1)
    np.testing.assert_array_equal(found.outputs["C"], found.inputs["A"] @ found.inputs["B"])


@EACH
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_reaches_its_row_and_column(variant: Variant, special: float) -> None:
    problem = Problem(Operation.MATMUL, 64, 64, 64)
    inputs, output = random_inputs(problem, 1), poisoned_output(problem)
    inputs["A"][5, 40] = special
    kernel(variant)(*inputs.values(), output, 16)
    assert not np.isfinite(output[5]).any()
    inputs = random_inputs(problem, 1)
    inputs["B"][40, 5] = special
    kernel(variant)(*inputs.values(), output, 16)
    assert not np.isfinite(output[:, 5]).any()
