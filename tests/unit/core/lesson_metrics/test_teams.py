"""Facts about threads: who gets how much of a triangle of tiles, and what private copies take."""

from __future__ import annotations

import pytest

from app.core.lesson_metrics.answer import answer
from app.core.lesson_metrics.metric import Metric, Option, Source, Value
from kernels.base.messages import Message
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case

TRIANGLE = "cpu.transpose-triangle"
STATIC, DYNAMIC, GUIDED = 0, 1, 2


def found(
    variant_id: str, count: str, options: dict[str, Option], n: int = 32, source: Source = Source.TEAM, **parameters: int
) -> Value | Message:
    variant = catalogue.by_id(variant_id)
    setting = Case.of(variant, Problem.square(variant.operation, n), {**variant.defaults, **parameters})
    return answer(Metric(source, count, setting, tuple(options.items())))


def triangle(count: str, schedule: int, chunk: int = 0, **options: Option) -> Value | Message:
    """Of 16 rows of tiles, the first of 31 tiles and the last of one, on four threads."""
    return found(TRIANGLE, count, options, tile=2, threads=4, schedule=schedule, chunk=chunk)


def test_static_shares_are_equal_in_iterations_and_not_in_work() -> None:
    assert [triangle("iterations", STATIC, thread=thread) for thread in range(4)] == [4, 4, 4, 4]
    shares = [triangle("share", STATIC, thread=thread) for thread in range(4)]
    tiles = [sum(2 * (16 - i) - 1 for i in range(first, first + 4)) for first in range(0, 16, 4)]
    assert shares == [pytest.approx(count / 256) for count in tiles]
    assert triangle("imbalance", STATIC) == pytest.approx(4 * tiles[0] / 256)


def test_chunks_are_counted_as_they_are_handed_out() -> None:
    assert (triangle("chunks", DYNAMIC, 1), triangle("largest_chunk", DYNAMIC, 1)) == (16, 1)
    assert (triangle("chunks", STATIC), triangle("largest_chunk", STATIC)) == (4, 4)
    assert triangle("largest_chunk", GUIDED) == 4


def test_who_is_free_takes_the_next_chunk() -> None:
    assert triangle("imbalance", DYNAMIC, 1) == pytest.approx(1)


def test_every_thread_has_a_copy_of_c() -> None:
    assert found("cpu.parallel-private", "copies_bytes", {}, 1024, Source.SETTING, threads=3) == 3 * 1024 * 1024 * 4
    assert found("cpu.parallel", "copies_bytes", {}, 1024, Source.SETTING, threads=3) == 0
    assert isinstance(found("cpu.naive", "copies_bytes", {}, 1024, Source.SETTING), Message)


def test_what_has_no_such_threads_is_said() -> None:
    assert isinstance(triangle("share", STATIC, thread=4), Message)
    assert isinstance(found("cpu.naive", "chunks", {}, n=8), Message)
    assert isinstance(found("gpu.tiled", "chunks", {}, n=8), Message)
    assert isinstance(found(TRIANGLE, "chunks", {}, n=1024, threads=2, tile=64), Message)
