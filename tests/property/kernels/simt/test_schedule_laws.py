"""Any schedule of a kernel without races gives what lock step gives; and a schedule followed again gives all of it again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.simt.base.schedule import SINGLE_LANES, WHOLE_WARP, Hold, Rule, Schedule, Thread
from kernels.simt.run.execution import execute
from kernels.simt.run.scheduled import follow
from tests.oracle.corpus import FOLDER, read

CLEAN = (
    "shuffle-reduction", "half-warp-tiles", "half-warp-masks", "last-block-reduction", "votes", "copy-ahead", "grid-sync",
    "histogram-global-atomics", "warp-reduction-syncwarp",
)  # fmt: skip
RACY = ("counter-without-atomic", "missing-barrier-in-reduction", "warp-exchange", "copy-waited-for-by-each")
THREADS = st.builds(Thread, st.integers(0, 1), st.integers(0, 63))
SCHEDULES = st.builds(
    Schedule,
    st.sampled_from(Rule),
    st.lists(st.builds(Hold, THREADS, st.integers(0, 9), THREADS, st.integers(0, 9)), max_size=2).map(tuple),
    st.sampled_from([(WHOLE_WARP,), (0x00FF00FF, 0xFF00FF00), (1, WHOLE_WARP - 1), SINGLE_LANES]),
    st.integers(0, 1000),
    st.integers(0, 4),
    st.just(200),
    st.booleans(),
)


@pytest.mark.parametrize("name", CLEAN)
@given(schedule=SCHEDULES)
@settings(max_examples=6, deadline=None)
def test_a_kernel_without_races_gives_the_same_by_any_schedule(name: str, schedule: Schedule) -> None:
    case = read(FOLDER / "clean" / f"{name}.cu")
    done = follow(case.kernel, case.request, schedule)
    assert done.ended
    assert done.trace.findings == ()
    for array, values in execute(case.kernel, case.request).values.items():
        assert np.array_equal(done.memory[array], np.ascontiguousarray(values).view(np.uint8).ravel()), array


@pytest.mark.parametrize("name", RACY)
@given(schedule=SCHEDULES)
@settings(max_examples=8, deadline=None)
def test_a_schedule_followed_again_gives_the_same(name: str, schedule: Schedule) -> None:
    case = read(FOLDER / "bugs" / f"{name}.cu")
    one, other = (follow(case.kernel, case.request, schedule) for _ in range(2))
    assert one.turns == other.turns
    assert one.made == other.made
    assert all(np.array_equal(held, other.memory[array]) for array, held in one.memory.items())
    assert np.array_equal(one.trace.rows.offset, other.trace.rows.offset)


@pytest.mark.parametrize("name", RACY)
@given(schedule=SCHEDULES)
@settings(max_examples=8, deadline=None)
def test_turns_cover_all_rows_and_each_is_made_by_those_who_go(name: str, schedule: Schedule) -> None:
    case = read(FOLDER / "bugs" / f"{name}.cu")
    done = follow(case.kernel, case.request, schedule)
    at = 0
    for turn in done.turns:
        assert turn.first >= at
        at = turn.first + turn.rows
        lanes = np.zeros(done.trace.masks.shape[1], np.bool_)
        lanes[32 * turn.warp : 32 * turn.warp + 32] = [bool(turn.lanes >> lane & 1) for lane in range(32)]
        rows = slice(turn.first, at)
        assert (done.trace.rows.block[rows] == turn.block).all()
        if done.trace.rows.issued is None:  # what a copy wrote stands where it was waited for
            assert not (done.trace.masks[done.trace.rows.mask[rows]] & ~lanes).any()
    assert at <= len(done.trace.rows.site)
