"""Laws of the charts' geometry: labels never overlap where there is room, ticks are round, within the axis and not too many."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.qt.charts.labels import Box, emptiest_corner, spread
from app.qt.charts.scales import size_scale, size_ticks, value_scale, value_ticks

boxes = st.lists(st.builds(Box, st.floats(0, 500), st.floats(-50, 500), st.floats(10, 120), st.floats(10, 30)), max_size=12)
amounts = st.lists(st.floats(1e-4, 1e5), min_size=1, max_size=10)


@given(boxes)
def test_labels_stay_inside_and_apart(wanted: list[Box]) -> None:
    tops = spread(wanted, 0, 450)
    placed = [Box(box.x, top, box.width, box.height) for box, top in zip(wanted, tops, strict=True)]
    for i, one in enumerate(placed):
        assert -1e-6 <= one.y <= 450 - one.height + 1e-6
        for other in placed[i + 1 :]:
            beside = one.x >= other.x + other.width or other.x >= one.x + one.width
            assert beside or one.y >= other.y + other.height - 1e-6 or other.y >= one.y + one.height - 1e-6


@given(st.lists(st.floats(0, 400), max_size=8))
def test_labels_far_enough_apart_stay_where_they_are(heights: list[float]) -> None:
    apart = sorted(heights)
    wanted = [Box(0, y, 50, 10) for y in apart if all(abs(y - other) >= 10 or y == other for other in apart)]
    unique = list({box.y: box for box in wanted}.values())
    assert spread(unique, 0, 450) == [box.y for box in unique]


@given(st.lists(st.tuples(st.floats(0, 450), st.sampled_from([15.0, 30.0])), max_size=8))
def test_labels_stand_in_the_order_of_what_they_name_whatever_lines_they_have(wanted: list[tuple[float, float]]) -> None:
    ordered = sorted(wanted)
    tops = spread([Box(0, middle - height / 2, 50, height) for middle, height in ordered], 0, 450)
    assert tops == sorted(tops)


@given(amounts, st.booleans(), st.integers(2, 12))
def test_value_ticks_lie_on_the_axis_and_are_few(values: list[float], log: bool, most: int) -> None:
    scale = value_scale(values, log)
    ticks = value_ticks(scale, most)
    first, last = scale.span
    assert all(first - 1e-9 <= scale.position(tick) <= last + 1e-9 for tick in ticks)
    assert ticks == sorted(ticks)
    assert len(ticks) <= most + 1


@given(amounts, st.booleans())
def test_every_value_lies_inside_the_axis(values: list[float], log: bool) -> None:
    scale = value_scale(values, log)
    assert all(0 <= scale.share(value) <= 1 for value in values)


@given(st.lists(st.integers(1, 65536), min_size=1, max_size=40), st.booleans(), st.floats(100, 2000), st.floats(10, 80))
def test_written_sizes_keep_their_distance_and_powers_of_two_come_first(sizes: list[int], log: bool, length: float, room: float) -> None:
    scale = size_scale(sizes, log)
    ticks = size_ticks(scale, sizes, length, room)
    places = [scale.share(tick) * length for tick in ticks]
    assert all(later - earlier >= room - 1e-6 for earlier, later in pairwise(places))
    assert set(ticks) <= set(sizes)
    powers = [size for size in sizes if size & (size - 1) == 0]
    assert not powers or max(powers) in ticks


@given(st.integers(0, 3))
def test_the_box_goes_to_the_corner_without_lines(free: int) -> None:
    area = Box(0, 0, 400, 300)
    corners = [(10.0, 10.0), (390.0, 10.0), (10.0, 290.0), (390.0, 290.0)]
    lines = [[corner, (corner[0] * 0.9 + 20, corner[1] * 0.9 + 15)] for i, corner in enumerate(corners) if i != free]
    box = emptiest_corner(area, 100, 80, lines, 5)
    assert box.contains(corners[free])
