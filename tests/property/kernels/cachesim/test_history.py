"""What is noted of every access, and what a level held at any moment, beside the definition in plain Python."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.cachesim.caches import Caches
from kernels.cachesim.events import COLUMNS, simulate_noting
from kernels.cachesim.geometry import Hierarchy, Replacement
from kernels.cachesim.history import HIT, MISS, NOT_REACHED, LevelHistory
from kernels.cachesim.stream import Accesses
from tests.caches.cache_accesses import STREAM, Access, accesses, hierarchies, packed, perform
from tests.caches.cache_oracle import OracleLevel, oracle


def noted(hierarchy: Hierarchy, given_accesses: list[Access]) -> list[LevelHistory]:
    entries = packed(given_accesses)
    events = np.empty((len(entries) * 100 + 1, COLUMNS), np.int64)
    used = simulate_noting(entries, Caches.empty(hierarchy).levels, len(hierarchy.levels), 0, events)
    columns = [events[:used][events[:used, 0] == number, 1:] for number in range(len(hierarchy.all_levels))]
    unpacked = Accesses.unpacked(entries)
    return [LevelHistory.of(level, each, unpacked, keyframe_events=7) for level, each in zip(hierarchy.all_levels, columns, strict=True)]


def held(level: OracleLevel) -> tuple[list[list[int]], list[list[int]]]:
    """The line in each way of each set, and its age, -1 where there is none."""
    lines = [[-1 if way.line is None else way.line for way in ways] for ways in level.sets]
    ages = []
    for ways in level.sets:
        in_use = [way for way in ways if way.line is not None]
        by_arrival = level.level.replacement is Replacement.FIFO
        newest_first = sorted(in_use, key=attrgetter("came" if by_arrival else "used"), reverse=True)
        order = [way.line for way in newest_first]
        ages.append([-1 if way.line is None else order.index(way.line) for way in ways])
    return lines, ages


@settings(deadline=None)  # the first example compiles the model
@given(hierarchies(), accesses)
def test_each_line_is_noted_with_its_set_its_way_and_what_left(hierarchy: Hierarchy, given_accesses: list[Access]) -> None:
    expected = oracle(hierarchy)
    perform(hierarchy, expected, given_accesses)
    for found, level in zip(noted(hierarchy, given_accesses), expected, strict=True):
        columns = (found.line, found.set, found.way, found.found, found.left)
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        looked_up = [tuple(-1 if value is None else value for value in event) for event in level.events]
        assert [row for row in rows if row[0] != -1] == looked_up
        assert [row[4] for row in rows if row[0] == -1] == level.dropped
        reached = int((found.outcome != NOT_REACHED).sum())
        streams = sum(kind == STREAM for _, _, kind in given_accesses) if level is expected[0] else 0
        assert reached == level.reads + level.writes - streams
        assert int((found.outcome == MISS).sum()) == level.read_misses + level.write_misses
        rate = found.hit_rate()
        if reached:
            assert rate[-1] == (found.outcome == HIT).sum() / reached


@settings(deadline=None)
@given(hierarchies(), accesses, st.data())
def test_the_content_of_a_level_at_any_moment(hierarchy: Hierarchy, given_accesses: list[Access], data: st.DataObject) -> None:
    moment = data.draw(st.integers(0, len(given_accesses)))
    expected = oracle(hierarchy)
    perform(hierarchy, expected, given_accesses[:moment])
    contents = [level.content(moment) for level in noted(hierarchy, given_accesses)]
    for content, level in zip(contents, expected, strict=True):
        assert (content.line.tolist(), content.age.tolist()) == held(level)
        assert ((content.array >= 0) == (content.line >= 0)).all()
