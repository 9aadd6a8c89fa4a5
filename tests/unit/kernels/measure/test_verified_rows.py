"""A large output is verified on some of its rows, in every part of it, and what shows the result says so."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import numpy as np
import pytest

from kernels.base.arrays import never
from kernels.base.limits import Limits
from kernels.base.reference import (
    VERIFIED_BANDS,
    WHOLE_ELEMENTS,
    Reference,
    ReferenceCache,
    compute_reference,
    copied,
    random_inputs,
    verification_bytes,
    verified_rows,
)
from kernels.base.spec import Operation, Output, Problem
from kernels.catalogue.case import Case
from kernels.measure.estimate import Estimator
from kernels.measure.protocol import Protocol
from kernels.measure.results import VERIFIED_ROWS
from kernels.measure.rounding_errors import errors_of
from kernels.measure.sampler import Observer, Sampler, SamplingState
from kernels.measure.sweep import Bench, measure_point
from tests.devices.fake_runner import FakeClock, FakeRunner

TALL = Problem(Operation.MATMUL, 300, 40, 30)
SQUARE = Problem.square(Operation.TRANSPOSE, 300)


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs of more than 1024 elements count as large."""
    monkeypatch.setattr("kernels.base.reference.WHOLE_ELEMENTS", 1024)


@pytest.mark.parametrize("n", [1, 128, 8192])
def test_up_to_8192_all_rows_are_verified(n: int) -> None:
    assert verified_rows(Problem.square(Operation.MATMUL, n), 0) is None
    assert WHOLE_ELEMENTS == 8192**2


@pytest.mark.parametrize("n", [8193, 16384, 40000])
@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
def test_above_it_every_band_has_a_row_and_so_do_both_ends(operation: Operation, n: int) -> None:
    rows = verified_rows(Problem.square(operation, n), 0)
    assert rows is not None
    assert rows[0] == 0
    assert rows[-1] == n - 1
    assert (np.diff(rows) > 0).all()
    assert (np.diff(rows) <= 2 * n / VERIFIED_BANDS + 1).all()
    again, other = (verified_rows(Problem.square(operation, n), seed) for seed in (0, 1))
    assert again is not None
    assert other is not None
    assert rows.tolist() == again.tolist() != other.tolist()


def test_a_wide_output_of_few_rows_is_verified_whole() -> None:
    assert verified_rows(Problem(Operation.MATMUL, 100, 1 << 20, 8), 0) is None


def test_the_rows_of_a_reference_are_those_of_the_whole_one() -> None:
    rows = np.array([0, 7, 299])
    for problem in (TALL, SQUARE):
        inputs = random_inputs(problem, 0)
        whole, some = (compute_reference(problem, inputs, never, which) for which in (None, rows))
        np.testing.assert_allclose(some.expected, whole.expected[rows], rtol=1e-12)
        np.testing.assert_allclose(some.scale, whole.scale[rows], rtol=1e-5)
        assert some.allowed_error == whole.allowed_error
    A = random_inputs(SQUARE, 0)["A"]
    np.testing.assert_array_equal(copied(SQUARE, A, rows).expected, A[rows])


def test_a_wrong_element_in_a_verified_row_is_named_by_its_own_row() -> None:
    rows, inputs = np.array([0, 7, 299]), random_inputs(TALL, 0)
    reference = compute_reference(TALL, inputs, never, rows)
    output = inputs["A"] @ inputs["B"]
    assert reference.verify(output, never).reason is None
    output[7, 3] += 1
    assert "C[7][3] is" in str(reference.verify(output, never).reason)
    assert reference.allowing(1.0).verify(output, never).reason is not None
    output[8] = np.nan
    assert "C[7][3] is" in str(reference.verify(output, never).reason)


def test_errors_are_of_the_rows_that_are_verified() -> None:
    point, rows = Case("cpu.naive", TALL, {}), np.array([0, 299])
    inputs = random_inputs(TALL, 0)
    output = inputs["A"] @ inputs["B"]
    output[5] = 9.0
    errors = errors_of(point, compute_reference(TALL, inputs, never, rows), output)
    assert errors.within_bound
    assert errors.absolute < 1e-4


@pytest.mark.usefixtures("little")
def test_a_cache_gives_references_of_rows_for_large_outputs() -> None:
    references = ReferenceCache(0)
    for output in (Output.RESULT, Output.COPY):
        reference: Reference = references.reference(SQUARE, never, output)
        assert reference.rows is not None
        assert len(reference.expected) == len(reference.rows) <= VERIFIED_BANDS + 2
    small = Problem.square(Operation.MATMUL, 30)
    assert references.reference(small, never).rows is None


def test_the_reference_of_rows_takes_little_memory() -> None:
    problem = Problem.square(Operation.MATMUL, 40000)
    assert verification_bytes(problem) < 2 * problem.bytes + (1 << 26)


class Silent(Observer):
    """Is told everything, and says nothing."""

    def entered(self, point: Case, phase: SamplingState) -> None: ...
    def sampled(self, point: Case, taken: int, at_most: int) -> None: ...

    def still(self) -> AbstractContextManager[None]:
        return nullcontext()


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize(("n", "said"), [(32, False), (200, True)])
def test_a_result_says_how_many_rows_were_verified(n: int, said: bool) -> None:
    runner = FakeRunner(FakeClock())
    bench = Bench(Sampler(runner, clock=runner.clock), Limits(), Protocol(), Estimator(), {}, clock=runner.clock)
    result = measure_point(Case("cpu.naive", Problem.square(Operation.MATMUL, n), {}), bench, never, Silent())
    assert result.verified
    assert (VERIFIED_ROWS in result.conditions) is said
    if said:
        assert VERIFIED_BANDS * 0.5 < result.conditions[VERIFIED_ROWS] <= VERIFIED_BANDS + 2  # type: ignore[operator]
