"""Questions to a trace: rows by line, block, warp and barrier interval; the addresses of one warp instruction."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.launches.trace_queries import addresses, intervals, rows_of_block, rows_of_interval, rows_of_line, rows_of_warp, warp_addresses

TEXT = """
__global__ void reverse(const int* x, int* y)
{
    __shared__ int s[40];
    int t = threadIdx.x;
    s[t] = x[40 * blockIdx.x + t];
    __syncthreads();
    if (t < 8)
        y[40 * blockIdx.x + t] = s[39 - t];
}
"""
LOAD_LINE, STORE_LINE = 6, 9


@pytest.fixture(scope="module")
def trace() -> Trace:
    request = LaunchRequest((2, 1, 1), (40, 1, 1), {"x": Filled(80, Fill.ARANGE), "y": Filled(80)})
    return execute(lower(parse(TEXT), "reverse"), request)


def operations(trace: Trace, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[tuple[str, str, int]]:
    sites = [trace.sites[number] for number in trace.rows.site[rows]]
    return [(site.operation, site.space.value, site.location.line) for site in sites]


BEFORE = [("load", "global", LOAD_LINE), ("store", "shared", LOAD_LINE)]
AFTER = [("load", "shared", STORE_LINE), ("store", "global", STORE_LINE)]


def test_rows_of_a_line(trace: Trace) -> None:
    assert operations(trace, rows_of_line(trace, LOAD_LINE)) == 2 * BEFORE
    assert len(rows_of_line(trace, 5)) == 0
    assert len(rows_of_line(trace, LOAD_LINE, "other.cuh")) == 0


def test_rows_of_a_block_are_all_of_it_and_in_order(trace: Trace) -> None:
    first, second = rows_of_block(trace, 0), rows_of_block(trace, 1)
    assert [*first, *second] == list(range(8))
    assert operations(trace, first) == BEFORE + AFTER


def test_rows_of_a_warp_are_those_in_which_a_lane_takes_part(trace: Trace) -> None:
    assert operations(trace, rows_of_warp(trace, 1, 0)) == BEFORE + AFTER
    assert operations(trace, rows_of_warp(trace, 1, 1)) == BEFORE


def test_rows_between_barriers(trace: Trace) -> None:
    assert intervals(trace, 0) == (0, 1)
    assert operations(trace, rows_of_interval(trace, 1, 0)) == BEFORE
    assert operations(trace, rows_of_interval(trace, 1, 1)) == AFTER
    assert len(rows_of_interval(trace, 1, 2)) == 0


def test_addresses_of_a_warp_instruction(trace: Trace) -> None:
    load, _, shared, store = rows_of_block(trace, 1).tolist()
    x, y = (next(each.address for each in trace.allocations if each.name == name) for name in "xy")
    assert addresses(trace, load).tolist() == [x + 4 * (40 + t) if t < 40 else -1 for t in range(64)]
    assert warp_addresses(trace, load, 1).tolist() == [x + 4 * (40 + t) if t < 40 else -1 for t in range(32, 64)]
    assert warp_addresses(trace, store, 0).tolist() == [y + 4 * (40 + t) if t < 8 else -1 for t in range(32)]
    start = next(each.address for each in trace.allocations if each.name == "s")
    assert warp_addresses(trace, shared, 0).tolist() == [start + 4 * (39 - t) if t < 8 else -1 for t in range(32)]
