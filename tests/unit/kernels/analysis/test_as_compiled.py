"""What is left of the accesses of a text where its machine code has fewer: joined with their neighbours, or kept in registers."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.as_compiled import as_compiled
from kernels.analysis.workload import workload
from kernels.simt.base.launch import Filled
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch, requests

PLACE = (4, "load", "shared")
ROWS = """__global__ void k(float* out, int stride) {
    __shared__ __align__(16) float tile[64 * 20];
    for (int i = threadIdx.x; i < 64 * 20; i += 32) tile[i] = i; __syncthreads(); float sum = 0;
    for (int k = 0; k < 8; ++k) for (int r = 0; r < 2; ++r) sum += tile[(threadIdx.x * 2 + r) * stride + k];
    out[threadIdx.x] = sum;
}
"""
SUMS = """__global__ void k(const float* in, float* out, int n) {
    int t = threadIdx.x;
    out[t] = 0;
    for (int i = 0; i < n; ++i)
        out[t] += in[t * n + i];
}
"""


def reads(stride: int) -> Trace:
    """16 elements a thread, neighbours one after the next but one."""
    return launch(ROWS, 1, 32, {"out": Filled(32), "stride": stride})


@pytest.mark.parametrize(
    ("stride", "widths", "left"),
    [
        pytest.param(20, {4: 16}, 16, id="as written"),
        pytest.param(20, {8: 8}, 8, id="two by two"),
        pytest.param(20, {16: 4}, 4, id="four by four"),
        pytest.param(20, {4: 2, 16: 4}, 4, id="the rest apart"),
        pytest.param(18, {8: 8, 16: 4}, 8, id="rows that begin at multiples of 8 bytes alone"),
        pytest.param(17, {8: 8, 16: 4}, 16, id="rows that begin anywhere"),
    ],
)
def test_neighbours_are_joined_also_where_others_are_read_in_between(stride: int, widths: dict[int, int], left: int) -> None:
    trace = reads(stride)
    assert requests(trace, "load", 4) == 16
    found = as_compiled(trace, {PLACE: widths})
    assert requests(found, "load", 4) == left
    assert {site.bytes for site in found.sites if site.operation == "load"} == {4 * 16 // left}
    assert requests(found, "store") == requests(trace, "store")


def test_what_does_not_lie_side_by_side_is_not_joined() -> None:
    text = ROWS.replace("* stride + k", "* stride + k * 2 % 15")
    trace = launch(text, 1, 32, {"out": Filled(32), "stride": 20})
    assert requests(as_compiled(trace, {PLACE: {8: 8}}), "load", 4) == 16


@pytest.mark.parametrize(("loads", "left"), [pytest.param(8, 5, id="the sum is kept"), pytest.param(16, 10, id="the sum is read again")])
def test_what_was_just_stored_is_not_loaded_where_the_machine_code_has_no_load_for_it(loads: int, left: int) -> None:
    trace = launch(SUMS, 1, 32, {"in": np.ones(160, np.float32), "out": Filled(32), "n": 5})
    assert requests(trace, "load") == 10
    machine = {(5, "load", "global"): {4: loads}, (5, "store", "global"): {4: 8}}
    assert requests(as_compiled(trace, machine), "load") == left
    assert requests(as_compiled(trace, machine), "store") == 6


@pytest.mark.parametrize(
    ("widths", "pieces"),
    [
        pytest.param({4: 4}, 4, id="element by element"), pytest.param({8: 2}, 2, id="two by two"),
        pytest.param({16: 1}, 1, id="at once"), pytest.param({4: 3}, 1, id="what does not come to whole ones"),
        pytest.param({4: 2, 8: 1}, 1, id="of two widths"),
    ],
)  # fmt: skip
def test_what_is_moved_in_pieces_is_as_many_accesses_each_of_the_sectors_that_it_touches(widths: dict[int, int], pieces: int) -> None:
    text = """__global__ void k(const float4* in, float4* out) {
    out[threadIdx.x] = in[threadIdx.x];
}
"""
    trace = launch(text, 1, 32, {"in": Filled(128), "out": Filled(128)})
    work = workload(as_compiled(trace, {(2, "store", "global"): widths}))
    assert (work.global_store_requests, work.global_store_sectors) == (pieces, 16 * pieces)
    assert (work.global_load_requests, work.global_load_sectors) == (1, 16)
