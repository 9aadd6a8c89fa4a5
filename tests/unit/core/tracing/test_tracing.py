"""The tracing service: newest wins, deadlines, a process that dies, and nothing that waits."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import psutil
import pytest

from app.core.tracing import service as tracing
from app.core.tracing.service import TraceReply, TracingService, TracingState, was_stopped
from app.core.workbench.tracing_process import new_tracing
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.base.worker_process import WorkerProcess
from kernels.catalogue.case import Case
from kernels.cpusim.trace import Trace
from kernels.simt.trace.launch_spec import NotTraced

pytestmark = pytest.mark.usefixtures("workers_new")

SMALL = Problem.square(Operation.MATMUL, 4)
LONG = Problem.square(Operation.MATMUL, 64)  # refused only after all of the budget has been spent
PATIENCE_S = 30.0


@pytest.fixture
def service() -> Iterator[TracingService]:
    made = new_tracing()
    yield made
    assert made.shutdown(PATIENCE_S)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def next_reply(service: TracingService) -> TraceReply:
    replies: list[TraceReply] = []

    def polled() -> bool:
        reply = service.poll()
        if reply is not None:
            replies.append(reply)
        return bool(replies)

    wait_for(polled)
    return replies[0]


def traced(reply: TraceReply) -> Trace:
    assert isinstance(reply.outcome, Trace)
    return reply.outcome


def reason_of(reply: TraceReply) -> str:
    assert isinstance(reply.outcome, NotTraced)
    return str(reply.outcome.reason)


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]


def test_a_request_is_answered_with_its_trace(service: TracingService) -> None:
    asked = service.request(Case("cpu.blocked", SMALL, {"tile": 2}))
    reply = next_reply(service)
    trace = traced(reply)
    assert reply.id == asked
    assert (trace.variant_id, trace.problem, trace.parameters) == ("cpu.blocked", SMALL, {"tile": 2})
    np.testing.assert_array_equal(trace.outputs["C"], trace.inputs["A"] @ trace.inputs["B"])
    assert service.poll() is None


def test_the_state_follows_the_newest_request(service: TracingService) -> None:
    states = [service.state]
    service.request(Case("cpu.naive", SMALL, {}))
    states.append(service.state)
    wait_for(lambda: service.state is TracingState.RUNNING)
    next_reply(service)
    states.append(service.state)
    assert states[::2] == [TracingState.IDLE, TracingState.IDLE]
    assert states[1] in (TracingState.QUEUED, TracingState.RUNNING)


def test_only_the_newest_request_is_answered(service: TracingService) -> None:
    asked = [service.request(Case("cpu.naive", Problem(Operation.MATMUL, m, 3, 3), {})) for m in range(1, 400)]
    reply = next_reply(service)
    assert reply.id == asked[-1]
    assert traced(reply).problem.m == 399
    time.sleep(0.2)
    assert service.poll() is None


def test_a_reply_that_came_too_late_is_not_given(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    wait_for(lambda: not service._replies.empty())
    asked = service.request(Case("cpu.loop-order", SMALL, {}))
    assert next_reply(service).id == asked


def test_asking_and_polling_do_not_wait(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    next_reply(service)
    workers()[0].suspend()  # it answers nothing: who waits for it waits for ever
    service.request(Case("cpu.naive", SMALL, {}))
    wait_for(lambda: service.state is TracingState.RUNNING)  # else the last of the next could be the one that it is sent
    for _ in range(100):
        asked = service.request(Case("cpu.naive", SMALL, {}))
        assert service.poll() is None
    assert next_reply(service).id == asked


def test_a_long_execution_that_nobody_wants_is_killed(service: TracingService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "SUPERSEDED_S", 0.0)
    traced_first = service.request(Case("cpu.naive", SMALL, {}))
    assert next_reply(service).id == traced_first
    (first,) = workers()
    service.request(Case("cpu.naive", LONG, {}))
    wait_for(lambda: service.state is TracingState.RUNNING)
    asked = service.request(Case("cpu.naive", SMALL, {}))
    assert next_reply(service).id == asked
    assert not first.is_running()


def test_a_trace_that_is_too_large_says_so(service: TracingService) -> None:
    service.request(Case("cpu.naive", LONG, {}))
    outcome = next_reply(service).outcome
    assert isinstance(outcome, NotTraced)
    assert "64 × 64 times 64 × 64 takes more than 500000 accesses" in str(outcome.reason)


def test_a_kernel_that_raises_gives_its_error_and_the_process_lives_on(service: TracingService) -> None:
    service.request(Case("cpu.blocked", SMALL, {"tile": 0}))
    assert "ValueError" in reason_of(next_reply(service))
    (before,) = workers()
    service.request(Case("cpu.blocked", SMALL, {"tile": 2}))
    traced(next_reply(service))
    assert workers() == [before]


def test_an_unknown_variant_is_a_reason(service: TracingService) -> None:
    service.request(Case("cpu.none", SMALL, {}))
    assert "cpu.none" in reason_of(next_reply(service))


def test_a_process_that_dies_during_a_request_gives_a_reason_and_is_replaced(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    next_reply(service)
    (worker,) = workers()
    worker.suspend()  # so that it cannot answer before it is killed
    service.request(Case("cpu.naive", SMALL, {}))
    wait_for(lambda: service.state is TracingState.RUNNING)
    worker.kill()
    assert "ended unexpectedly" in reason_of(next_reply(service))
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))


def test_a_process_that_died_while_idle_is_replaced_unnoticed(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    next_reply(service)
    (worker,) = workers()
    worker.kill()
    wait_for(lambda: not multiprocessing.active_children())
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))


def test_a_process_that_hangs_is_stopped_at_the_deadline() -> None:
    service = new_tracing()
    try:
        service.request(Case("cpu.naive", SMALL, {}))
        traced(next_reply(service))
        workers()[0].suspend()
        service._deadline_s = 0.1
        service.request(Case("cpu.naive", SMALL, {}))
        reply = next_reply(service)
        assert reason_of(reply) == "Tracing took longer than 0.1 s and was stopped."
        assert isinstance(reply.outcome, NotTraced)
        assert was_stopped(reply.outcome.reason)
        assert not was_stopped(message("The kernel stopped with an error: {error}", error="0"))
    finally:
        assert service.shutdown(PATIENCE_S)


def test_a_process_that_other_programs_keep_waiting_has_more_time(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))
    (worker,) = workers()
    worker.suspend()
    service._deadline_s = 1.0
    threading.Timer(1.5, worker.resume).start()
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))


def test_a_process_that_runs_too_long_is_stopped(service: TracingService, monkeypatch: pytest.MonkeyPatch) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))
    monkeypatch.setattr(tracing, "processor_seconds", lambda _pid: time.monotonic())
    monkeypatch.setattr(tracing, "BUSY", 1000.0)
    workers()[0].suspend()
    service._deadline_s = 0.1
    service.request(Case("cpu.naive", SMALL, {}))
    assert reason_of(next_reply(service)) == "Tracing took longer than 0.1 s and was stopped."


def test_that_the_process_starts_slowly_is_no_part_of_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = WorkerProcess.__init__

    def begin_late(self: WorkerProcess, answer: Any, name: str) -> None:
        begun(self, answer, name)
        psutil.Process(self.pid).suspend()
        threading.Timer(4.2, psutil.Process(self.pid).resume).start()

    monkeypatch.setattr(WorkerProcess, "__init__", begin_late)
    service = new_tracing(deadline_s=4.0)  # far more than the trace takes, on a busy machine too
    try:
        service.request(Case("cpu.naive", SMALL, {}))
        traced(next_reply(service))
    finally:
        assert service.shutdown(PATIENCE_S)


def test_changes_while_the_process_starts_do_not_make_it_start_again(service: TracingService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "SUPERSEDED_S", 0.0)
    service.start()
    wait_for(lambda: bool(workers()))
    first = workers()
    first[0].suspend()
    for m in range(1, 20):
        asked = service.request(Case("cpu.naive", Problem(Operation.MATMUL, m, 3, 3), {}))
        time.sleep(0.01)
    first[0].resume()
    reply = next_reply(service)
    assert reply.id == asked
    assert traced(reply).problem.m == 19
    assert workers() == first


def test_a_process_that_never_starts_is_told(service: TracingService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "STARTING_S", 0.2)
    service.start()
    wait_for(lambda: bool(workers()))
    workers()[0].suspend()
    service.request(Case("cpu.naive", SMALL, {}))
    outcome = next_reply(service).outcome
    assert isinstance(outcome, NotTraced)
    assert str(outcome.reason) == "The tracing process did not start within 0.2 s."
    assert was_stopped(outcome.reason)


def test_what_nobody_thought_of_is_told_and_the_next_request_is_answered(service: TracingService, monkeypatch: pytest.MonkeyPatch) -> None:
    def send(_self: WorkerProcess, _work: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(WorkerProcess, "send", send)
        service.request(Case("cpu.naive", SMALL, {}))
        assert reason_of(next_reply(service)) == "Tracing did not work: RuntimeError: can't start new thread"
    service.request(Case("cpu.naive", SMALL, {}))
    traced(next_reply(service))


def test_shutdown_ends_a_running_execution_at_once(service: TracingService) -> None:
    service.request(Case("cpu.naive", SMALL, {}))
    next_reply(service)
    workers()[0].suspend()
    service.request(Case("cpu.naive", SMALL, {}))
    wait_for(lambda: service.state is TracingState.RUNNING)
    assert service.shutdown(PATIENCE_S)
    assert workers() == []


def test_shutdown_without_a_request_has_nothing_to_end() -> None:
    assert new_tracing().shutdown(0)


def test_the_process_writes_nothing_to_the_terminal(service: TracingService, capfd: pytest.CaptureFixture[str]) -> None:
    service.request(Case("cpu.blocked", SMALL, {"tile": 0}))
    next_reply(service)
    assert capfd.readouterr() == ("", "")
