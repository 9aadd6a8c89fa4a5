"""The rung in matrix registers as NumPy computes it: rounded as its instructions round, traced with every product in its place."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from app.core.cpu_view.tile_steps import elements, group_starts, groups
from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.cpu import matrix_registers, simd
from kernels.cpu.matmul_amx import multiply
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import COPY
from tests.devices.poisoned_output import poisoned_output

AMX = by_id("cpu.amx")
VARIANT = AMX


@pytest.mark.parametrize("shape", [(1, 1, 1), (32, 32, 32), (33, 40, 50), (65, 17, 100), (5, 70, 31), (3, 5, 0)])
def test_every_shape_is_right_within_what_bfloat16_allows(shape: tuple[int, int, int]) -> None:
    problem = Problem.of(Operation.MATMUL, *shape)
    inputs, output = random_inputs(problem, 1), poisoned_output(problem)
    multiply(**inputs, C=output, mc=32, kc=64, nc=32)
    parameters = VARIANT.defaults
    assert (
        compute_reference(problem, inputs, lambda: None).judging(VARIANT, problem, parameters).verify(output, lambda: None).reason is None
    )


def test_words_are_rounded_to_nearest_even_and_hold_two_values() -> None:
    just_above = np.float32(1 + 2.0**-8 + 2.0**-20)
    low = np.array([1, 1 + 2.0**-8, 1 + 3 * 2.0**-8, just_above, np.nan, np.inf, -2, 0], np.float32)
    bits = simd.words(low, low[::-1].copy()).view(np.uint32)
    halves = (bits << np.uint32(16)).view(np.float32), (bits & np.uint32(0xFFFF0000)).view(np.float32)
    expected = np.array([1, 1, 1 + 2.0**-6, 1 + 2.0**-7, np.nan, np.inf, -2, 0], np.float32)
    np.testing.assert_array_equal(halves, (expected, expected[::-1]))


def test_a_product_adds_lower_and_upper_halves_apart_and_then_to_the_sum() -> None:
    """In this order the large values cancel before the small one is added; one sum over all of them would lose it."""
    ones = np.ones(16, np.float32)
    b = np.tile(simd.words(ones, ones), (16, 1))
    upper = np.zeros(16, np.float32)
    upper[0], upper[1] = 2.0**30, -(2.0**30)
    lower = np.zeros(16, np.float32)
    lower[15] = 1
    a = np.tile(simd.words(lower, upper), (16, 1))
    c = matrix_registers.register_dot(np.full((16, 16), 0.5, np.float32), a, b)
    assert (c == 1.5).all()
    one_after_the_other = np.float32(0.5)
    for low, high in zip(lower, upper, strict=True):
        one_after_the_other = np.float32(np.float32(one_after_the_other + low) + high)
    assert one_after_the_other != 1.5
    assert Fraction(float(c[0, 0])) == Fraction(3, 2)


def test_denormals_count_as_zero() -> None:
    tiny, large = np.full(16, 2.0**-130, np.float32), np.full(16, 2.0**20, np.float32)
    a, b = np.tile(simd.words(tiny, tiny), (16, 1)), np.tile(simd.words(large, large), (16, 1))
    assert (matrix_registers.register_dot(matrix_registers.register_zeros(0), a, b) == 0).all()
    small = np.full((16, 16), 2.0**-127, np.float32)
    assert (matrix_registers.register_dot(small, a, b) == 0).all()


@pytest.mark.parametrize("n", [8, 40, 70])
def test_the_trace_has_every_product_and_where_each_word_came_from(n: int) -> None:
    """Counted from what the steps read: n^3 products in all, also where the matrices end inside a register."""
    made = trace(VARIANT, Problem.square(Operation.MATMUL, n), {"mc": 32, "kc": 32, "nc": 32}, 1)
    np.testing.assert_array_equal(made.outputs["C"], made.inputs["A"] @ made.inputs["B"])
    start = group_starts(made)
    assert groups(made, start, elements(made, start)).products.sum() == n**3
    copies = (made.kind == COPY) & (made.rows > 0)
    first = int(np.flatnonzero(copies & (made.matrix == 0))[0])
    found = int(made.row[first]), int(made.column[first]), int(made.rows[first]), int(made.columns[first])
    assert found == (0, 0, min(n, 16), min(n, 32))
