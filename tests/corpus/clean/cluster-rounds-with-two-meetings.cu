// Blocks of a cluster exchange one buffer in rounds, and meet before and after reading.
// launch: grid=2 block=32 args: in=64:arange out=64
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void shift(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float held[1][32];
    int t = threadIdx.x, rank = cluster.block_rank();
    float x = in[blockIdx.x * 32 + t];
    for (int i = 0; i < 3; ++i) {
        held[i % 1][t] = x + i;
        cluster.sync();
        x = cluster.map_shared_rank(held[i % 1], rank ^ 1)[31 - t];
        cluster.sync();
    }
    out[blockIdx.x * 32 + t] = x;
    cluster.sync();
}
