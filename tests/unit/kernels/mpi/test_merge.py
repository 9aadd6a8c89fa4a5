"""One timeline of what each rank wrote down, by hand-made records."""

from __future__ import annotations

import pytest

from kernels.measure.real_run import Activity, MpiTimeline
from kernels.mpi.merge import Half, Record, TimedCall, timeline_of

COMPUTING, WAITING, COMMUNICATING = Activity


def intervals(timeline: MpiTimeline, rank: int) -> list[tuple[Activity, int, int]]:
    rows = zip(*(column.tolist() for column in timeline.intervals), strict=True)
    return [(Activity(activity), start, end) for own, activity, start, end, _ in rows if own == rank]


def sent_at_40(ahead: int) -> list[Record]:
    """Rank 0 computes until 40 and sends until 60; rank 1, whose clock is `ahead` behind, receives from 10 to 70."""
    sent, received = Half(0, 0, 1, 400, "world.0", 40), Half(0, 0, 1, 400, "world.0", 10 - ahead)
    return [
        Record("here", 0, 0, 0, 60, [TimedCall(40, 60, 7)], [sent]),
        Record("there", ahead, 3, -ahead, 100 - ahead, [TimedCall(10 - ahead, 70 - ahead, 9)], [received]),
    ]


@pytest.mark.parametrize("ahead", [0, 5000, -5000])
def test_a_receiver_waits_until_the_sender_has_come(ahead: int) -> None:
    timeline = timeline_of(sent_at_40(ahead))
    assert intervals(timeline, 0) == [(COMPUTING, 0, 40), (COMMUNICATING, 40, 60), (WAITING, 60, 100)]
    assert intervals(timeline, 1) == [(COMPUTING, 0, 10), (WAITING, 10, 40), (COMMUNICATING, 40, 70), (COMPUTING, 70, 100)]
    assert [column.tolist() for column in timeline.messages] == [[0], [1], [400], [40], [70]]
    assert (timeline.hosts, timeline.clock_error_ns, timeline.duration_ns) == (("here", "there"), (0, 3), 100)
    assert timeline.sent_bytes.tolist() == [400, 0]
    assert timeline.received_bytes.tolist() == [0, 400]
    assert timeline.spent_ns(COMMUNICATING).tolist() == [20, 30]


def test_a_sender_that_is_done_before_the_receiver_comes_has_not_waited() -> None:
    timeline = timeline_of([
        Record("h", 0, 0, 0, 90, [TimedCall(50, 80, 1)], [Half(0, 1, 0, 8, "world.0", 50)]),
        Record("h", 0, 0, 10, 90, [TimedCall(20, 30, 1)], [Half(0, 1, 0, 8, "world.0", 20)]),
    ])  # fmt: skip
    assert intervals(timeline, 1) == [(WAITING, 0, 10), (COMPUTING, 10, 20), (COMMUNICATING, 20, 30), (COMPUTING, 30, 90)]
    assert intervals(timeline, 0) == [(COMPUTING, 0, 50), (COMMUNICATING, 50, 80), (COMPUTING, 80, 90)]


def test_messages_on_one_channel_come_in_the_order_in_which_they_were_sent() -> None:
    halves = [Half(i, 0, 1, 10 * (i + 1), "world.0", 10 * i) for i in range(2)]
    late = [half._replace(posted=half.posted + 5) for half in halves]
    calls = [TimedCall(0, 6, 1), TimedCall(10, 16, 1)]
    timeline = timeline_of(
        [Record("h", 0, 0, 0, 20, calls, halves), Record("h", 0, 0, 0, 20, [TimedCall(5, 9, 2), TimedCall(15, 19, 2)], late)]
    )
    assert timeline.messages.bytes.tolist() == [10, 20]
    assert timeline.messages.end_ns.tolist() == [9, 19]


def test_a_message_of_nothing_is_waited_for_but_not_shown() -> None:
    timeline = timeline_of([
        Record("h", 0, 0, 0, 30, [TimedCall(20, 30, 1)], [Half(0, 0, 1, 0, "world#1", 20)]),
        Record("h", 0, 0, 0, 30, [TimedCall(0, 30, 1)], [Half(0, 0, 1, 0, "world#1", 0)]),
    ])  # fmt: skip
    assert len(timeline.messages.bytes) == 0
    assert intervals(timeline, 1) == [(WAITING, 0, 20), (COMMUNICATING, 20, 30)]


def test_one_rank_alone_only_computes() -> None:
    timeline = timeline_of([Record("h", 0, 0, 1000, 1030, [], [])])
    assert intervals(timeline, 0) == [(COMPUTING, 0, 30)]
    assert timeline.sent_bytes.tolist() == [0]


def test_what_a_gpu_sends_while_it_multiplies_stands_beside_its_products() -> None:
    """Rank 1 receives twice from rank 0, which sends the second time from 30 on; both multiply meanwhile, with a gap."""
    sent = [Half(0, 0, 1, 8, "column 0#1", 0), Half(1, 0, 1, 8, "column 0#2", 30)]
    received = [Half(0, 0, 1, 8, "column 0#1", 0), Half(1, 0, 1, 8, "column 0#2", 20)]
    timeline = timeline_of([
        Record("h", 0, 0, 0, 100, [TimedCall(0, 10, 5), TimedCall(30, 45, 5)], sent, [TimedCall(10, 40, 7), TimedCall(50, 100, 7)]),
        Record("h", 0, 0, 0, 90, [TimedCall(0, 10, 5), TimedCall(20, 48, 5)], received, [TimedCall(10, 40, 7), TimedCall(48, 88, 7)]),
    ])  # fmt: skip
    assert intervals(timeline, 0) == [
        (COMMUNICATING, 0, 10), (COMPUTING, 10, 40), (COMMUNICATING, 40, 45), (WAITING, 45, 50), (COMPUTING, 50, 100),
    ]  # fmt: skip
    assert intervals(timeline, 1) == [
        (COMMUNICATING, 0, 10), (COMPUTING, 10, 40), (COMMUNICATING, 40, 48), (COMPUTING, 48, 88), (WAITING, 88, 100),
    ]  # fmt: skip
    beside = [row[:4] for row in zip(*(column.tolist() for column in timeline.beside), strict=True)]
    assert beside == [
        (0, COMMUNICATING, 0, 10), (0, COMMUNICATING, 30, 45),
        (1, COMMUNICATING, 0, 10), (1, WAITING, 20, 30), (1, COMMUNICATING, 30, 48),
    ]  # fmt: skip
    assert timeline.messages.start_ns.tolist() == [0, 30]
    assert timeline.messages.end_ns.tolist() == [10, 48]
    assert (timeline.sending_ns.tolist(), timeline.hidden_ns.tolist()) == ([25, 28], [10, 10])
