// The second block stores into the first, which need not have begun: the first meeting is missing.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: out-of-bounds 15

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ __cluster_dims__(2, 1, 1) void send(const float* in, float* out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ float s[64];
    int t = threadIdx.x, rank = cluster.block_rank();
    float* first = cluster.map_shared_rank(s, 0);
    if (rank == 1)
        first[t] = in[64 + t];
    cluster.sync();
    if (rank == 0)
        out[t] = s[t];
}
