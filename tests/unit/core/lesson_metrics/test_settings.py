"""Facts that need no execution: volumes, costs, allowed errors, how points are measured."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.base.files.fields import Table
from app.core.lesson_metrics.answer import answer
from app.core.lesson_metrics.metric import Value
from app.core.lesson_metrics.read import metric_from
from kernels.base.messages import Message
from kernels.measure.protocol import Protocol

N = 64
MATRIX = N * N * 4


def found(**fields: Any) -> Value | Message:
    """The answer to a metric as a file writes it."""
    return answer(metric_from(Table(fields)))


def test_a_master_sends_nearly_all_and_in_summa_nobody_does() -> None:
    rows = [found(setting="mpi.rows", n=N, ranks=4, count=count) for count in ("sent_bytes", "most_sent_bytes")]
    assert rows == [3 * MATRIX + 2 * 3 * MATRIX / 4, 3 * MATRIX + 3 * MATRIX / 4]
    summa = [found(setting="mpi.summa", n=N, ranks=4, count=count) for count in ("sent_bytes", "most_sent_bytes")]
    assert isinstance(summa[0], float)
    assert isinstance(summa[1], float)
    assert summa[1] < 0.55 * summa[0]


def test_an_eighth_of_the_products_is_saved_and_the_error_may_grow() -> None:
    assert found(setting="cpu.strassen", n=N, crossover=32, count="cost", name="multiplications") == 7 * 32**3
    assert found(setting="cpu.strassen", n=N, crossover=32, count="error_growth") == pytest.approx(2 + 2**0.5)
    assert found(setting="cpu.packed", n=N, count="error_growth") == 1


def test_the_protocol_is_that_of_measuring() -> None:
    assert found(setting="gpu.tiled", n=N, count="protocol", name="min_samples") == Protocol().min_samples
    assert isinstance(found(setting="gpu.tiled", n=N, count="protocol", name="none such"), Message)
    assert isinstance(found(setting="gpu.tiled", n=N, count="most_sent_bytes"), Message)
