// The warps of a block exchange values in the shared memory of another, and meet in between.
// launch: grid=4 block=64 args: in=256:arange out=256
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void reverse(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float s[64];
    int t = threadIdx.x, rank = cluster.block_rank();
    s[t] = 0;
    cluster.sync();
    float* there = cluster.map_shared_rank(s, rank ^ 1);
    there[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    out[blockIdx.x * 64 + t] = there[63 - t];
    cluster.sync();
}
