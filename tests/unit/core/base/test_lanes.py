"""The states of a job, and lanes that run one after another and close in the middle."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from app.core.base.lanes import Job, Lane, State
from kernels.base.arrays import CancelCheck

PATIENCE_S = 10.0


@pytest.fixture
def lane() -> Iterator[Lane]:
    lane = Lane("test")
    yield lane
    lane.close()
    assert lane.join(PATIENCE_S)


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
    states: list[State] = []
    job = Job(lambda _check: states.append(job.state))
    states.append(job.state)
    job.run()
    states.append(job.state)
    assert states == [State.QUEUED, State.RUNNING, State.DONE]


def test_a_failed_job_keeps_its_error() -> None:
    job = Job(fail)
    job.run()
    assert job.state is State.FAILED
    assert str(job.error) == "zero"


def test_a_running_job_is_cancelled_when_it_next_looks() -> None:
    def work(check: CancelCheck) -> None:
        check()
        job.cancel()
        assert job.state is State.CANCELLING
        check()
        pytest.fail("went on after being cancelled")

    job = Job(work)
    job.run()
    assert job.state is State.CANCELLED
    assert job.error is None


def test_a_job_that_ends_without_looking_again_is_done() -> None:
    job = Job(lambda _check: job.cancel())
    job.run()
    assert job.state is State.DONE


def test_a_queued_job_that_is_cancelled_never_starts() -> None:
    job = Job(fail)
    job.cancel()
    job.run()
    assert job.state is State.CANCELLED


def test_cancelling_what_has_ended_changes_nothing() -> None:
    for work, end in ((nothing, State.DONE), (fail, State.FAILED)):
        job = Job(work)
        job.run()
        job.cancel()
        assert job.state is end


def test_a_lane_runs_in_order_in_its_own_thread(lane: Lane) -> None:
    seen: list[tuple[int, int]] = []
    done = threading.Event()
    for number in range(20):
        lane.submit(lambda _check, number=number: seen.append((number, threading.get_ident())))  # type: ignore[misc]
    lane.submit(lambda _check: done.set())
    assert done.wait(PATIENCE_S)
    assert [number for number, _ in seen] == list(range(20))
    assert len({thread for _, thread in seen} - {threading.get_ident()}) == 1


def test_a_failure_does_not_stop_the_lane(lane: Lane) -> None:
    done = threading.Event()
    lane.submit(fail)
    lane.submit(lambda _check: done.set())
    assert done.wait(PATIENCE_S)


def test_closing_in_the_middle_cancels_what_runs_and_what_waits() -> None:
    lane, work = Lane("test"), Until()
    running, waiting = lane.submit(work), lane.submit(nothing)
    assert work.started.wait(PATIENCE_S)
    lane.close()
    assert lane.join(PATIENCE_S)
    assert (running.state, waiting.state) == (State.CANCELLED, State.CANCELLED)
    with pytest.raises(RuntimeError):
        lane.submit(nothing)
    lane.close()


def test_a_lane_says_when_its_job_could_not_be_interrupted() -> None:
    lane, started, release = Lane("test"), threading.Event(), threading.Event()

    def deaf(_check: CancelCheck) -> None:
        started.set()
        release.wait(PATIENCE_S)

    lane.submit(deaf)
    assert started.wait(PATIENCE_S)
    lane.close()
    assert not lane.join(0.01)
    release.set()
    assert lane.join(PATIENCE_S)
