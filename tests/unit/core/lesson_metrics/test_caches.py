"""Facts about caches: what is counted of the accesses of a CPU kernel, and what a level is like."""

from __future__ import annotations

import pytest

from app.core.lesson_metrics.answer import answer
from app.core.lesson_metrics.metric import Metric, Option, Source
from kernels.base.messages import Message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case

N = 16
ELEMENTS_OF_A_LINE = 16


def found(count: str, **options: Option) -> float:
    """A metric about the naive multiplication in the scaled caches."""
    variant = catalogue.by_id("cpu.naive")
    value = answer(Metric(Source.CACHES, count, Case.of(variant, Problem.square(Operation.MATMUL, N), {}), tuple(options.items())))
    assert isinstance(value, float), value
    return value


@pytest.mark.parametrize(("level", "size", "line", "sets"), [("L1", 1024, 64, 4), ("L2", 8192, 64, 16)])
def test_a_level_is_as_its_preset_says(level: str, size: int, line: int, sets: int) -> None:
    assert [found(count, level=level) for count in ("cache_bytes", "line_bytes", "sets")] == [size, line, sets]


def test_each_matrix_is_read_as_the_definition_asks() -> None:
    assert (found("reads", array="A"), found("reads", array="B")) == (N**3, N**3)
    assert (found("accesses", array="C"), found("writes", array="C")) == (N**2, N**2)


def test_all_matrices_fit_into_the_second_level() -> None:
    assert found("misses", level="L2") == 3 * N**2 / ELEMENTS_OF_A_LINE
    assert found("misses", level="L1") == sum(found(kind, level="L1") for kind in ("compulsory", "capacity", "conflict"))


def test_a_level_that_is_not_there_is_said() -> None:
    variant = catalogue.by_id("cpu.naive")
    setting = Case.of(variant, Problem.square(Operation.MATMUL, N), {})
    assert isinstance(answer(Metric(Source.CACHES, "misses", setting, (("level", "L9"),))), Message)
