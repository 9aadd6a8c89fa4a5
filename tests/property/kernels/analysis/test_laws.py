"""Laws that hold for every access pattern: bounds, symmetries, and agreement with the definition applied thread by thread."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.analysis.coalescing import cost
from kernels.analysis.occupancy import occupancy, waves
from kernels.analysis.races import races
from kernels.base.architectures import ARCHITECTURES, REGISTERS
from kernels.simt.trace.trace import Trace
from tests.launches.analysis_traces import Recorder, words
from tests.launches.bank_costs import conflict_degree, ideal, wavefronts

SIZES = st.sampled_from([4, 8, 16])
OPERATIONS = st.sampled_from(["load", "store", "atomic", "compare-and-swap"])
settings.register_profile("analysis", deadline=None, max_examples=60)


@st.composite
def warps(draw: st.DrawFn) -> tuple[list[int], int]:
    """First words of 32 lanes, aligned to the size, and the size."""
    size = draw(SIZES)
    most = draw(st.sampled_from([3, 40, 500]))
    places = draw(st.lists(st.one_of(st.integers(0, most), st.just(-1)), min_size=32, max_size=32))
    return [place if place < 0 else place * size // 4 for place in places], size


@settings(settings.get_profile("analysis"))
@given(warps(), OPERATIONS)
def test_wavefronts_stay_in_their_bounds(warp: tuple[list[int], int], operation: str) -> None:
    hardware, source, least = (
        wavefronts(*warp, operation, "hardware"), wavefronts(*warp, operation, "source"), ideal(*warp, operation),
    )  # fmt: skip
    active = sum(word >= 0 for word in warp[0])
    assert (active > 0) <= least <= source
    assert hardware <= source <= active * max(1, warp[1] // 8) * (2 if operation == "compare-and-swap" else 1)
    assert conflict_degree(*warp, operation) <= hardware


@settings(settings.get_profile("analysis"))
@given(warps(), OPERATIONS, st.randoms(use_true_random=False), st.integers(0, 5000))
def test_lanes_of_a_phase_change_places_and_arrays_move_without_effect(
    warp: tuple[list[int], int], operation: str, random: Random, shift: int
) -> None:
    lanes, size = warp
    width = 128 // size
    shuffled: list[int] = []
    for start in range(0, 32, width):
        shuffled += random.sample(lanes[start : start + width], width)
    moved = [word if word < 0 else word + 32 * shift for word in lanes]
    operation = "store" if operation == "load" else operation  # which loads merge depends on who is whose neighbour
    assert wavefronts(shuffled, size, operation, "hardware") == wavefronts(lanes, size, operation, "hardware")
    assert wavefronts(moved, size, operation, "source") == wavefronts(lanes, size, operation, "source")


@given(st.integers(0, 10_000), st.sampled_from(["load", "store"]))
def test_a_broadcast_takes_one_wavefront(word: int, operation: str) -> None:
    assert wavefronts([word] * 32, 4, operation, "hardware") == 1
    assert ideal([word] * 32, 4, operation) == 1


@settings(settings.get_profile("analysis"))
@given(warps())
def test_atomics_cost_what_stores_do_where_no_two_lanes_meet_and_more_elsewhere(warp: tuple[list[int], int]) -> None:
    lanes, size = warp
    apart = [lane * size // 4 + 32 * word if word >= 0 else word for lane, word in enumerate(lanes)]
    assert wavefronts(apart, size, "atomic", "source") == wavefronts(apart, size, "store", "source")
    assert wavefronts(lanes, size, "atomic", "source") >= wavefronts(lanes, size, "store", "source")
    assert wavefronts(lanes, size, "compare-and-swap", "source") == 2 * wavefronts(lanes, size, "atomic", "source")


@given(st.integers(0, 100), st.integers(0, 5), st.integers(0, 15))
def test_a_stride_conflicts_by_its_power_of_two(start: int, power: int, odd: int) -> None:
    stride = (2 * odd + 1) << power
    assert wavefronts([start + stride * lane for lane in range(32)], 4, "load", "hardware") == 1 << power


@settings(settings.get_profile("analysis"))
@given(st.lists(st.one_of(st.integers(0, 400), st.none()), min_size=32, max_size=32), st.sampled_from([1, 2, 4, 8, 16]), st.booleans())
def test_sectors_are_those_that_the_bytes_lie_in(places: list[int | None], size: int, aligned: bool) -> None:
    addresses = [None if place is None else place * (size if aligned else 1) for place in places]
    active = np.array([[address is not None for address in addresses]])
    found = cost(np.array([[address or 0 for address in addresses]], np.int64), active, size)
    touched = {address + byte for address in addresses if address is not None for byte in range(size)}
    assert found.sectors[0] == len({byte // 32 for byte in touched})
    assert found.lines[0] == len({byte // 128 for byte in touched})
    assert found.bytes_used[0] == len(touched)
    assert found.bytes_requested[0] == size * active.sum()
    assert found.ideal[0] == -(-len(touched) // 32)
    assert found.ideal[0] <= found.sectors[0] <= 32 * (1 if aligned else 2)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["load", "store", "atomic"]),
        st.sampled_from([1, 4, 8]),
        st.lists(st.one_of(st.integers(0, 12), st.none()), min_size=1, max_size=4),
        st.sampled_from([0, 30]),
        st.sampled_from(["", "barrier", "sync_warp", "sync_first_warp", "next_block"]),
    ),
    max_size=6,
)
WARPS_MEET = {"sync_warp": range(64), "sync_first_warp": range(32), "sync_some": range(16, 31)}
"""The lanes that take part."""


def recorded(rows: list[tuple[str, int, list[int | None], int, str]], array: str) -> Trace:
    """Lanes around the border of two warps access a few bytes of one array; each row stands on its own line."""
    recorder = Recorder(threads=64, recorded_values=False)
    for line, (operation, size, places, first, then) in enumerate(rows, start=1):
        lanes = [None] * first + [None if place is None else place // size * size for place in places]
        recorder.access(operation, array, line, lanes, size=size)
        if then in WARPS_MEET:
            recorder.sync_warp(WARPS_MEET[then])
        elif then:
            getattr(recorder, then)()
    return recorder.trace()


def race_lines(trace: Trace, *, shared: bool) -> set[tuple[int, ...]]:
    """The definition of a data race, tried on every pair of accesses."""
    rows, accesses = trace.rows, []
    for row in range(len(rows.site)):
        site = trace.sites[rows.site[row]]
        for lane in np.flatnonzero(trace.masks[rows.mask[row]]).tolist():
            start = int(trace.bases[rows.base[row], lane] + rows.offset[row])
            accesses.append((site, lane, set(range(start, start + site.bytes)), row))
    found = set()
    for (site, lane, touched, row), (other, other_lane, others, later) in combinations(accesses, 2):
        apart = rows.block[row] != rows.block[later]
        met = any(row < event.row <= later and trace.masks[event.mask, [lane, other_lane]].all() for event in trace.barriers)
        ordered = rows.epoch[row] != rows.epoch[later] or (lane // 32 == other_lane // 32 and met)
        unordered = apart or (lane != other_lane and not ordered)
        conflicting = {site.operation, other.operation} not in ({"load"}, {"atomic"})
        if unordered and conflicting and touched & others and not (shared and apart):
            found.add(tuple(sorted((site.location.line, other.location.line))))
    return found


@settings(settings.get_profile("analysis"), max_examples=150)
@given(ROWS, st.sampled_from(["s", "a"]))
def test_races_are_exactly_those_of_the_definition(rows: list[tuple[str, int, list[int | None], int, str]], array: str) -> None:
    trace = recorded(rows, array)
    found = races(trace)
    lines = {tuple(sorted((each.location.line, each.other.line if each.other else 0))) for each in found}
    assert len(lines) == len(found)
    assert lines == race_lines(trace, shared=array == "s")


@settings(settings.get_profile("analysis"), max_examples=150)
@given(ROWS, st.sampled_from(["s", "a"]))
def test_where_a_part_of_a_warp_meets_nothing_is_reported_that_is_no_race(
    rows: list[tuple[str, int, list[int | None], int, str]], array: str
) -> None:
    partly = [(operation, size, places, first, then.replace("first_warp", "some")) for operation, size, places, first, then in rows]
    trace = recorded(partly, array)
    for found in races(trace):
        assert found.other is not None
        assert tuple(sorted((found.location.line, found.other.line))) in race_lines(trace, shared=array == "s")


@settings(settings.get_profile("analysis"))
@given(st.integers(1, 6), st.permutations(range(4)))
def test_the_order_of_blocks_does_not_matter(shift: int, order: list[int]) -> None:
    def lines(blocks: list[int]) -> set[int]:
        recorder = Recorder()
        for block in blocks:
            recorder.store("a", 3, words(*range(8 * shift * block, 8 * shift * block + 32)))
            recorder.next_block()
        return {found.location.line for found in races(recorder.trace())}

    assert lines(order) == lines(list(range(4))) == (set() if shift >= 4 else {3})


@settings(settings.get_profile("analysis"))
@given(
    st.sampled_from(list(ARCHITECTURES)), st.integers(1, 1024), st.integers(1, 254), st.integers(0, 48 * 1024),
    st.integers(1, 10_000), st.integers(1, 200),
)  # fmt: skip
def test_occupancy_never_grows_with_what_a_block_takes(
    capability: str, threads: int, registers: int, shared: int, blocks: int, sms: int
) -> None:
    found = occupancy(capability, threads, registers, shared)
    assert 0.0 <= found.occupancy <= 1.0
    assert found.warps_per_sm == found.blocks_per_sm * -(-threads // 32)
    assert found.blocks_per_sm * threads * registers <= REGISTERS
    assert occupancy(capability, threads, registers + 1, shared).blocks_per_sm <= found.blocks_per_sm
    assert occupancy(capability, threads, registers, shared + 1024).blocks_per_sm <= found.blocks_per_sm
    if found.blocks_per_sm:
        served = waves(blocks, found.blocks_per_sm, sms)
        assert served.full * served.blocks_per_wave + served.tail == blocks
        assert 0 < served.efficiency <= 1
