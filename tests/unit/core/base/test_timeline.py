"""The timeline: stepping, scrubbing, playing and its ends."""

from __future__ import annotations

from functools import partial

import pytest

from app.core.base.timeline import SECONDS_PER_UNIT, SPEEDS, Extent, Position, Timeline, Unit


@pytest.fixture
def timeline() -> Timeline:
    """Over 12 steps in tiles of 1, 5 and 6 steps."""
    timeline = Timeline()
    timeline.load(12, {Unit.TILE: (0, 1, 6)})
    return timeline


def test_without_a_trace_nothing_moves() -> None:
    empty = Timeline()
    for act in (
        empty.play,
        empty.forward,
        empty.back,
        partial(empty.next, Unit.TILE),
        partial(empty.previous, Unit.TILE),
        empty.to_end,
        empty.to_start,
    ):
        act()
    empty.advance(1.0)
    assert (empty.position.value, empty.playing.value, empty.progress) == (Position(0, 0.0), False, 0.0)


def test_forward_goes_to_the_next_step_and_stays_at_the_end(timeline: Timeline) -> None:
    timeline.scrub(10.5)
    timeline.forward()
    assert timeline.position.value == Position(11, 0.0)
    timeline.forward()
    timeline.forward()
    assert timeline.position.value == Position(11, 1.0)
    assert timeline.at_end


def test_back_goes_to_the_beginning_of_the_step_then_to_the_one_before(timeline: Timeline) -> None:
    timeline.scrub(4.25)
    timeline.back()
    assert timeline.position.value == Position(4, 0.0)
    timeline.back()
    assert timeline.position.value == Position(3, 0.0)
    timeline.to_start()
    timeline.back()
    assert timeline.position.value == Position(0, 0.0)


def test_tiles_are_visited_at_their_first_steps(timeline: Timeline) -> None:
    visited = []
    for _ in range(4):
        timeline.next(Unit.TILE)
        visited.append(timeline.position.value.time)
    for _ in range(4):
        timeline.previous(Unit.TILE)
        visited.append(timeline.position.value.time)
    assert visited == [1, 6, 12, 12, 6, 1, 0, 0]


def test_the_unit_tile_makes_forward_and_back_move_by_tiles(timeline: Timeline) -> None:
    timeline.unit.value = Unit.TILE
    timeline.scrub(3)
    timeline.forward()
    assert timeline.position.value.step == 6
    timeline.back()
    assert timeline.position.value.step == 1


def test_the_unit_turns_through_those_that_the_trace_has(timeline: Timeline) -> None:
    turned = []
    for _ in timeline.extent.value.units:
        timeline.turn_unit()
        turned.append(timeline.unit.value)
    assert tuple(turned) == (*timeline.extent.value.units[1:], Unit.STEP)


def test_a_first_tile_that_begins_late_still_leaves_the_start_reachable() -> None:
    timeline = Timeline()
    timeline.load(10, {Unit.TILE: (4, 7)})
    timeline.scrub(5)
    timeline.previous(Unit.TILE)
    timeline.previous(Unit.TILE)
    assert timeline.position.value == Position(0, 0.0)


@pytest.mark.parametrize(("time", "expected"), [(-3, Position(0, 0.0)), (2.5, Position(2, 0.5)), (99, Position(11, 1.0))])
def test_scrubbing_stays_within_the_trace_and_pauses(timeline: Timeline, time: float, expected: Position) -> None:
    timeline.play()
    timeline.scrub(time)
    assert timeline.position.value == expected
    assert not timeline.playing.value


def test_playing_takes_a_unit_of_time_for_each_step_and_stops_at_the_end(timeline: Timeline) -> None:
    timeline.play()
    timeline.advance(2.5 * SECONDS_PER_UNIT)
    assert timeline.position.value == Position(2, 0.5)
    timeline.advance(100.0)
    assert timeline.position.value == Position(11, 1.0)
    assert not timeline.playing.value


def test_by_tiles_a_unit_of_time_is_a_whole_tile(timeline: Timeline) -> None:
    timeline.unit.value = Unit.TILE
    timeline.play()
    timeline.advance(1.5 * SECONDS_PER_UNIT)
    assert timeline.position.value.time == pytest.approx(1 + 5 / 2)


def test_paused_time_does_not_count(timeline: Timeline) -> None:
    timeline.advance(10.0)
    assert timeline.position.value == Position(0, 0.0)


def test_play_at_the_end_starts_again(timeline: Timeline) -> None:
    timeline.to_end()
    timeline.toggle()
    assert (timeline.position.value, timeline.playing.value) == (Position(0, 0.0), True)


def test_a_loop_starts_again_by_itself(timeline: Timeline) -> None:
    timeline.loop.value = True
    timeline.play()
    timeline.advance(13 * SECONDS_PER_UNIT)
    assert timeline.position.value.time == pytest.approx(1)
    assert timeline.playing.value


def test_the_speed_doubles_and_halves_within_its_range(timeline: Timeline) -> None:
    for _ in range(20):
        timeline.faster()
    assert timeline.speed.value == SPEEDS[-1] == 64
    for _ in range(20):
        timeline.slower()
    assert timeline.speed.value == SPEEDS[0] == 0.25


def test_loading_keeps_the_progress_that_is_asked_for(timeline: Timeline) -> None:
    timeline.scrub(6)
    timeline.load(100, {Unit.TILE: (0, 50)}, timeline.progress)
    assert (timeline.extent.value, timeline.position.value) == (Extent(100, {Unit.TILE: (0, 50)}), Position(50, 0.0))
    timeline.load(10, {Unit.TILE: (0,)}, 1.0)
    assert timeline.at_end


def test_loading_nothing_stops_playing(timeline: Timeline) -> None:
    timeline.play()
    timeline.load(0, {})
    assert not timeline.playing.value
