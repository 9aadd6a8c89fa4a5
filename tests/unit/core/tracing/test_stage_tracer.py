"""Sketches at once, the whole when the hand rests, questions when there is time; places carry over from one to the other."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

import pytest

from app.core.execution.execute import execute
from app.core.execution.questions import CostQuestion
from app.core.gpu_view.index import LaunchIndex, grid_progress, time_at
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import MOST_DRAGGED_ITERATIONS, Subject, iterations, sketch_of, subject_of
from app.core.session.session import profile_named
from app.core.tracing.service import TraceReply, TracingService, TracingState
from app.core.tracing.stage_tracer import QUIET_S, StageTracer
from app.core.tracing.work import Outcome
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.simt.trace.launch_spec import NotTraced

QUICK = Case("cpu.naive", Problem.square(Operation.MATMUL, 4), {})
DONE = NotTraced(message("done"))


@dataclass
class Service:
    """A tracing service whose answers the test gives."""

    asked: list[object] = field(default_factory=list)
    replies: deque[TraceReply] = field(default_factory=deque)
    started: bool = False

    busy: bool = False

    @property
    def state(self) -> TracingState:
        return TracingState.RUNNING if self.busy else TracingState.IDLE

    @property
    def ready(self) -> bool:
        return not self.busy

    def start(self) -> None:
        self.started = True

    def request(self, work: object) -> int:
        self.asked.append(work)
        return len(self.asked)

    def poll(self) -> TraceReply | None:
        return self.replies.popleft() if self.replies else None

    def answer(self, outcome: Outcome) -> None:
        self.replies.append(TraceReply(len(self.asked), outcome))


class Bench:
    def __init__(self) -> None:
        self.now = 0.0
        self.main, self.second = Service(), Service()
        self.tracer = StageTracer(cast(TracingService, self.main), cast(TracingService, self.second), lambda: self.now)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def subject(variant_id: str, n: int, **parameters: int) -> Subject:
    variant = catalogue.by_id(variant_id)
    return subject_of(variant, Problem.square(variant.operation, n), variant.defaults | parameters, profile_named("h200"))


def index_of(made: Subject) -> LaunchIndex:
    record = execute(made)
    assert isinstance(record, LaunchRecord)
    return LaunchIndex(made, record)


LONG = subject("gpu.tiled", 64, tile=4)


def test_what_is_quick_is_traced_whole_at_once(bench: Bench) -> None:
    bench.tracer.request(QUICK, 0.0)
    assert bench.main.asked == [QUICK]
    bench.main.answer(DONE)
    reply = bench.tracer.poll()
    assert reply is not None
    assert (reply.work, reply.outcome, reply.final) == (QUICK, DONE, True)
    assert bench.tracer.idle


def test_what_takes_long_is_sketched_first_and_traced_whole_when_the_hand_rests(bench: Bench) -> None:
    bench.tracer.request(LONG, 0.5)
    sketch = bench.second.asked[0]
    assert isinstance(sketch, Subject)
    assert sketch.launch.blocks == (128,)
    assert not bench.main.asked
    bench.second.answer(DONE)
    reply = bench.tracer.poll()
    assert reply is not None
    assert not reply.final
    assert reply.work is sketch
    assert not bench.tracer.idle
    bench.now = QUIET_S
    assert bench.tracer.poll() is None
    assert bench.main.asked == [LONG]


def test_a_drag_never_asks_for_the_whole(bench: Bench) -> None:
    for number in range(20):
        bench.now = number * QUIET_S / 2
        bench.tracer.request(LONG, 0.0)
        bench.tracer.poll()
    assert not bench.main.asked
    assert len(bench.second.asked) == 20


def test_a_sketch_that_comes_after_the_whole_is_not_shown(bench: Bench) -> None:
    bench.tracer.request(LONG, 0.0)
    bench.now = QUIET_S
    bench.tracer.poll()
    bench.main.answer(DONE)
    bench.second.answer(DONE)
    first, second = bench.tracer.poll(), bench.tracer.poll()
    assert first is not None
    assert first.final
    assert second is None


def test_what_is_quick_does_not_wait_for_a_long_trace_that_nobody_wants(bench: Bench) -> None:
    bench.main.busy = True
    quick = subject("gpu.tiled", 64, tile=16)
    bench.tracer.request(quick, 0.0)
    assert not bench.main.asked
    assert bench.second.asked == [quick]
    bench.second.answer(DONE)
    reply = bench.tracer.poll()
    assert reply is not None
    assert (reply.work, reply.final) == (quick, True)
    assert bench.tracer.idle


def test_a_sketch_does_not_wait_for_the_answer_to_a_question(bench: Bench) -> None:
    answers: list[Outcome] = []
    bench.tracer.ask(CostQuestion(LONG), answers.append)
    bench.second.busy = True
    bench.tracer.request(LONG, 0.0)
    assert len(bench.second.asked) == 1
    bench.now = QUIET_S
    assert bench.tracer.poll() is None
    assert len(bench.main.asked) == 1, "the whole waits for the sketch, which the same process makes"
    bench.main.answer(DONE)
    sketch = bench.tracer.poll()
    assert sketch is not None
    assert (sketch.work, sketch.final) == (bench.main.asked[0], False)
    bench.second.answer(DONE)
    assert bench.tracer.poll() is None
    assert answers == [DONE]
    assert bench.main.asked[1:] == [LONG]
    bench.main.answer(DONE)
    whole = bench.tracer.poll()
    assert whole is not None
    assert whole.final


def has_time(tracer: StageTracer) -> bool:
    return tracer.free


def test_a_question_waits_for_the_stage_and_gives_way_to_it(bench: Bench) -> None:
    answers: list[Outcome] = []
    assert has_time(bench.tracer)
    bench.tracer.ask(CostQuestion(LONG), answers.append)
    assert not has_time(bench.tracer)
    bench.second.answer(DONE)
    assert bench.tracer.poll() is None
    assert answers == [DONE]
    bench.tracer.ask(CostQuestion(LONG), answers.append)
    bench.tracer.request(LONG, 0.0)
    assert not has_time(bench.tracer)
    bench.second.answer(DONE)  # of the sketch: the question's never comes
    reply = bench.tracer.poll()
    assert reply is not None
    assert answers == [DONE]


def test_what_is_forgotten_is_not_shown(bench: Bench) -> None:
    bench.tracer.request(LONG, 0.0)
    bench.tracer.forget()
    bench.second.answer(DONE)
    bench.now = 10.0
    assert bench.tracer.poll() is None
    assert not bench.main.asked


def test_a_sketch_is_the_block_where_the_stage_stands() -> None:
    blocks = prod(LONG.launch.grid)
    assert iterations(LONG, blocks) > MOST_DRAGGED_ITERATIONS
    for progress in (0.0, 0.31, 0.999, 1.0):
        sketch = sketch_of(LONG, progress)
        assert sketch is not None
        assert sketch.launch.blocks == (min(int(progress * blocks), blocks - 1),)
    assert sketch_of(subject("gpu.tiled", 64, tile=16), 0.0) is None
    assert sketch_of(subject("gpu.vectorized-k8", 1024), 0.0) is None  # one block already
    assert sketch_of(subject("gpu.fastest", 256, tile=64), 0.0) is not None  # few blocks, but 128 sums a thread


def test_the_place_carries_over_from_a_sketch_to_the_whole_and_back() -> None:
    made = subject("gpu.tiled", 32, tile=4)
    full = index_of(made)
    one = index_of(replace(made, launch=replace(made.launch, blocks=(37,))))
    for part in (0.0, 0.25, 0.75):
        progress = grid_progress(one, part * one.steps)
        assert int(progress * 64 + 1e-9) == 37
        assert time_at(one, progress) == pytest.approx(part * one.steps, abs=1e-3)
        whole = time_at(full, progress)
        assert grid_progress(full, whole) == pytest.approx(progress, abs=1e-6)
        assert full.trace.blocks[full.band(int(whole)).block] == one.trace.blocks[0]
    assert time_at(full, 1.0) == full.steps
    assert grid_progress(full, full.steps) == 1.0
