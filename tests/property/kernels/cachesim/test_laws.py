"""The compiled cache model beside its definition in plain Python, on accesses of every kind."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.cachesim import stream
from kernels.cachesim.caches import WRITE_BACKS, Caches
from kernels.cachesim.geometry import Hierarchy, Level, Replacement
from kernels.cachesim.model import simulate
from kernels.cachesim.passes import KINDS
from tests.caches.cache_accesses import ARRAYS, PLACES, READ, STREAM, WRITE, Access, accesses, hierarchies, packed, perform
from tests.caches.cache_oracle import oracle


@settings(deadline=None)  # the first example compiles the model
@given(hierarchies(), accesses, st.integers(1, 50))
def test_the_model_counts_what_the_definition_counts(hierarchy: Hierarchy, given_accesses: list[Access], chunk: int) -> None:
    expected = oracle(hierarchy)
    perform(hierarchy, expected, given_accesses)
    found = counted(hierarchy, given_accesses, chunk, classified=True)
    assert found == [(each.reads, each.writes, each.read_misses, each.write_misses, *each.kinds, each.write_backs) for each in expected]


@pytest.mark.parametrize("replacement", Replacement)
@pytest.mark.parametrize("ways", [1, 7, 8, 12, 16, 17])
def test_every_place_of_a_set_counts(ways: int, replacement: Replacement) -> None:
    """Many accesses without kinds, to few sets: the model takes several ways of a set at once, and has a short way for the newest."""
    if replacement is Replacement.PLRU and ways & (ways - 1):
        pytest.skip("a tree has a power of two of ways")
    hierarchy = Hierarchy("drawn", (Level("L1", 2 * ways * 4, ways, 4, replacement), Level("L2", 4 * ways * 8, 2 * ways, 8, replacement)))
    draw = np.random.default_rng(ways)
    addresses = draw.integers(0, 32 * ways, 4000) % draw.integers(1, 32 * ways, 4000)
    given_accesses = [(int(address), int(size), int(kind)) for address, size, kind in zip(
        addresses, draw.choice([1, 4], 4000), draw.choice([READ] * 5 + [WRITE] * 5 + [STREAM], 4000), strict=True)]  # fmt: skip
    expected = oracle(hierarchy)
    perform(hierarchy, expected, given_accesses)
    found = [(*numbers[:4], numbers[-1]) for numbers in counted(hierarchy, given_accesses, 1000, classified=False)]
    assert found == [(each.reads, each.writes, each.read_misses, each.write_misses, each.write_backs) for each in expected]


moving = st.tuples(
    st.integers(200, 400), st.integers(-9, 9) | st.sampled_from([0, 1, 16]), st.sampled_from([1, 4, 20]), st.sampled_from([READ, WRITE])
)
"""An access of a loop: where it begins, how far it moves with each iteration, its size and kind."""
Body = list[tuple[int, int, int, int]]
Loop = tuple[Body, int]
loops = st.lists(st.tuples(st.lists(moving, min_size=1, max_size=9), st.integers(1, 20)), max_size=12)


@settings(deadline=None)
@given(hierarchies(), loops, st.booleans())
def test_a_run_counts_as_its_accesses_do(hierarchy: Hierarchy, given_loops: list[Loop], classified: bool) -> None:
    expected = oracle(hierarchy)
    words: list[int] = []
    for body, times in given_loops:
        perform(hierarchy, expected, one_by_one(body, times))
        words += as_run(body, times)
    found = counts_of(hierarchy, [np.array(words, np.int64)], classified=classified)
    assert [(*numbers[:4], numbers[-1]) for numbers in found] == [
        (each.reads, each.writes, each.read_misses, each.write_misses, each.write_backs) for each in expected
    ]
    if classified:
        assert [list(numbers[4:-1]) for numbers in found] == [each.kinds for each in expected]


staying = st.tuples(st.integers(400, 480), st.sampled_from([0, 1, 4]), st.sampled_from([1, 4]), st.sampled_from([READ, WRITE]))
passing = st.tuples(st.integers(400, 480), st.sampled_from([16, -16, 32, 48]), st.sampled_from([1, 20]), st.sampled_from([READ, WRITE]))
"""Accesses that stay in their lines of 16 bytes for a while, and such as come to another each time."""


@settings(deadline=None)
@given(
    st.lists(staying, min_size=3, max_size=6), st.lists(passing, min_size=1, max_size=2), st.randoms(), st.sampled_from([1, 2, 8]),
    st.sampled_from([2, 4, 16, 32]),
)  # fmt: skip
def test_what_stays_in_its_lines_is_skipped_only_where_nothing_else_comes_to_its_sets(
    some: Body, others: Body, draw: Random, ways: int, sets: int
) -> None:
    levels = Level("L1", 16 * ways * sets, ways, 16), Level("L2", 64 * ways * sets, ways, 16)
    hierarchy = Hierarchy("drawn", levels)
    body, times = [*some, *others], 24
    draw.shuffle(body)
    expected = oracle(hierarchy)
    perform(hierarchy, expected, one_by_one(body, times))
    found = counts_of(hierarchy, [np.array(as_run(body, times), np.int64)], classified=False)
    assert [(*numbers[:4], numbers[-1]) for numbers in found] == [
        (each.reads, each.writes, each.read_misses, each.write_misses, each.write_backs) for each in expected
    ]


def one_by_one(body: Body, times: int) -> list[Access]:
    """The accesses of a loop."""
    return [(start + done * stride, size, kind) for done in range(times) for start, stride, size, kind in body]


def as_run(body: Body, times: int) -> list[int]:
    """The same as a run."""
    words = [times | len(body) << stream.SIZE_SHIFT | stream.RUN << stream.STREAM_SHIFT]
    for start, stride, size, kind in body:
        words += [*packed([(start, size, kind)]).tolist(), stride, 0]
    return words


def counted(hierarchy: Hierarchy, given_accesses: list[Access], chunk: int, *, classified: bool) -> list[tuple[int, ...]]:
    """What the model counts of each level, and what it wrote back."""
    entries = packed(given_accesses)
    return counts_of(hierarchy, [entries[first : first + chunk] for first in range(0, len(entries), chunk)], classified=classified)


def counts_of(hierarchy: Hierarchy, chunks: list[stream.Entries], *, classified: bool) -> list[tuple[int, ...]]:
    """The same of what a kernel hands on."""
    caches = Caches.empty(hierarchy, numbered=False)
    shadows = caches.shadowed(hierarchy) if classified else []
    for shadow in shadows:
        shadow.reach(1000)
    counts = np.zeros((len(hierarchy.all_levels), PLACES << stream.ARRAY_BITS, KINDS), np.int64)
    for entries in chunks:
        simulate(entries, caches.levels, len(hierarchy.levels), counts)
    return [(*row.sum(axis=0).tolist(), int(fields[WRITE_BACKS])) for row, fields in zip(counts, caches.levels, strict=True)]


@given(accesses)
def test_what_is_packed_is_unpacked(given_accesses: list[Access]) -> None:
    found = stream.Accesses.unpacked(packed(given_accesses))
    assert list(zip(found.address.tolist(), found.size.tolist(), found.write.tolist(), strict=True)) == [
        (address, size, kind != READ) for address, size, kind in given_accesses
    ]
    assert found.array.tolist() == [number % ARRAYS for number in range(len(found))]
    assert found.place.tolist() == [number % PLACES for number in range(len(found))]
