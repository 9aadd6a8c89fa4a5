"""The error bound holds for every order of summation, and no missing tile gets past it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.arrays import Matrix, never
from kernels.base.reference import PANEL_COLUMNS, compute_reference, error_bound, random_inputs
from kernels.base.spec import Operation, Problem

side = st.integers(1, 24)
seeds = st.integers(0, 2**32 - 1)


def sum_in_order(A: Matrix, B: Matrix, order: list[int]) -> Matrix:
    C = np.zeros((len(A), B.shape[1]), np.float32)
    for k in order:
        C += A[:, k : k + 1] * B[k : k + 1, :]
    return C


@settings(deadline=None)
@given(side, side, st.integers(1, 200), seeds, st.randoms(use_true_random=False))
def test_any_order_of_summation_is_accepted(m: int, n: int, k: int, seed: int, random: np.random.Generator) -> None:
    problem = Problem(Operation.MATMUL, m, n, k)
    inputs = random_inputs(problem, seed)
    order = list(range(k))
    random.shuffle(order)
    assert compute_reference(problem, inputs, never).verify(sum_in_order(inputs["A"], inputs["B"], order), never).reason is None


@settings(deadline=None)
@given(side, side, st.integers(1, 200), seeds, st.data())
def test_a_missing_term_of_one_element_is_found(m: int, n: int, k: int, seed: int, data: st.DataObject) -> None:
    problem = Problem(Operation.MATMUL, m, n, k)
    inputs = {name: np.sign(matrix) + (matrix == 0) for name, matrix in random_inputs(problem, seed).items()}
    row, column, term = data.draw(st.tuples(st.integers(0, m - 1), st.integers(0, n - 1), st.integers(0, k - 1)))
    output = inputs["A"] @ inputs["B"]
    output[row, column] -= inputs["A"][row, term] * inputs["B"][term, column]
    assert f"C[{row}][{column}]" in str(compute_reference(problem, inputs, never).verify(output, never).reason)


@settings(deadline=None)
@given(st.sampled_from([PANEL_COLUMNS - 1, PANEL_COLUMNS, PANEL_COLUMNS + 1, 2 * PANEL_COLUMNS + 3]), side, side, seeds)
def test_panels_join_without_a_seam(n: int, m: int, k: int, seed: int) -> None:
    problem = Problem(Operation.MATMUL, m, n, k)
    inputs = random_inputs(problem, seed)
    reference = compute_reference(problem, inputs, never)
    exact = {name: matrix.astype(np.float64) for name, matrix in inputs.items()}
    np.testing.assert_allclose(reference.expected, exact["A"] @ exact["B"], rtol=0, atol=1e-13 * k)
    size = np.abs(exact["A"]) @ np.abs(exact["B"])
    assert (size <= reference.scale).all()
    assert (reference.scale <= size * (1 + 3 * error_bound(k + 3))).all()


@settings(deadline=None)
@given(st.integers(0, 2**23 - 1))
def test_the_bound_grows_with_the_number_of_terms_and_stays_below_everything_wrong(terms: int) -> None:
    assert 0 <= error_bound(terms) < error_bound(terms + 1) <= 1
