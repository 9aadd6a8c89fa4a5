"""What is said of measuring where its panel is not in sight."""

from __future__ import annotations

from app.core.base.job_queues import JobState
from app.core.results.labels import latest_queues, measuring_sentence
from app.core.results.measuring import Progress, QueueProgress
from kernels.base.spec import Device


def _sentence(*queues: QueueProgress) -> str | None:
    sentence = measuring_sentence(Progress(queues))
    return None if sentence is None else str(sentence)


def test_nothing_is_said_before_the_first_measurement() -> None:
    assert measuring_sentence(None) is None
    assert _sentence() is None


def test_all_queues_of_a_request_count_together() -> None:
    cpu = QueueProgress(Device.CPU, 1, total=8, state=JobState.DONE, done=8)
    gpu = QueueProgress(Device.GPU, 1, total=4, state=JobState.RUNNING, done=1)
    assert _sentence(cpu, gpu) == "Measuring: 9 of 12 points"


def test_the_end_says_how_it_came_out() -> None:
    assert _sentence(QueueProgress(Device.CPU, 1, total=8, state=JobState.DONE, done=8)) == "Done: 8 of 8 points."
    assert _sentence(QueueProgress(Device.CPU, 1, total=8, state=JobState.CANCELLED, done=3)) == "Cancelled. 3 of 8 points are kept."


def test_an_earlier_request_counts_no_more_once_it_has_ended() -> None:
    before = QueueProgress(Device.GPU, 1, total=4, state=JobState.DONE, done=4)
    now = QueueProgress(Device.CPU, 2, total=8)
    assert latest_queues(Progress((before, now))) == (now,)
