"""The error against n: what it is compared with, and how it grows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.base.arrays import never
from kernels.base.reference import Reference, ReferenceCache
from kernels.base.spec import Device, Operation, Problem
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.jit.runner import CpuRunner
from kernels.measure.rounding_errors import ErrorPoint, error_curve, errors_of, growth_exponent

RUNNERS = {Device.CPU: CpuRunner()}


def curve(variant_id: str, *sizes: int) -> list[ErrorPoint]:
    variant = by_id(variant_id)
    points = [Case(variant_id, Problem.square(Operation.MATMUL, n), variant.defaults) for n in sizes]
    return list(error_curve(points, RUNNERS, ReferenceCache(0), never))


def test_a_fixed_tolerance_fails_from_256_on_while_the_bound_holds() -> None:
    errors = curve("cpu.naive", 32, 64, 128, 256)
    assert [error.within_tolerance for error in errors] == [True, True, True, False]
    assert all(error.within_bound for error in errors)
    assert 0 < errors[-1].beyond < 0.01, "only the unluckiest elements are beyond"
    assert "Right, though" in str(errors[-1].sentence)
    assert all(error.relative < error.expected < error.bound for error in errors)


def test_the_absolute_error_grows_with_the_sum_and_the_relative_one_hardly() -> None:
    errors = curve("cpu.loop-order", 32, 64, 128, 256)
    terms = [error.terms for error in errors]
    absolute = growth_exponent(terms, [error.absolute for error in errors])
    relative = growth_exponent(terms, [error.relative for error in errors])
    assert absolute is not None
    assert relative is not None
    assert 0.8 < absolute < 1.4
    assert -0.1 < relative < 0.4


def test_sums_in_many_lanes_err_less() -> None:
    assert curve("cpu.simd-blocked-bt", 256)[0].absolute < curve("cpu.naive", 256)[0].absolute / 2


def test_errors_are_those_of_each_element() -> None:
    point = Case("cpu.naive", Problem(Operation.MATMUL, 1, 3, 4), {})
    expected, scale = np.array([[1.0, -2.0, 8.0]]), np.array([[1.0, 4.0, 16.0]], np.float32)
    output = np.array([[1.0, -2.0 + 2**-20, 8.0 - 2**-18]], np.float32)
    found = errors_of(point, Reference(expected, scale, 2**-21), output)
    assert (found.absolute, found.relative, found.largest) == (2**-18, 2**-22, 8.0)
    assert found.beyond == 0
    assert found.within_bound
    assert found.within_tolerance
    assert found.expected == math.sqrt(4) * 2**-24
    wrong = errors_of(point, Reference(expected, scale, 2**-23), output)
    assert "Wrong: the error is 2 times" in str(wrong.sentence)


def test_an_element_that_is_missing_is_infinitely_wrong() -> None:
    point = Case("cpu.naive", Problem(Operation.MATMUL, 1, 2, 1), {})
    reference = Reference(np.ones((1, 2)), np.ones((1, 2), np.float32), 1e-7)
    found = errors_of(point, reference, np.array([[1, np.nan]], np.float32))
    assert found.absolute == found.relative == math.inf
    assert found.beyond == 0.5
    assert not found.within_bound


@pytest.mark.parametrize(
    ("terms", "errors", "exponent"),
    [
        ([2, 4, 8], [3.0, 6.0, 12.0], 1.0),
        ([1, 4, 16], [1.0, 2.0, 4.0], 0.5),
        ([2, 4, 8], [0.0, 5.0, 5.0], 0.0),
        ([4], [1.0], None),
        ([4, 4], [1.0, 2.0], None),
        ([2, 4], [0.0, math.inf], None),
    ],
)
def test_the_exponent_of_growth(terms: list[int], errors: list[float], exponent: float | None) -> None:
    assert growth_exponent(terms, errors) == (None if exponent is None else pytest.approx(exponent, abs=1e-9))
