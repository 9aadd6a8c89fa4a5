"""Kernels whose blocks wait for each other: all of them are executed, in both modes, and what they exchange is right."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.analysis.races import races
from kernels.base.architectures import ARCHITECTURES, Gpu
from kernels.simt.base.launch import Mode
from kernels.simt.base.types import Scope
from kernels.simt.run.execution import NotExecuted
from tests.launches.simt_launch import launch

SCAN = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int keep(int* p) { return *p; }
__global__ void k(int* data, int* sums) {
    cg::grid_group grid = cg::this_grid();
    __shared__ int s[64];
    int t = threadIdx.x, i = grid.thread_rank(), mine = data[i];
    int* pinned = &mine;
    s[t] = mine;
    __syncthreads();
    for (int by = 1; by < 64; by *= 2) {
        int before = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    if (t == 63) sums[blockIdx.x] = s[t];
    grid.sync();
    int before = 0;
    for (int b = 0; b < blockIdx.x; ++b) before += sums[b];
    data[i] = before + s[t] + 1000 * keep(pinned) + 0 * grid.block_rank();
}"""


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("blocks", [None, (2,)])
def test_what_each_block_has_stays_while_others_run(mode: Mode, blocks: tuple[int, ...] | None) -> None:
    given = np.random.default_rng(3).integers(0, 100, 5 * 64).astype(np.int32)
    trace = launch(SCAN, 5, 64, {"data": given, "sums": np.zeros(5, np.int32)}, mode=mode, blocks=blocks)
    np.testing.assert_array_equal(trace.values["data"], np.cumsum(given) + 1000 * given)
    assert findings(trace) == ()
    assert len(trace.blocks) == 5
    assert [event.block for event in trace.barriers if event.scope is Scope.GRID] == [0, 1, 2, 3, 4]


def test_without_the_barrier_the_blocks_race() -> None:
    trace = launch(SCAN.replace("grid.sync();", ""), 5, 64, {"data": np.zeros(320, np.int32), "sums": np.zeros(5, np.int32)})
    assert [each.kind for each in races(trace)] == ["data-race"]


def test_more_blocks_than_fit_are_refused() -> None:
    with pytest.raises(NotExecuted, match="8448 blocks wait for each other, but a GPU has room for 4224"):
        launch(SCAN, 8448, 64, {"data": np.zeros(1, np.int32), "sums": np.zeros(1, np.int32)})
    with pytest.raises(NotExecuted, match="room for 264 of them"):
        launch(SCAN, 265, 1024, {"data": np.zeros(1, np.int32), "sums": np.zeros(1, np.int32)})
    t4 = Gpu(ARCHITECTURES["7.5"], 40)
    with pytest.raises(NotExecuted, match="room for 40 of them"):
        launch(SCAN, 41, 1024, {"data": np.zeros(1, np.int32), "sums": np.zeros(1, np.int32)}, gpu=t4)
