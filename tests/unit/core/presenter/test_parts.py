"""What the presenter does without a window: the pointer's rest, the clock, what is near, which screen, which rungs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.presenter.screen import FACTORS, REST_S, Arrangement, Clock, PointerIdle, Zoom, arrange, next_screen
from app.core.presenter.slide import sentences, width_of, without_number

SHARES = st.floats(0, 1)


class Hand:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def seen(rest: PointerIdle) -> bool:
    """Whether the pointer is to be seen now."""
    return rest.seen.value


def test_the_pointer_is_hidden_after_two_seconds_without_motion() -> None:
    hand = Hand()
    rest = PointerIdle(hand)
    assert not seen(rest)
    rest.move()
    hand.now += REST_S - 0.1
    rest.tick()
    assert seen(rest)
    rest.move()
    hand.now += REST_S - 0.1
    rest.tick()
    assert seen(rest)
    hand.now += 0.2
    rest.tick()
    assert not seen(rest)


def test_the_pointer_stays_while_it_is_on_the_bar() -> None:
    hand = Hand()
    rest = PointerIdle(hand)
    rest.move()
    hand.now += 60
    rest.tick(held=True)
    assert seen(rest)
    hand.now += REST_S
    rest.tick()
    assert not seen(rest)


def test_the_clock_tells_the_day_and_what_has_passed() -> None:
    hand = Hand()
    clock = Clock(hand, lambda: datetime(2031, 3, 4, 9, 5, tzinfo=UTC))
    hand.now += 605
    assert (clock.day, clock.elapsed) == ("09:05", "10:05")
    hand.now += 3600
    assert clock.elapsed == "1:10:05"
    clock.begin()
    assert clock.elapsed == "0:00"


@given(st.lists(st.tuples(st.integers(-3, 3), SHARES, SHARES), max_size=8))
def test_what_is_near_never_leaves_the_picture(presses: list[tuple[int, float, float]]) -> None:
    zoom = Zoom()
    for steps, x, y in presses:
        zoom = zoom.closer(steps, x, y).moved(x - 0.5, y - 0.5)
        assert zoom.factor in FACTORS
        assert 0 <= zoom.x <= 1 - 1 / zoom.factor + 1e-9
        assert 0 <= zoom.y <= 1 - 1 / zoom.factor + 1e-9


@given(SHARES, SHARES, st.integers(1, 3))
def test_what_the_pointer_is_on_stays_where_it_is(x: float, y: float, steps: int) -> None:
    near = Zoom().closer(steps, x, y)
    assert near.x + x / near.factor == pytest.approx(x)
    assert near.y + y / near.factor == pytest.approx(y)


@pytest.mark.parametrize(
    ("screens", "window", "chosen", "expected"),
    [
        (["one"], "one", None, Arrangement(0, beside=False)),
        (["one"], "one", "gone", Arrangement(0, beside=False)),
        (["one", "two"], "one", None, Arrangement(1, beside=True)),
        (["one", "two"], "two", None, Arrangement(0, beside=True)),
        (["one", "two"], "one", "one", Arrangement(0, beside=True)),
        (["one", "two", "three"], "one", "three", Arrangement(2, beside=True)),
        (["one", "two"], "one", "gone", Arrangement(1, beside=True)),
    ],
)
def test_the_slides_go_to_the_screen_chosen_last_or_to_the_other_one(
    screens: list[str], window: str, chosen: str | None, expected: Arrangement
) -> None:
    assert arrange(screens, window, chosen) == expected


def test_screens_come_in_turn() -> None:
    assert [next_screen(["one", "two"], name) for name in ("one", "two", "gone")] == ["two", "one", "one"]


def test_sentences_are_found_in_both_languages() -> None:
    assert sentences(["It is 3.5 times. Why? See `a. b`, e.g. here. {n} left."]) == (
        "It is 3.5 times.",
        "Why?",
        "See `a. b`, e.g. here.",
        "{n} left.",
    )
    assert sentences(["第一句。第二句？第三句"]) == ("第一句。", "第二句？", "第三句")


def test_a_sentence_that_only_repeats_the_number_is_left_out() -> None:
    assert without_number(("32.", "Because."), "32") == ("Because.",)
    assert without_number(("32 个。", "因为。"), "32") == ("因为。",)
    assert without_number(("32 lanes wait.",), "32") == ("32 lanes wait.",)


def test_han_characters_are_twice_as_wide_and_marks_take_no_room() -> None:
    assert (width_of("`tile` **so**"), width_of("分块 tile")) == (7, 9)
