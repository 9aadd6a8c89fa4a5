"""Verification accepts what float32 can leave and finds what a kernel forgot."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.base.arrays import Cancelled, never
from kernels.base.reference import (
    LONGEST_SUM,
    ReferenceCache,
    compute_reference,
    error_bound,
    random_inputs,
    refuse_verification,
    verification_bytes,
)
from kernels.base.spec import Operation, Problem
from tests.devices.poisoned_output import poisoned_output

MATMUL = Problem(Operation.MATMUL, 37, 41, 29)
TRANSPOSE = Problem(Operation.TRANSPOSE, 37, 41)


def test_inputs_are_float32_rows_in_range_and_repeat_with_the_seed() -> None:
    inputs = random_inputs(MATMUL, 3)
    assert {name: matrix.shape for name, matrix in inputs.items()} == {"A": (37, 29), "B": (29, 41)}
    for name, matrix in inputs.items():
        assert matrix.dtype == np.float32
        assert matrix.flags.c_contiguous
        assert -1 <= matrix.min() < -0.9
        assert 0.9 < matrix.max() < 1
        np.testing.assert_array_equal(matrix, random_inputs(MATMUL, 3)[name])
    assert not np.array_equal(inputs["A"], random_inputs(MATMUL, 4)["A"])


def test_a_right_product_is_accepted_with_its_error() -> None:
    inputs = random_inputs(MATMUL, 0)
    verdict = compute_reference(MATMUL, inputs, never).verify(inputs["A"] @ inputs["B"], never)
    assert verdict.reason is None
    assert verdict.allowed_error == error_bound(29)
    assert verdict.relative_error is not None
    assert 0 < verdict.relative_error < verdict.allowed_error


def test_the_first_wrong_element_is_named() -> None:
    inputs = {"A": np.ones((37, 29), np.float32), "B": np.ones((29, 41), np.float32)}
    output = inputs["A"] @ inputs["B"]
    output[0, 32] = 0
    output[5, 1] = 0
    verdict = compute_reference(MATMUL, inputs, never).verify(output, never)
    assert str(verdict.reason) == "Wrong result: C[0][32] is 0, expected 29. No time is shown for this point."
    assert verdict.relative_error == pytest.approx(1, rel=1e-4)


def test_an_element_that_was_never_written_is_found_and_its_error_is_no_number() -> None:
    inputs = random_inputs(MATMUL, 0)
    output = inputs["A"] @ inputs["B"]
    output[36, 40] = np.nan
    verdict = compute_reference(MATMUL, inputs, never).verify(output, never)
    assert "C[36][40] is NaN" in str(verdict.reason)
    assert verdict.relative_error is None


def test_a_difference_that_three_digits_hide_is_written_out() -> None:
    inputs = {"A": np.ones((1, 1), np.float32), "B": np.ones((1, 1), np.float32)}
    verdict = compute_reference(Problem.square(Operation.MATMUL, 1), inputs, never).verify(np.full((1, 1), 1.0001, np.float32), never)
    assert "is 1.00010002, expected 1." in str(verdict.reason)


def test_a_transposition_must_be_exact() -> None:
    inputs = random_inputs(TRANSPOSE, 0)
    reference = compute_reference(TRANSPOSE, inputs, never)
    output = inputs["A"].T.copy()
    assert reference.verify(output, never).relative_error == 0
    output[40, 36] = np.nextafter(output[40, 36], np.float32(2))
    assert "C[40][36]" in str(reference.verify(output, never).reason)


def test_a_sum_of_no_terms_is_zero() -> None:
    problem = Problem(Operation.MATMUL, 2, 3, 0)
    reference = compute_reference(problem, random_inputs(problem, 0), never)
    assert reference.verify(np.zeros((2, 3), np.float32), never).reason is None
    assert reference.verify(np.full((2, 3), 1e-30, np.float32), never).reason is not None


def test_an_output_of_another_shape_is_an_error() -> None:
    reference = compute_reference(MATMUL, random_inputs(MATMUL, 0), never)
    with pytest.raises(ValueError, match="expected"):
        reference.verify(np.zeros((37, 1), np.float32), never)


def test_the_cache_computes_a_problem_once_and_keeps_one() -> None:
    cache = ReferenceCache(0)
    first = cache.reference(MATMUL, never)
    assert cache.reference(MATMUL, never) is first
    assert cache.inputs(MATMUL) is cache.inputs(MATMUL)
    cache.reference(TRANSPOSE, never)
    assert cache.reference(MATMUL, never) is not first


def test_computing_and_verifying_can_be_cancelled() -> None:
    def cancelled() -> None:
        raise Cancelled

    inputs = random_inputs(MATMUL, 0)
    with pytest.raises(Cancelled):
        compute_reference(MATMUL, inputs, cancelled)
    with pytest.raises(Cancelled):
        compute_reference(MATMUL, inputs, never).verify(poisoned_output(MATMUL), cancelled)


def test_a_cancelled_reference_is_computed_anew() -> None:
    cache = ReferenceCache(0)

    def cancelled() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        cache.reference(MATMUL, cancelled)
    assert cache.reference(MATMUL, never).expected.shape == (37, 41)


def test_zeros_do_not_pass_for_the_longest_sum() -> None:
    problem = Problem(Operation.MATMUL, 16, 16, LONGEST_SUM - 1)
    reference = compute_reference(problem, random_inputs(problem, 0), never)
    assert reference.verify(np.zeros((16, 16), np.float32), never).reason is not None


def test_what_cannot_be_verified_is_refused() -> None:
    assert "k = 65536" in str(refuse_verification(Problem(Operation.MATMUL, 1, 1, LONGEST_SUM), None))
    assert refuse_verification(Problem(Operation.MATMUL, 1, 1, LONGEST_SUM - 1), None) is None
    needed = verification_bytes(MATMUL)
    assert refuse_verification(MATMUL, needed) is None
    assert "main memory" in str(refuse_verification(MATMUL, needed - 1))
