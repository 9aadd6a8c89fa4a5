// Each block of a cluster stores into a part of its own of the first one's shared memory.
// launch: grid=4 block=32 args: in=128:arange out=128
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(4, 1, 1) void gather(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float parts[4 * 32];
    int t = threadIdx.x, rank = cluster.block_rank();
    cluster.sync();
    float* first = cluster.map_shared_rank(parts, 0);
    first[rank * 32 + t] = in[blockIdx.x * 32 + t] * 2;
    cluster.sync();
    if (rank == 0)
        for (int i = 0; i < 4; ++i)
            out[i * 32 + t] = parts[i * 32 + t];
}
