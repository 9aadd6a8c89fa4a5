"""Whatever becomes of the tracing processes: after the last change a trace of it comes, or a reason in words."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from functools import cache
from multiprocessing import Pipe
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.base.question import Question
from app.core.execution.questions import CostQuestion
from app.core.gpu_view.subject import Subject, subject_of
from app.core.session.session import profile_named
from app.core.tracing import service, stage_tracer
from app.core.tracing.stage_tracer import StageReply, StageTracer
from app.core.tracing.work import Work
from app.core.workbench.tracing_process import new_tracing
from kernels.base import worker_process
from kernels.base.messages import message
from kernels.base.spec import Operation, Problem
from kernels.base.worker_process import WorkerProcess
from kernels.catalogue import catalogue
from kernels.catalogue.case import Case
from kernels.simt.trace.launch_spec import NotTraced

EXAMPLES = int(os.environ.get("TILESCOPE_STRESS", "60"))
DEADLINE_S = 0.06
PATIENCE_S = 20.0
REASONS = ("ended unexpectedly", "took longer", "could not be started", "did not start", "did not work: RuntimeError")


class Fate(Enum):
    """What becomes of a process that is started, or of the next thing that it is asked."""

    ANSWERS = auto()
    ANSWERS_LATE = auto()
    DIES = auto()
    DIES_LATE = auto()
    HANGS = auto()
    SAYS_NONSENSE = auto()
    IS_NOT_STARTED = auto()
    DOES_NOT_TAKE_IT = auto()


class Processes:
    """Stands in for `WorkerProcess`: each process, and each question, meets the next fate; then all is well."""

    def __init__(self, fates: list[Fate]) -> None:
        self.fates = fates
        self.running: list[Worker] = []
        self.timers: list[threading.Timer] = []

    def __call__(self, _answer: object, _name: str) -> Worker:
        if self.next() is Fate.IS_NOT_STARTED:
            raise OSError(11, "Resource temporarily unavailable")
        worker = Worker(self)
        self.running.append(worker)
        return worker

    def next(self) -> Fate:
        return self.fates.pop(0) if self.fates else Fate.ANSWERS

    def later(self, do: Any) -> None:
        timer = threading.Timer(0.015, do)
        self.timers.append(timer)
        timer.start()

    def end(self) -> None:
        for timer in self.timers:
            timer.join()
        for worker in self.running:
            worker.end()


class Nobody:
    """A process that there is not."""

    pid, name, exitcode = 0, "nobody", None

    def is_alive(self) -> bool:
        return True

    def join(self, _seconds: float) -> None:
        """It is gone."""

    kill = close = lambda _self: None


class Worker(WorkerProcess):
    """A process whose work is done, or not, by the test."""

    def __init__(self, processes: Processes) -> None:
        self._connection, self._theirs = Pipe()
        self._process = Nobody()  # type: ignore[assignment]
        self._processes = processes
        self._lock = threading.Lock()
        self.began, self.ready = time.monotonic(), False
        self._meet(processes.next(), None)

    @property
    def alive(self) -> bool:
        return not self._connection.closed and not self._theirs.closed

    def send(self, words: Any) -> None:
        self._meet(self._processes.next(), words)

    def _meet(self, fate: Fate, work: Work | Question | None) -> None:
        if fate is Fate.DOES_NOT_TAKE_IT:
            raise RuntimeError("can't start new thread")
        done = {Fate.DIES: self.die, Fate.DIES_LATE: self.die, Fate.HANGS: lambda: None, Fate.SAYS_NONSENSE: self.babble}.get(
            fate, lambda: self.answer(work)
        )
        self._processes.later(done) if fate in (Fate.ANSWERS_LATE, Fate.DIES_LATE) else done()

    def answer(self, work: Work | Question | None) -> None:
        told = worker_process._STARTED if work is None else NotTraced(message("{work}", work=name_of(work)))
        with suppress(OSError), self._lock:
            self._theirs.send(told)

    def babble(self) -> None:
        with suppress(OSError), self._lock:
            self._theirs.send_bytes(b"this is no answer")

    def die(self) -> None:
        with self._lock:
            self._theirs.close()

    def end(self) -> None:
        self.die()
        with self._lock:
            super().end()


def name_of(work: object) -> str:
    """Different for what differs."""
    if isinstance(work, Subject):
        return f"{work.variant_id} {work.launch.grid} {work.launch.blocks}"
    return str(work)


@cache
def subject(tile: int) -> Subject:
    variant = catalogue.by_id("gpu.tiled")
    return subject_of(variant, Problem.square(Operation.MATMUL, 64), variant.defaults | {"tile": tile}, profile_named("h200"))


WORKS: list[Work] = [
    Case("cpu.naive", Problem.square(Operation.MATMUL, 4), {}), Case("cpu.naive", Problem.square(Operation.MATMUL, 5), {}),
    subject(4), subject(8), subject(16), subject(32),
]  # fmt: skip
CHANGES = st.sampled_from([*range(len(WORKS)), "wait", "rest", "poll", "ask", "withdraw", "forget", "kill"])


@contextmanager
def traced(fates: list[Fate]) -> Iterator[tuple[StageTracer, Processes]]:
    with pytest.MonkeyPatch.context() as patch:
        processes = Processes(list(fates))
        patch.setattr(service, "WorkerProcess", processes)
        patch.setattr(worker_process, "resident_bytes", lambda _pid: 0)
        patch.setattr(service, "processor_seconds", lambda _pid: 0.0)
        patch.setattr(service, "SUPERSEDED_S", DEADLINE_S / 3)
        patch.setattr(service, "COMPILED_DEADLINE_S", DEADLINE_S)
        patch.setattr(service, "STARTING_S", 2 * DEADLINE_S)
        patch.setattr(stage_tracer, "QUIET_S", DEADLINE_S / 4)
        tracer = StageTracer(new_tracing(DEADLINE_S), new_tracing(DEADLINE_S))
        try:
            yield tracer, processes
        finally:
            tracer.shutdown(PATIENCE_S)
            processes.end()


def perform(change: object, tracer: StageTracer, processes: Processes, answers: list[Any]) -> None:
    if isinstance(change, int):
        tracer.request(WORKS[change], 0.5)
    elif change == "wait":
        time.sleep(DEADLINE_S / 8)
    elif change == "rest":
        time.sleep(1.2 * DEADLINE_S)
    elif change == "ask" and tracer.free:
        tracer.ask(CostQuestion(subject(8)), answers.append)
    elif change == "withdraw":
        tracer.withdraw(answers.append)
    elif change == "forget":
        tracer.forget()
    elif change == "kill" and processes.running:
        processes.running[-1].die()
    tracer.poll()


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(CHANGES, max_size=14), st.integers(0, len(WORKS) - 1), st.lists(st.sampled_from(Fate), max_size=14))
def test_after_the_last_change_its_trace_comes_or_a_reason(changes: list[object], last: int, fates: list[Fate]) -> None:
    with traced(fates) as (tracer, processes):
        answers: list[Any] = []
        for change in changes:
            perform(change, tracer, processes, answers)
        tracer.request(WORKS[last], 0.5)
        final = last_reply(tracer)
        assert final is not None, "nothing came"
        assert final.work == WORKS[last]
        assert isinstance(final.outcome, NotTraced)
        said = str(final.outcome.reason)
        assert said == name_of(WORKS[last]) or any(words in said for words in REASONS)
        assert tracer.idle
        asked: list[Any] = []
        free = until(lambda: tracer.poll() is None and tracer.free)
        assert free, "no question can ever be asked again"
        tracer.ask(CostQuestion(subject(8)), asked.append)
        assert until(lambda: tracer.poll() is None and bool(asked)), "a question is not answered"


def last_reply(tracer: StageTracer) -> StageReply | None:
    found: list[StageReply] = []

    def came() -> bool:
        reply = tracer.poll()
        if reply is not None and reply.final:
            found.append(reply)
        return bool(found)

    until(came)
    return found[0] if found else None


def until(condition: Any) -> bool:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True
