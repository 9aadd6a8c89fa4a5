"""The compiled cache model beside its definition in plain Python, on accesses of every kind."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.cachesim import stream
from kernels.cachesim.caches import WRITE_BACKS, Caches
from kernels.cachesim.geometry import Hierarchy, Level, Replacement, Writing
from kernels.cachesim.model import KINDS, simulate
from tests.cache_oracle import OracleLevel, oracle

Access = tuple[int, int, int]
"""Address, size, kind."""
READ, WRITE, STREAM = 0, 2, 3
PLACES, ARRAYS = 3, 2


@st.composite
def levels(draw: st.DrawFn, name: str = "L", shortest: int = 4) -> Level:
    replacement = draw(st.sampled_from(Replacement))
    ways = draw(st.sampled_from([1, 2, 4, 8] if replacement is Replacement.PLRU else [1, 2, 3, 4, 7]))
    line = draw(st.sampled_from([size for size in (4, 8, 16, 32) if size >= shortest]))
    sets = draw(st.sampled_from([1, 2, 3, 4]))
    return Level(name, sets * ways * line, ways, line, replacement, draw(st.sampled_from(Writing)))


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    found: list[Level] = []
    for number in range(draw(st.integers(1, 3))):
        found.append(draw(levels(f"L{number + 1}", found[-1].line if found else 4)))
    tlb = draw(st.none() | st.just(Level("TLB", 4 * 64, 4, 64)))
    return Hierarchy("drawn", tuple(found), tlb)


accesses = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from([1, 4, 8, 20, 64]), st.sampled_from([READ, WRITE, STREAM])), max_size=300
)


def packed(given_accesses: list[Access]) -> stream.Entries:
    entries = [
        address | size << stream.SIZE_SHIFT | kind << stream.STREAM_SHIFT
        | (number % ARRAYS) << stream.ARRAY_SHIFT | (number % PLACES) << stream.PLACE_SHIFT
        for number, (address, size, kind) in enumerate(given_accesses)
    ]  # fmt: skip
    return np.array(entries, np.int64)


def perform(hierarchy: Hierarchy, expected: list[OracleLevel], given_accesses: list[Access]) -> None:
    for address, size, kind in given_accesses:
        if kind == STREAM:
            expected[0].writes += 1
            expected[0].stream(address, size)
        else:
            expected[0].access(address, size, kind == WRITE)
        if hierarchy.tlb is not None:
            expected[-1].access(address, size, kind != READ)


@settings(deadline=None)  # the first example compiles the model
@given(hierarchies(), accesses, st.integers(1, 50))
def test_the_model_counts_what_the_definition_counts(hierarchy: Hierarchy, given_accesses: list[Access], chunk: int) -> None:
    expected = oracle(hierarchy)
    perform(hierarchy, expected, given_accesses)
    caches = Caches.empty(hierarchy)
    shadows = caches.shadowed(hierarchy)
    for shadow in shadows:
        shadow.reach(1000)
    counts = np.zeros((len(hierarchy.all_levels), PLACES << stream.ARRAY_BITS, KINDS), np.int64)
    entries = packed(given_accesses)
    for first in range(0, len(entries), chunk):
        simulate(entries[first : first + chunk], caches.levels, len(hierarchy.levels), counts)
    found = [(*counts[number].sum(axis=0).tolist(), int(caches.levels[number, WRITE_BACKS])) for number in range(len(expected))]
    assert found == [(each.reads, each.writes, each.read_misses, each.write_misses, *each.kinds, each.write_backs) for each in expected]


@given(accesses)
def test_what_is_packed_is_unpacked(given_accesses: list[Access]) -> None:
    found = stream.Accesses.unpacked(packed(given_accesses))
    assert list(zip(found.address.tolist(), found.size.tolist(), found.write.tolist(), strict=True)) == [
        (address, size, kind != READ) for address, size, kind in given_accesses
    ]
    assert found.array.tolist() == [number % ARRAYS for number in range(len(found))]
    assert found.place.tolist() == [number % PLACES for number in range(len(found))]
