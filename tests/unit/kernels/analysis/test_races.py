"""Each way to race is found at its lines; each pattern that is in order is left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kernels.analysis.races import races
from tests.launches.analysis_traces import Recorder, words

Row = list[int | None]
OWN: Row = words(*range(32))
OWN_64: Row = words(*range(64))
NEXT: Row = words(*range(1, 32), 0)
NEXT_64: Row = words(*range(1, 64), 0)
OTHER_WARP: Row = words(*range(32, 64), *range(32))
ONE: Row = words(*[0] * 32)
NONE = [False] * 32


def missing_barrier(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, OWN_64)
    recorder.load("s", 5, OTHER_WARP)


def write_after_read(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.load("s", 3, OTHER_WARP)
    recorder.store("s", 5, OWN_64)


def within_a_warp(recorder: Recorder) -> None:
    recorder.store("s", 3, OWN)
    recorder.load("s", 5, NEXT)


def within_a_warp_of_a_wider_block(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, words(*range(64)))
    recorder.load("s", 5, words(*range(1, 32), 0, *range(33, 64), 32))


def warp_sync_between_warps(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, OWN_64)
    recorder.sync_warp()
    recorder.load("s", 5, OTHER_WARP)


def atomic_and_plain_read(recorder: Recorder) -> None:
    recorder.atomic("s", 3, ONE)
    recorder.load("s", 5, words(*range(32)))


def atomic_and_plain_store(recorder: Recorder) -> None:
    recorder.store("s", 3, words(0))
    recorder.atomic("s", 5, ONE)


def overlapping_sizes(recorder: Recorder) -> None:
    recorder.access("store", "s", 3, [16 * lane for lane in range(32)], size=16)
    recorder.load("s", 5, words(*range(1, 33)))


def one_byte_of_a_word(recorder: Recorder) -> None:
    recorder.access("store", "s", 3, list(range(32)), size=1)
    recorder.load("s", 5, words(*range(8)))


def two_values_at_once(recorder: Recorder) -> None:
    recorder.store("s", 3, OWN)
    recorder.barrier()
    recorder.store("s", 5, ONE, lost=[*[True] * 31, False])


def two_values_one_after_the_other(recorder: Recorder) -> None:
    recorder.store("s", 3, words(7))
    recorder.store("s", 5, words(None, 7))


def two_blocks_store(recorder: Recorder) -> None:
    recorder.store("a", 3, OWN)
    recorder.next_block()
    recorder.store("a", 3, OWN)


def one_block_reads_what_another_writes(recorder: Recorder) -> None:
    recorder.store("a", 3, OWN)
    recorder.next_block()
    recorder.barrier()
    recorder.load("a", 5, OWN)


def global_missing_barrier(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("a", 3, OWN_64)
    recorder.load("a", 5, NEXT_64)


def only_in_the_third_interval(recorder: Recorder) -> None:
    for number in range(4):
        recorder.store("s", 3, OWN)
        if number != 2:
            recorder.sync_warp()
        recorder.load("s", 5, NEXT)
        recorder.barrier()


def only_another_warp_meets(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, OWN_64)
    recorder.sync_warp(range(32))
    recorder.load("s", 5, words(*(lane ^ 1 for lane in range(64))))


def only_half_a_warp_meets(recorder: Recorder) -> None:
    recorder.store("s", 3, OWN)
    recorder.sync_warp(range(16))
    recorder.load("s", 5, words(*(lane ^ 1 for lane in range(32))))


def halves_of_a_warp_that_do_not_meet(recorder: Recorder) -> None:
    recorder.store("s", 3, OWN)
    recorder.sync_warp(range(16))
    recorder.sync_warp(range(16, 32))
    recorder.load("s", 5, words(*(lane ^ 16 for lane in range(32))))


def one_that_stayed_away_reads_before(recorder: Recorder) -> None:
    recorder.load("s", 3, words(*[None] * 31, 0))
    recorder.sync_warp(range(16))
    recorder.store("s", 5, words(0))


def another_warp_meets_in_the_second_interval(recorder: Recorder) -> None:
    recorder.threads = 64
    for lanes in (range(64), range(32)):
        recorder.store("s", 3, OWN_64)
        recorder.sync_warp(lanes)
        recorder.load("s", 5, words(*(lane ^ 1 for lane in range(64))))
        recorder.barrier()


def unequal_in_the_second_interval(recorder: Recorder) -> None:
    recorder.store("s", 3, ONE, lost=NONE)
    recorder.barrier()
    recorder.store("s", 3, ONE, lost=[*[True] * 31, False])


def changed_in_the_second_interval(recorder: Recorder) -> None:
    for change in (False, True):
        recorder.store("s", 3, words(0))
        recorder.store("s", 5, words(None, 0), changed=[False, change])
        recorder.barrier()


RACES: list[tuple[Callable[[Recorder], None], tuple[int, int]]] = [
    (missing_barrier, (5, 3)),
    (write_after_read, (5, 3)),
    (within_a_warp, (5, 3)),
    (within_a_warp_of_a_wider_block, (5, 3)),
    (warp_sync_between_warps, (5, 3)),
    (atomic_and_plain_read, (5, 3)),
    (atomic_and_plain_store, (5, 3)),
    (overlapping_sizes, (5, 3)),
    (one_byte_of_a_word, (5, 3)),
    (two_values_at_once, (5, 5)),
    (two_values_one_after_the_other, (5, 3)),
    (two_blocks_store, (3, 3)),
    (one_block_reads_what_another_writes, (5, 3)),
    (global_missing_barrier, (5, 3)),
    (only_in_the_third_interval, (5, 3)),
    (only_another_warp_meets, (5, 3)),
    (only_half_a_warp_meets, (5, 3)),
    (halves_of_a_warp_that_do_not_meet, (5, 3)),
    (one_that_stayed_away_reads_before, (5, 3)),
    (another_warp_meets_in_the_second_interval, (5, 3)),
    (unequal_in_the_second_interval, (3, 3)),
    (changed_in_the_second_interval, (5, 3)),
]


each_race = pytest.mark.parametrize(("kernel", "lines"), RACES, ids=lambda value: getattr(value, "__name__", None))


@each_race
def test_a_race_is_found_at_its_lines(kernel: Callable[[Recorder], None], lines: tuple[int, int]) -> None:
    recorder = Recorder()
    kernel(recorder)
    (found,) = races(recorder.trace())
    assert found.kind == "data-race"
    assert found.other is not None
    assert (found.location.line, found.other.line) == lines
    assert len(found.threads) == 2
    assert found.threads[0] != found.threads[1] or found.other_block is not None


@each_race
def test_a_long_trace_is_looked_at_in_parts(
    kernel: Callable[[Recorder], None], lines: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder()
    kernel(recorder)
    whole = races(recorder.trace())
    monkeypatch.setattr("kernels.analysis.accesses.LANES_AT_ONCE", 1)
    assert races(recorder.trace()) == whole


def tiled(recorder: Recorder) -> None:
    recorder.threads = 64
    for _ in range(3):
        recorder.load("a", 2, OWN_64)
        recorder.store("s", 3, OWN_64)
        recorder.barrier()
        for shift in range(4):
            recorder.load("s", 5, words(*((lane + shift) % 64 for lane in range(64))))
        recorder.barrier()
    recorder.store("b", 8, OWN_64)


def double_buffered(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, OWN_64)
    for stage in range(4):
        recorder.barrier()
        recorder.load("s", 5, words(*((lane + 1) % 64 + stage % 2 * 64 for lane in range(64))))
        recorder.store("s", 6, words(*(lane + (stage + 1) % 2 * 64 for lane in range(64))))


def warp_synchronous(recorder: Recorder) -> None:
    for shift in (16, 8, 4, 2, 1):
        recorder.load("s", 3, words(*(lane + shift for lane in range(32))))
        recorder.sync_warp()
        recorder.store("s", 5, OWN)
        recorder.sync_warp()


def ever_fewer_threads_meet(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 2, OWN_64)
    recorder.sync_warp()
    for width in (16, 8, 4, 2, 1):
        lanes = [lane for lane in range(64) if lane % 32 < width]
        recorder.load("s", 3, words(*(lane + width if lane in lanes else None for lane in range(64))))
        recorder.sync_warp(lanes)
        recorder.store("s", 5, words(*(lane if lane in lanes else None for lane in range(64))))
        recorder.sync_warp(lanes)


def tiles_meet_on_their_own(recorder: Recorder) -> None:
    for _ in range(2):
        recorder.store("s", 3, OWN)
        for first in range(0, 32, 8):
            recorder.sync_warp(range(first, first + 8))
        recorder.load("s", 5, words(*(lane ^ 7 for lane in range(32))))
        for first in range(0, 32, 8):
            recorder.sync_warp(range(first, first + 8))


def own_elements_only(recorder: Recorder) -> None:
    for _ in range(3):
        recorder.load("s", 3, OWN)
        recorder.store("s", 4, OWN)


def broadcast(recorder: Recorder) -> None:
    recorder.load("s", 3, ONE)
    recorder.load("s", 4, OWN)


def atomics_alone(recorder: Recorder) -> None:
    recorder.atomic("s", 3, ONE)
    recorder.atomic("s", 4, OWN)
    recorder.barrier()
    recorder.load("s", 6, OWN)


def bytes_side_by_side(recorder: Recorder) -> None:
    recorder.access("store", "s", 3, list(range(32)), size=1)


def blocks_apart(recorder: Recorder) -> None:
    for block in range(4):
        recorder.store("a", 3, words(*range(32 * block, 32 * block + 32)))
        recorder.load("b", 4, OWN)
        recorder.next_block()


def blocks_add_atomically(recorder: Recorder) -> None:
    for _ in range(4):
        recorder.atomic("a", 3, ONE)
        recorder.next_block()


def blocks_have_shared_memory_of_their_own(recorder: Recorder) -> None:
    recorder.store("s", 3, words(0))
    recorder.next_block()
    recorder.store("s", 3, words(None, 0))


def inactive_lanes_touch_nothing(recorder: Recorder) -> None:
    recorder.store("s", 3, words(0))
    recorder.load("s", 5, words(None, *range(1, 32)))


def a_barrier_between(recorder: Recorder) -> None:
    recorder.threads = 64
    recorder.store("s", 3, OWN_64)
    recorder.barrier()
    recorder.load("s", 5, OTHER_WARP)


def equal_values_in_one_row(recorder: Recorder) -> None:
    recorder.store("s", 3, ONE)


def the_value_that_is_there(recorder: Recorder) -> None:
    recorder.store("a", 3, ONE)
    recorder.next_block()
    recorder.store("a", 3, ONE, changed=NONE)


CLEAN: list[Callable[[Recorder], None]] = [
    tiled, double_buffered, warp_synchronous, ever_fewer_threads_meet, tiles_meet_on_their_own,
    own_elements_only, broadcast, atomics_alone, bytes_side_by_side, blocks_apart,
    blocks_add_atomically, blocks_have_shared_memory_of_their_own, inactive_lanes_touch_nothing, a_barrier_between,
    equal_values_in_one_row, the_value_that_is_there,
]  # fmt: skip


@pytest.mark.parametrize("kernel", CLEAN)
def test_nothing_is_reported_on_what_is_in_order(kernel: Callable[[Recorder], None]) -> None:
    recorder = Recorder()
    kernel(recorder)
    assert races(recorder.trace()) == ()


def test_without_recorded_values_stores_count_as_unequal() -> None:
    recorder = Recorder(recorded_values=False)
    recorder.store("s", 3, ONE)
    assert [found.location.line for found in races(recorder.trace())] == [3]


def test_a_race_names_threads_blocks_element_and_reason() -> None:
    recorder = Recorder(threads=64)
    recorder.store("s", 3, [None] * 40 + words(35))
    recorder.load("s", 5, words(None, 35))
    (found,) = races(recorder.trace())
    assert found.threads == ((1, 0, 0), (40, 0, 0))
    assert found.other_block is None
    assert str(found.message) == "s[1][3]: warp 1 writes it on line 3, warp 0 reads it on line 5. No __syncthreads() stands between."
    recorder = Recorder()
    one_block_reads_what_another_writes(recorder)
    (found,) = races(recorder.trace())
    assert (found.block, found.other_block) == ((1, 0, 0), (0, 0, 0))
    assert "grid-wide" in str(found.message)


def test_a_race_within_warps_and_between_them_asks_for_the_barrier_of_the_block() -> None:
    recorder = Recorder(threads=64)
    recorder.store("s", 3, words(*range(64)))
    recorder.load("s", 5, words(*(lane ^ 1 for lane in range(64))))
    recorder.load("s", 5, words(*(lane ^ 33 for lane in range(64))))
    (found,) = races(recorder.trace())
    assert str(found.message).endswith("No __syncthreads() stands between.")
    assert {lane // 32 for (lane, _, _) in found.threads} == {0, 1}


def test_the_barrier_of_the_block_is_also_asked_for_where_another_interval_needs_only_that_of_a_warp() -> None:
    recorder = Recorder(threads=64)
    for partner in (1, 33):
        recorder.store("s", 3, words(*range(64)))
        recorder.load("s", 5, words(*(lane ^ partner for lane in range(64))))
        recorder.barrier()
    (found,) = races(recorder.trace())
    assert str(found.message).endswith("No __syncthreads() stands between.")


def test_who_reads_what_other_warps_write_too_is_told_of_the_barrier_of_the_block_alone() -> None:
    """Of a tile of A a warp reads what it wrote itself, of B also what others wrote: `__syncwarp` would mend half."""
    recorder = Recorder(threads=64)
    recorder.store("a", 3, words(*range(64)))
    recorder.store("b", 4, words(*range(64)))
    recorder.load("a", 5, words(*(lane ^ 1 for lane in range(64))))
    recorder.load("b", 5, words(*(lane ^ 33 for lane in range(64))))
    assert [found.other and found.other.line for found in races(recorder.trace())] == [3, 4]
    assert all(str(found.message).endswith("No __syncthreads() stands between.") for found in races(recorder.trace()))


def test_a_race_within_a_warp_alone_asks_for_the_barrier_of_the_warp() -> None:
    recorder = Recorder(threads=64)
    recorder.store("s", 3, words(*range(64)))
    recorder.load("s", 5, words(*(lane ^ 1 for lane in range(64))))
    (found,) = races(recorder.trace())
    assert "lane 1 of warp 0 writes it on line 3, lane 0 of warp 0 reads it on line 5." in str(found.message)
    assert "__syncwarp()" in str(found.message)


def test_only_the_part_of_an_array_that_is_touched_is_looked_at() -> None:
    recorder = Recorder(threads=64)
    recorder.store("b", 3, [None] * 40 + words(16_383))
    recorder.load("b", 5, words(12_000, 16_383))
    (found,) = races(recorder.trace())
    assert str(found.message).startswith("b[16383]: warp 1 writes it on line 3, ")


def test_anything_may_stand_in_lanes_that_take_no_part() -> None:
    recorder = Recorder()
    within_a_warp(recorder)
    recorder.store("a", 8, words(5, *[None] * 31))
    recorder.load("a", 9, words(None, 5))
    trace = recorder.trace()
    active = np.array([trace.masks[trace.rows.mask[trace.rows.base == base]].any(axis=0) for base in range(len(trace.bases))])
    for garbage in (-(1 << 63), (1 << 63) - 1):
        assert races(replace(trace, bases=np.where(active, trace.bases, garbage))) == races(trace)


def test_equal_intervals_are_counted_each() -> None:
    recorder = Recorder()
    for _ in range(10):
        within_a_warp(recorder)
        recorder.barrier()
    (found,) = races(recorder.trace())
    assert found.count == 10 * 32
    assert found.row == 1


def test_every_pair_of_lines_is_reported_once() -> None:
    recorder = Recorder()
    for _ in range(2):
        recorder.store("s", 3, OWN)
        recorder.load("s", 5, NEXT)
        recorder.load("s", 6, NEXT)
    found = races(recorder.trace())
    assert {(each.location.line, each.other.line if each.other else 0) for each in found} == {(5, 3), (6, 3)}


COUNT = 8000


def last_block_reads(recorder: Recorder, *, fenced: int = 3, counts_in: bool = True, barrier: bool = True) -> None:
    """Each block stores its part and counts itself in; all threads of the last one then read all parts and reset the counter.

    The first `fenced` blocks have a fence between the two."""
    for block in range(3):
        recorder.store("a", 3, words(64 * block))
        if block < fenced:
            recorder.fence()
        if counts_in:
            recorder.atomic("a", 4, words(COUNT))
        if block < 2:
            recorder.next_block()
    if barrier:
        recorder.barrier()
    recorder.load("a", 6, words(0, 64, 128))
    recorder.store("a", 7, words(COUNT))


def test_what_an_atomic_publishes_may_be_read_by_other_blocks() -> None:
    recorder = Recorder()
    last_block_reads(recorder)
    assert races(recorder.trace()) == ()


@pytest.mark.parametrize(
    ("fenced", "counts_in", "barrier", "lines"),
    [(0, True, True, {(6, 3), (7, 4)}), (1, True, True, {(6, 3)}), (3, False, True, {(6, 3)}), (3, True, False, {(6, 3)})],
)
def test_without_fence_counter_or_barrier_nothing_is_published(
    fenced: int, counts_in: bool, barrier: bool, lines: set[tuple[int, int]]
) -> None:
    recorder = Recorder()
    last_block_reads(recorder, fenced=fenced, counts_in=counts_in, barrier=barrier)
    assert {(each.location.line, each.other.line if each.other else 0) for each in races(recorder.trace())} == lines


def test_a_block_that_reads_before_it_counts_itself_in_races() -> None:
    recorder = Recorder()
    recorder.store("a", 3, words(0))
    recorder.fence()
    recorder.atomic("a", 4, words(COUNT))
    recorder.next_block()
    recorder.load("a", 5, words(0))
    recorder.atomic("a", 6, words(COUNT))
    (found,) = races(recorder.trace())
    assert found.location.line == 5


def test_an_empty_trace_has_no_races() -> None:
    assert races(Recorder().trace()) == ()
