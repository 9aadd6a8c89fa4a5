// The arrival is relaxed: it orders no memory, though all have arrived.
// launch: grid=4 block=64 args: in=256:arange out=256
// finding: data-race 13 17

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void exchange(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float s[64];
    int t = threadIdx.x, rank = cluster.block_rank();
    s[t] = in[blockIdx.x * 64 + t];
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
    const float* there = cluster.map_shared_rank(s, rank ^ 1);
    out[blockIdx.x * 64 + t] = there[63 - t];
    cluster.sync();
}
