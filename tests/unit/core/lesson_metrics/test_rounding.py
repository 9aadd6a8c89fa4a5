"""Facts about float32: how far sums are off, and which mistakes inputs hide."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.lesson_metrics.answer import answer
from app.core.lesson_metrics.metric import Metric, Option, Source, Value
from app.core.lesson_metrics.rounding import summed
from kernels.base.messages import Message
from kernels.base.reference import error_bound
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case


def found(count: str, n: int = 64, **options: Option) -> Value | Message:
    variant = catalogue.by_id("cpu.naive")
    setting = Case.of(variant, Problem.square(Operation.MATMUL, n), {})
    return answer(Metric(Source.SETTING, count, setting, tuple(options.items())))


def number(count: str, n: int = 64, **options: Option) -> float:
    value = found(count, n, **options)
    assert isinstance(value, float)
    return value


def test_each_sum_is_rounded() -> None:
    row, column = np.array([[2.0**24, 1, 1]], np.float32), np.ones((3, 1), np.float32)
    assert summed(row, column)[0, 0] == 2**24
    assert summed(row[:, ::-1], column)[0, 0] == 2**24 + 2


@pytest.mark.parametrize("n", [16, 64, 128])
def test_errors_stay_below_the_bound_and_above_nothing(n: int) -> None:
    assert 0 < number("error_of_scale", n) <= error_bound(n)
    assert number("beyond", n, tolerance=number("absolute_error", n)) == 0
    assert number("beyond", n, tolerance=0.0) > n


def test_an_element_near_zero_is_relatively_far_off() -> None:
    assert number("error_of_result") > 10 * number("error_of_scale")


def test_larger_inputs_have_larger_errors() -> None:
    assert number("absolute_error", inputs="hundreds") > 1000 * number("absolute_error")


def test_ones_hide_what_other_inputs_show() -> None:
    assert number("noticed", inputs="ones") == 0
    assert number("noticed") > 0.9 * 64 * 64
    assert (number("order_changes", inputs="ones"), number("order_changes") > 0.5) == (0, True)


def test_what_cannot_be_told_is_said() -> None:
    assert isinstance(found("noticed", inputs="none such"), Message)
    assert isinstance(found("noticed", 4096), Message)
