"""The compiled cache model beside its definition in plain Python, on accesses of every kind."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.cachesim import stream
from kernels.cachesim.caches import WRITE_BACKS, Caches
from kernels.cachesim.geometry import Hierarchy
from kernels.cachesim.model import KINDS, simulate
from tests.cache_accesses import ARRAYS, PLACES, READ, Access, accesses, hierarchies, packed, perform
from tests.cache_oracle import oracle


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
