// A block reads its bins though the other of its cluster may still count there.
// launch: grid=4 block=64 args: data=256:arange counts=64:zeros
// finding: data-race 19 22
// finding: out-of-bounds 19

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void histogram(const int* data, int* counts)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ int bins[32];
    int t = threadIdx.x, rank = cluster.block_rank();
    if (t < 32)
        bins[t] = 0;
    cluster.sync();
    int value = data[blockIdx.x * 64 + t] & 63;
    int* there = cluster.map_shared_rank(bins, value / 32);
    atomicAdd(there + value % 32, 1);
    __syncthreads();
    if (t < 32)
        atomicAdd(counts + rank * 32 + t, bins[t]);
}
