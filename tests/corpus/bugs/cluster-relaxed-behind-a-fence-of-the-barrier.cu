// The fence before the relaxed arrival is for barriers that were made, and orders nothing else.
// launch: grid=4 block=64 args: in=256:arange out=256
// finding: data-race 13 16

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void exchange(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float s[64];
    int t = threadIdx.x, rank = cluster.block_rank();
    s[t] = in[blockIdx.x * 64 + t];
    asm volatile("fence.mbarrier_init.release.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    const float* there = cluster.map_shared_rank(s, rank ^ 1);
    out[blockIdx.x * 64 + t] = there[63 - t];
    cluster.sync();
}
