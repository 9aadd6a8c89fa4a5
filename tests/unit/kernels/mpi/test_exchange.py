"""Blocking calls of ranks: who gets through, in how many rounds, and who waits for ever."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.base.files.fields import Table
from app.core.lesson_metrics.answer import answer
from app.core.lesson_metrics.metric import Value
from app.core.lesson_metrics.read import metric_from
from kernels.base.messages import Message
from kernels.mpi.deadlock_check import Outcome, calls_of, exchange

RING = "send right, receive left"
TURNED = "receive left, send right"


def played(*texts: str, buffered: bool = False) -> Outcome:
    """The ranks call these."""
    programs = []
    for rank, text in enumerate(texts):
        calls = calls_of(text, rank, len(texts))
        assert not isinstance(calls, Message), calls
        programs.append(calls)
    return exchange(programs, buffered=buffered)


def found(count: str, **fields: Any) -> Value | Message:
    return answer(metric_from(Table({"setting": "mpi.rows", "n": 16, "count": count, **fields})))


def test_two_that_both_send_first_wait_for_ever_unless_sends_are_buffered() -> None:
    assert played(RING, RING) == Outcome(0, frozenset({0, 1}))
    assert played(RING, RING, buffered=True) == Outcome(2, frozenset())
    assert played(TURNED, TURNED, buffered=True) == Outcome(0, frozenset({0, 1}))


def test_one_that_receives_first_frees_the_ring_one_after_the_other() -> None:
    assert played(TURNED, *[RING] * 7) == Outcome(8, frozenset())
    assert played(*[RING, TURNED] * 4) == Outcome(2, frozenset())


def test_sendrecv_is_one_round() -> None:
    assert played(*["sendrecv right left"] * 5) == Outcome(1, frozenset())


@pytest.mark.parametrize(
    ("texts", "stuck"),
    [
        (["scatter, broadcast, gather"] * 3, set()),
        (["broadcast, scatter", "scatter, broadcast", "scatter, broadcast"], {0, 1, 2}),
        (["broadcast, barrier", "barrier", "barrier"], {0, 1, 2}),
        (["broadcast", "", ""], {0}),
        (["send 1", "receive 0", "receive 0"], {2}),
    ],
)
def test_what_does_not_meet_does_not_end(texts: list[str], stuck: set[int]) -> None:
    assert played(*texts).stuck == stuck


@pytest.mark.parametrize("text", ["send", "send 9", "send up", "receive left right", "dance", "broadcast 0"])
def test_what_is_no_call_is_said(text: str) -> None:
    assert isinstance(calls_of(text, 0, 4), Message)
    assert isinstance(found("rounds", ranks=4, every=text), Message)


def test_a_file_says_who_calls_what() -> None:
    assert found("stuck_ranks", ranks=8, every=RING) == 8
    assert found("stuck_ranks", ranks=8, every=RING, buffered=True) == 0
    assert (found("rounds", ranks=8, every=RING, zero=TURNED), found("rounds", ranks=8, every=RING, odd=TURNED)) == (8, 2)
