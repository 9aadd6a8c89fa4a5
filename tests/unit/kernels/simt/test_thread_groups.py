"""cooperative_groups::thread_group, whose size is chosen as the kernel runs, executed."""

from __future__ import annotations

import numpy as np

from tests.launches.simt_launch import launch, result

USING = "#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n"
REDUCTION = """__device__ int sum(thread_group g, int *shared, int value) {
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        shared[rank] = value;
        g.sync();
        if (rank < i) value += shared[rank + i];
        g.sync();
    }
    return value;
}
"""


def test_a_group_stands_for_the_block_or_a_tile_of_it() -> None:
    text = """__device__ int told(thread_group g) { return g.size() * 100 + g.thread_rank(); }
__global__ void k(int *out) {
    thread_block block = this_thread_block();
    thread_group all = block, tile = tiled_partition(block, 4);
    out[threadIdx.x] = told(all) * 1000000 + told(tile) * 1000 + told(tiled_partition<2>(block));
}"""
    thread = np.arange(64)
    expected = (6400 + thread) * 1000000 + (400 + thread % 4) * 1000 + 200 + thread % 2
    assert (result(USING + text, 64, np.int32) == expected.astype(np.int32)).all()


def test_a_reduction_over_any_group_is_right_for_the_block_and_for_tiles() -> None:
    text = """__global__ void k(const int *values, int *block_sum, int *tile_sums) {
    __shared__ int shared[64];
    thread_block block = this_thread_block();
    thread_group tile = tiled_partition(block, 16);
    int sum_of_block = sum(block, shared, values[threadIdx.x]);
    if (threadIdx.x == 0) *block_sum = sum_of_block;
    int sum_of_tile = sum(tile, shared + threadIdx.x / 16 * 16, values[threadIdx.x]);
    if (tile.thread_rank() == 0) tile_sums[threadIdx.x / 16] = sum_of_tile;
}"""
    values = np.arange(64, dtype=np.int32) ** 2
    trace = launch(
        USING + REDUCTION + text, 1, 64, {"values": values, "block_sum": np.zeros(1, np.int32), "tile_sums": np.zeros(4, np.int32)}
    )
    assert trace.findings == ()
    assert trace.values["block_sum"].tolist() == [values.sum()]
    assert trace.values["tile_sums"].tolist() == values.reshape(4, 16).sum(axis=1).tolist()
