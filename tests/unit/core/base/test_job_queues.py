"""The states of a job, and queues that run one after another and close in the middle."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.base.job_queues import Job, JobClient, JobQueue, JobState, Request, RequestProgress
from kernels.base.arrays import CancelCheck
from kernels.base.values import dataclass

PATIENCE_S = 10.0


@pytest.fixture
def queue() -> Iterator[JobQueue]:
    queue = JobQueue("test")
    yield queue
    queue.close()
    assert queue.join(PATIENCE_S)


class Until:
    """Work that lasts until it is released or cancelled."""

    def __init__(self) -> None:
        self.started = threading.Event()
        self.released = threading.Event()

    def __call__(self, check: CancelCheck) -> None:
        self.started.set()
        while not self.released.wait(0.01):
            check()


def nothing(_check: CancelCheck) -> None:
    """Work that is done at once."""


def fail(_check: CancelCheck) -> None:
    raise ZeroDivisionError("zero")


def test_a_job_goes_from_queued_through_running_to_done() -> None:
    states: list[JobState] = []
    job = Job(lambda _check: states.append(job.state))
    states.append(job.state)
    job.run()
    states.append(job.state)
    assert states == [JobState.QUEUED, JobState.RUNNING, JobState.DONE]


def test_a_failed_job_keeps_its_error() -> None:
    job = Job(fail)
    job.run()
    assert job.state is JobState.FAILED
    assert str(job.error) == "zero"


def test_a_running_job_is_cancelled_when_it_next_looks() -> None:
    def work(check: CancelCheck) -> None:
        check()
        job.cancel()
        assert job.state is JobState.CANCELLING
        check()
        pytest.fail("went on after being cancelled")

    job = Job(work)
    job.run()
    assert job.state is JobState.CANCELLED
    assert job.error is None


def test_a_job_that_ends_without_looking_again_is_done() -> None:
    job = Job(lambda _check: job.cancel())
    job.run()
    assert job.state is JobState.DONE


def test_a_queued_job_that_is_cancelled_never_starts() -> None:
    job = Job(fail)
    job.cancel()
    job.run()
    assert job.state is JobState.CANCELLED


def test_cancelling_what_has_ended_changes_nothing() -> None:
    for work, end in ((nothing, JobState.DONE), (fail, JobState.FAILED)):
        job = Job(work)
        job.run()
        job.cancel()
        assert job.state is end


def test_a_queue_runs_in_order_in_its_own_thread(queue: JobQueue) -> None:
    seen: list[tuple[int, int]] = []
    done = threading.Event()
    for number in range(20):
        queue.submit(lambda _check, number=number: seen.append((number, threading.get_ident())))  # type: ignore[misc]
    queue.submit(lambda _check: done.set())
    assert done.wait(PATIENCE_S)
    assert [number for number, _ in seen] == list(range(20))
    assert len({thread for _, thread in seen} - {threading.get_ident()}) == 1


def test_a_failure_does_not_stop_the_queue(queue: JobQueue) -> None:
    done = threading.Event()
    queue.submit(fail)
    queue.submit(lambda _check: done.set())
    assert done.wait(PATIENCE_S)


def test_closing_in_the_middle_cancels_what_runs_and_what_waits() -> None:
    queue, work = JobQueue("test"), Until()
    running, waiting = queue.submit(work), queue.submit(nothing)
    assert work.started.wait(PATIENCE_S)
    queue.close()
    assert queue.join(PATIENCE_S)
    assert (running.state, waiting.state) == (JobState.CANCELLED, JobState.CANCELLED)
    with pytest.raises(RuntimeError):
        queue.submit(nothing)
    queue.close()


def test_a_queue_says_when_its_job_could_not_be_interrupted() -> None:
    queue, started, release = JobQueue("test"), threading.Event(), threading.Event()

    def deaf(_check: CancelCheck) -> None:
        started.set()
        release.wait(PATIENCE_S)

    queue.submit(deaf)
    assert started.wait(PATIENCE_S)
    queue.close()
    assert not queue.join(0.01)
    release.set()
    assert queue.join(PATIENCE_S)


@dataclass(frozen=True, slots=True)
class Counted(RequestProgress):
    """Progress of a request that counts."""

    total: int
    done: int = 0
    now: str | None = None

    def over(self) -> Counted:
        return replace(self, now=None)


class Counter(JobClient[Counted, int]):
    """Counts in a queue, as far as it is let."""

    def __init__(self, queue: JobQueue) -> None:
        super().__init__()
        self._queue = queue

    def start(self, total: int, gate: threading.Event, fails: bool = False) -> None:
        """Count so far."""
        request = Request(Counted(total), self._found)
        self.submit(request, lambda _: self._queue.submit(lambda check: self._count(request, gate, check, fails)))

    def _count(self, request: Request[Counted, int], gate: threading.Event, check: CancelCheck, fails: bool) -> None:
        for number in range(request.progress.total):
            request.found(number)
            request.tell(done=number + 1, now=str(number))
            while not gate.wait(0.001):
                check()
        if fails:
            raise ValueError("too far")


def ended(counter: Counter) -> Counted:
    end = time.monotonic() + PATIENCE_S
    while True:
        progress = counter.progress()
        if progress is not None and progress.state.ended:
            return progress
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_client_tells_how_far_its_request_is_and_hands_results_over_once(queue: JobQueue) -> None:
    counter, gate = Counter(queue), threading.Event()
    assert counter.progress() is None
    gate.set()
    counter.start(3, gate)
    assert ended(counter) == Counted(3, 3, state=JobState.DONE)
    assert (counter.drain(), counter.drain()) == ((0, 1, 2), ())


def test_a_clients_newer_request_takes_the_place_of_the_one_before_and_keeps_what_that_found(queue: JobQueue) -> None:
    counter, gate = Counter(queue), threading.Event()
    counter.start(3, gate)
    while counter.progress() != Counted(3, 1, "0", state=JobState.RUNNING):
        time.sleep(0.001)
    opened = threading.Event()
    opened.set()
    counter.start(2, opened)
    assert ended(counter) == Counted(2, 2, state=JobState.DONE)
    assert counter.drain() == (0, 0, 1)


def test_a_client_says_why_its_request_failed_and_that_it_was_cancelled(queue: JobQueue) -> None:
    counter, gate = Counter(queue), threading.Event()
    counter.cancel()
    counter.start(2, gate)
    counter.cancel()
    assert ended(counter).state is JobState.CANCELLED
    gate.set()
    counter.start(1, gate, fails=True)
    found = ended(counter)
    assert (found.state, found.now, str(found.failure)) == (JobState.FAILED, None, "The run failed: too far")
