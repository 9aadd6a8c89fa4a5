"""Hierarchies and accesses for the tests of the cache model, drawn by hypothesis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kernels.cachesim import stream
from kernels.cachesim.geometry import Hierarchy, Level, Replacement, Writing
from tests.caches.cache_oracle import OracleLevel

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
