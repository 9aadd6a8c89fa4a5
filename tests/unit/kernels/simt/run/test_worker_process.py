"""The tracing process: warm between jobs, killed when cancelled, late, dead or too large; and what it does with a job."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from kernels.simt.base.launch import Budget, LaunchRequest
from kernels.simt.run import worker
from kernels.simt.run.worker import Tracer, trace_job
from kernels.simt.trace.launch_spec import CANCELLED, LaunchSpec, NotTraced
from tests.launches.trace_answers import misbehave

pytestmark = pytest.mark.usefixtures("workers_new")

LAUNCH = LaunchRequest((1, 1, 1), (32, 1, 1))
PATIENCE_S = 60.0


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    made = Tracer(misbehave)
    yield made
    made.close()


def job(text: str, budget: Budget | None = None) -> LaunchSpec:
    return LaunchSpec(text, None, LaunchRequest((1, 1, 1), (32, 1, 1), budget=budget or Budget()))


def reason(tracer: Tracer, asked: LaunchSpec) -> str:
    outcome = tracer.trace(asked)
    assert isinstance(outcome, NotTraced)
    return str(outcome.reason)


def test_one_process_answers_job_after_job(tracer: Tracer) -> None:
    tracer.start()
    assert tracer._worker is not None
    process = tracer._worker.pid
    assert [reason(tracer, job(text)) for text in ("first", "second")] == [f"first in {process}", f"second in {process}"]


def test_a_process_that_dies_is_a_reason_and_is_replaced(tracer: Tracer) -> None:
    assert "ended unexpectedly" in reason(tracer, job("die"))
    assert reason(tracer, job("next")).startswith("next in")


def test_a_process_that_died_while_idle_is_replaced_unnoticed(tracer: Tracer) -> None:
    first = reason(tracer, job("x"))
    psutil.Process(int(first.split()[-1])).kill()
    deadline = time.monotonic() + PATIENCE_S
    while tracer._worker is not None and tracer._worker.alive and time.monotonic() < deadline:
        time.sleep(0.01)
    assert reason(tracer, job("x")) != first


def test_a_job_that_takes_too_long_is_ended(tracer: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    tracer.start()
    monkeypatch.setattr(worker, "COMPILING_S", 0.2)
    assert reason(tracer, job("hang", Budget(seconds=0.3))) == "Tracing took longer than 0.5 s and was stopped."
    assert tracer._worker is not None
    assert not tracer._worker.alive


def test_a_job_that_takes_too_much_memory_is_ended(tracer: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "OWN_BYTES", 200 << 20)
    assert reason(tracer, job("fill memory", Budget(bytes=0))) == "Tracing needed more than 200 MiB of memory and was stopped."


def test_cancelling_ends_the_job_at_once(tracer: Tracer) -> None:
    reason(tracer, job("warm"))
    outcomes: list[object] = []
    waiting = threading.Thread(target=lambda: outcomes.append(tracer.trace(job("hang"))))
    waiting.start()
    time.sleep(0.2)
    tracer.cancel()
    waiting.join(PATIENCE_S)
    assert outcomes == [CANCELLED]
    assert reason(tracer, job("next")).startswith("next in")


def test_cancelling_nothing_does_nothing(tracer: Tracer) -> None:
    tracer.cancel()
    first = reason(tracer, job("x"))
    tracer.cancel()
    assert reason(tracer, job("x")) == first


def test_a_process_that_cannot_be_started_is_a_reason(tracer: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(worker, "WorkerProcess", refuse)
    assert "could not be started: no more processes" in reason(tracer, job("x"))


def untraced(text: str, entry: str | None = None, **arguments: str) -> NotTraced:
    outcome = trace_job(LaunchSpec(text, entry, LAUNCH, texts=arguments))
    assert isinstance(outcome, NotTraced)
    return outcome


def test_a_text_without_a_kernel_or_with_several_has_a_reason() -> None:
    assert "There is no kernel" in str(untraced("int x;").reason)
    assert "several kernels" in str(untraced("__global__ void a() {} __global__ void b() {}").reason)
    assert "no kernel c" in str(untraced("__global__ void a() {}", "c").reason)


def test_errors_of_a_text_come_with_their_places() -> None:
    outcome = untraced("__global__ void a(int* x) {\n  x[0] = y;\n}", "a")
    assert str(outcome.reason) == "The kernel has errors."
    assert [(each.line, each.column) for each in outcome.diagnostics] == [(2, 10)]


def test_what_cannot_be_executed_comes_with_its_place() -> None:
    outcome = untraced('__global__ void a(int* x) {\n  asm("exit;");\n}', "a")
    assert str(outcome.reason) == "The kernel uses what cannot be executed."
    assert [each.line for each in outcome.diagnostics] == [2]


def test_arguments_that_do_not_fit_are_reasons() -> None:
    text = "__global__ void a(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }"
    assert str(untraced(text, x="4").reason) == "a needs a value for n (int)."
    assert str(untraced(text, x="4", n="many").reason) == "n (int) is a whole number, not “many”."
    assert str(untraced(text, x="4", n="4", m="1").reason) == "a has no parameter m, but: x, n."


def test_a_failure_of_the_interpreter_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(asked: LaunchSpec) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(worker, "_traced", broken)
    assert str(untraced("").reason) == "The interpreter failed: KeyError: 'lost'"


def test_memory_that_runs_out_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resource")
    monkeypatch.setattr(worker, "OWN_BYTES", 100 << 20)
    monkeypatch.setattr(worker, "_traced", lambda _: bytes(2 << 30))
    outcome = trace_job(job("", Budget(bytes=0)))
    assert isinstance(outcome, NotTraced)
    assert str(outcome.reason) == "Tracing needed more than 100 MiB of memory and was stopped."
