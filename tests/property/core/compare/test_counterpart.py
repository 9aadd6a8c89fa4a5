"""What stands beside a moment of a launch in another one keeps the order of time, the phase, the warp and the instruction."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.compare.pairing import Pair, beside, paired
from app.core.gpu_view.index import LaunchIndex
from tests.launches.launch_records import launch_of

Named = tuple[str, int, dict[str, int]]
LIKE: list[tuple[Named, Named]] = [
    (("gpu.transpose-shared", 64, {"tile": 32}), ("gpu.transpose-padded", 64, {"tile": 32})),
    (("gpu.transpose-swizzled", 37, {"tile": 16}), ("gpu.transpose-shared", 37, {"tile": 16})),
    (("gpu.naive", 32, {}), ("gpu.uncoalesced", 32, {})),
]
"""Launches of one structure: as many blocks, intervals, warps and instructions."""
SETTINGS: list[tuple[Named, Named]] = [
    (("gpu.tiled", 32, {"tile": 16}), ("gpu.tiled", 32, {"tile": 8})),
    (("gpu.tiled", 32, {"tile": 16}), ("gpu.tiled", 64, {"tile": 16})),
    (("gpu.tiled", 37, {"tile": 16}), ("gpu.tiled", 37, {"tile": 8})),
    (("gpu.transpose-shared", 64, {"tile": 32}), ("gpu.transpose-padded", 64, {"tile": 8})),
    (("gpu.vectorized-k8", 64, {}), ("gpu.tiled", 32, {"tile": 16})),
]
"""The same phases, other numbers of them."""
UNLIKE: list[tuple[Named, Named]] = [
    (("gpu.naive", 32, {}), ("gpu.tiled", 32, {"tile": 16})),
    (("gpu.transpose-global", 64, {}), ("gpu.transpose-shared", 64, {"tile": 16})),
]
ALL = [*LIKE, *SETTINGS, *UNLIKE]
patient = settings(deadline=None)  # the first of each launch executes it
moments = st.floats(0, 1, exclude_max=True)


def launches(pair: tuple[Named, Named], *, turned: bool) -> tuple[LaunchIndex, LaunchIndex]:
    one, other = (launch_of(name, n, **parameters) for name, n, parameters in pair)
    return (other, one) if turned else (one, other)


@lru_cache(maxsize=4)
def pair_of(source: LaunchIndex, target: LaunchIndex) -> Pair:
    return Pair(source, target)


def counterpart(source: LaunchIndex, target: LaunchIndex, step: int, fraction: float) -> tuple[int, float]:
    """What stands beside a moment of `source`; the same from either side of a pair."""
    found = pair_of(source, target).right_of(step, fraction)
    assert found == pair_of(target, source).left_of(step, fraction)
    return found


def moment(index: LaunchIndex, share: float) -> tuple[int, float]:
    time = share * index.steps
    return int(time), time - int(time)


def phase(index: LaunchIndex, step: int) -> int:
    return int(index.record.phases[index.trace.rows.site[index.record.order.row[step]]])


@patient
@given(st.sampled_from(ALL), st.booleans(), st.booleans(), moments)
def test_a_launch_stands_beside_itself(pair: tuple[Named, Named], turned: bool, second: bool, share: float) -> None:
    index = launches(pair, turned=turned)[second]
    assert counterpart(index, index, *moment(index, share)) == moment(index, share)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("pair", ALL)
def test_ends_stand_beside_ends(pair: tuple[Named, Named], turned: bool) -> None:
    source, target = launches(pair, turned=turned)
    assert counterpart(source, target, 0, 0.0) == (0, 0.0)
    assert counterpart(source, target, source.steps - 1, 1.0) == (target.steps - 1, 1.0)


@patient
@given(st.sampled_from(ALL), st.booleans(), moments)
def test_it_is_a_moment_of_the_other_launch(pair: tuple[Named, Named], turned: bool, share: float) -> None:
    source, target = launches(pair, turned=turned)
    step, fraction = counterpart(source, target, *moment(source, share))
    assert 0 <= step < target.steps
    assert 0 <= fraction < 1 or step + 1 == target.steps
    assert int(step + fraction) == step or step + 1 == target.steps


@patient
@given(st.sampled_from([*LIKE, *UNLIKE]), st.booleans(), moments, moments)
def test_time_runs_forward_on_both_sides(pair: tuple[Named, Named], turned: bool, one: float, other: float) -> None:
    source, target = launches(pair, turned=turned)
    if len(target.trace.blocks) < len(source.trace.blocks):
        source, target = target, source
    first, second = (sum(counterpart(source, target, *moment(source, share))) for share in sorted((one, other)))
    assert first <= second


@patient
@given(st.sampled_from(SETTINGS[:3]), moments, moments)
def test_tile_steps_run_forward_where_the_other_side_has_at_least_as_many(pair: tuple[Named, Named], one: float, other: float) -> None:
    source, target = launches(pair, turned=False)
    steps = [counterpart(source, target, *moment(source, share))[0] for share in sorted((one, other))]
    first, second = ((target.band(step).block, target.tile(step)) for step in steps)
    assert first <= second


@patient
@given(st.sampled_from([*LIKE, *SETTINGS]), st.booleans(), moments)
def test_the_phase_is_the_same(pair: tuple[Named, Named], turned: bool, share: float) -> None:
    source, target = launches(pair, turned=turned)
    step, fraction = moment(source, share)
    found, part = counterpart(source, target, step, fraction)
    assert phase(source, step) == phase(target, found)
    assert source.band(step).phases == target.band(found).phases
    one, other = source.site(step), target.site(found)
    assert (one.space, one.operation) == (other.space, other.operation)
    assert part == fraction or (step, fraction) == (0, 0.0)


@patient
@given(st.sampled_from(LIKE), st.booleans(), moments)
def test_launches_of_one_structure_stand_at_the_same_block_warp_and_instruction(
    pair: tuple[Named, Named], turned: bool, share: float
) -> None:
    source, target = launches(pair, turned=turned)
    step, _ = moment(source, share)
    found, _ = counterpart(source, target, step, 0.25)
    assert source.band(step).block == target.band(found).block
    assert source.place(step)[1] == target.place(found)[1]
    assert step == found


@given(st.lists(st.sampled_from("ab"), max_size=9), st.lists(st.sampled_from("ab"), max_size=9))
def test_only_likes_are_paired(own: list[str], other: list[str]) -> None:
    found = paired(own, other)
    if not set(own) <= set(other):
        assert found is None
        return
    assert found is not None
    assert [other[place] for place in found] == own
    for key in set(own):
        places = [place for place, each in zip(found, own, strict=True) if each == key]
        assert places == sorted(places)
        assert places[0] == other.index(key)
        assert len(places) == 1 or places[-1] == max(number for number, each in enumerate(other) if each == key)


@given(st.integers(1, 50), st.integers(1, 50))
def test_numbers_spread_evenly_from_the_first_to_the_last(count: int, others: int) -> None:
    found = [beside(number, count, others) for number in range(count)]
    assert found[0] == 0
    assert count == 1 or found[-1] == others - 1
    steps = [b - a for a, b in pairwise(found)]
    assert not steps or max(steps) - min(steps) <= 1
    assert all(0 <= each < others for each in found)
