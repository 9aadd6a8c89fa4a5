"""Laws of the time model: no launch is faster than its busiest part, more work never takes less time, and lookups of lines are bounded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.analysis.analytical_time import Chain, Task, estimate, part_cycles
from kernels.analysis.coalescing import LINE_BYTES, cost
from kernels.analysis.device_profiles import Profile, profiles
from kernels.analysis.occupancy import waves
from kernels.analysis.workload import Workload

PROFILES = [each for each in profiles() if each.latencies is not None]
COUNTS = st.integers(0, 10_000)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    block = Workload(
        global_load_requests=draw(COUNTS), global_store_requests=draw(COUNTS), global_lookups=draw(COUNTS), sectors_read_once=draw(COUNTS),
        global_store_sectors=draw(COUNTS), shared_load_wavefronts=draw(COUNTS), flops=64.0 * draw(COUNTS),
    )  # fmt: skip
    waits = Chain(draw(st.integers(0, 50)), draw(st.integers(0, 50)), draw(st.integers(0, 50)), draw(COUNTS), draw(st.integers(0, 50)))
    matrix_bytes = draw(st.integers(1 << 10, 1 << 30))
    return Task(draw(st.integers(1, 100_000)), draw(st.integers(1, 16)), block, waits, float(draw(COUNTS)), 8.0, matrix_bytes)


@given(tasks(), st.sampled_from(PROFILES))
def test_no_launch_is_faster_than_its_busiest_part(task: Task, profile: Profile) -> None:
    assert profile.latencies is not None
    busiest = max(part_cycles(task, profile).values()) * task.blocks / profile.sms
    least = busiest / (profile.boost_clock_mhz * 1e3) + profile.latencies.launch_us / 1e3
    assert estimate(task, profile).milliseconds >= least * (1 - 1e-9)


@given(tasks(), st.sampled_from(PROFILES), st.integers(1, 10_000))
def test_more_work_never_takes_less_time(task: Task, profile: Profile, more: int) -> None:
    block = replace(task.block, global_lookups=task.block.global_lookups + more, flops=task.block.flops + 64 * more)
    assert estimate(replace(task, block=block), profile).milliseconds >= estimate(task, profile).milliseconds * (1 - 1e-9)


@given(tasks(), st.sampled_from(PROFILES))
def test_a_block_behind_a_full_wave_begins_another_one(task: Task, profile: Profile) -> None:
    full = waves(task.blocks, task.blocks_per_sm, profile.sms).count * task.blocks_per_sm * profile.sms
    least, more = (estimate(replace(task, blocks=count), profile) for count in (full, full + 1))
    assert more.waves == least.waves + 1


@given(st.lists(st.integers(0, 4095), min_size=32, max_size=32), st.lists(st.booleans(), min_size=32, max_size=32))
def test_an_even_and_an_odd_line_are_looked_up_in_a_cycle(words: list[int], lanes: list[bool]) -> None:
    address, active = 4 * np.array([words], np.int64), np.array([lanes], np.bool_)
    found = cost(address, active, 4)
    lines = {word * 4 // LINE_BYTES for word, lane in zip(words, lanes, strict=True) if lane}
    assert found.lookups[0] == max(sum(line % 2 for line in lines), sum(1 - line % 2 for line in lines))
