"""Laws of the timeline: time may be cut into pieces, back undoes forward, and every position can be reached by scrubbing."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.base.timeline import SPEEDS, Timeline, Unit

tile_sizes = st.lists(st.integers(1, 9), min_size=1, max_size=8)
units = st.sampled_from(Unit)


def over(sizes: list[int], unit: Unit) -> Timeline:
    timeline = Timeline()
    timeline.load(sum(sizes), {Unit.TILE: (0, *accumulate(sizes[:-1]))})
    timeline.unit.value = unit
    return timeline


@given(tile_sizes, units, st.sampled_from(SPEEDS), st.lists(st.floats(0, 2), max_size=6))
def test_advancing_in_pieces_is_advancing_at_once(sizes: list[int], unit: Unit, speed: float, pieces: list[float]) -> None:
    timelines = over(sizes, unit), over(sizes, unit)
    for timeline, times in zip(timelines, (pieces, [sum(pieces)]), strict=True):
        timeline.set_speed(speed)
        timeline.play()
        for seconds in times:
            timeline.advance(seconds)
    assert timelines[0].position.value.time == pytest.approx(timelines[1].position.value.time, abs=1e-6)


@given(tile_sizes, units, st.integers(0, 80))
def test_back_undoes_forward(sizes: list[int], unit: Unit, times: int) -> None:
    timeline = over(sizes, unit)
    for _ in range(times):
        timeline.forward()
    before = timeline.position.value
    timeline.forward()
    if timeline.position.value != before:
        timeline.back()
        assert timeline.position.value == before


@given(tile_sizes, units, st.floats(0, 20))
def test_scrubbing_reaches_what_playing_reaches(sizes: list[int], unit: Unit, seconds: float) -> None:
    played, scrubbed = over(sizes, unit), over(sizes, unit)
    played.play()
    played.advance(seconds)
    scrubbed.scrub(played.position.value.time)
    assert scrubbed.position.value == played.position.value


@given(tile_sizes, units, st.lists(st.floats(0, 0.5), max_size=20))
def test_playing_never_goes_back(sizes: list[int], unit: Unit, pieces: list[float]) -> None:
    timeline = over(sizes, unit)
    timeline.play()
    seen = [0.0]
    for seconds in pieces:
        timeline.advance(seconds)
        seen.append(timeline.position.value.time)
    assert seen == sorted(seen)
