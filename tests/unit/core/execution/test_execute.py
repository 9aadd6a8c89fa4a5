"""What the tracing process says of a launch that it has executed only a part of."""

from __future__ import annotations

from app.core.execution.execute import answer_cost, execute
from app.core.execution.questions import CostQuestion, LaunchCost
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject, subject_of
from app.core.session.session import profile_named
from kernels.base.spec import Problem
from kernels.catalogue import catalogue


def subject(n: int, **parameters: int) -> Subject:
    variant = catalogue.by_id("gpu.tiled")
    return subject_of(variant, Problem.square(variant.operation, n), variant.defaults | parameters, profile_named("h200"))


def test_the_cost_from_few_blocks_is_that_of_all() -> None:
    made = subject(64, tile=8)
    found = answer_cost(CostQuestion(made))
    assert isinstance(found, LaunchCost)
    whole = execute(made)
    assert isinstance(whole, LaunchRecord)
    assert found.bytes_moved == 32 * int(whole.sums["sectors"][-1])
    large = answer_cost(CostQuestion(subject(2048, tile=16)))
    assert isinstance(large, LaunchCost)
    blocks, steps = 128 * 128, 128
    assert large.bytes_moved == 32 * blocks * (steps * 2 * 32 + 32)
