// The first block of a cluster adds up what the others hold; all stay until it has.
// launch: grid=4 block=64 args: in=256:arange out=1
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(4, 1, 1) void sum(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float parts[64], total;
    int t = threadIdx.x, rank = cluster.block_rank();
    parts[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0) {
        float found = 0;
        for (int i = 0; i < 64; ++i)
            found += parts[i];
        total = found;
    }
    cluster.sync();
    if (rank == 0 && t == 0) {
        float all = 0;
        for (int i = 0; i < 4; ++i)
            all += *cluster.map_shared_rank(&total, i);
        out[blockIdx.x / 4] = all;
    }
    cluster.sync();
}
