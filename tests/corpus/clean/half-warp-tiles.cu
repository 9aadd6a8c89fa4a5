// Tiles of half a warp reduce each for itself: their threads meet among themselves, and never read what the other half writes.
// launch: grid=2 block=64 args: in=128:arange out=8
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sums(const float* in, float* out)
{
    __shared__ float s[64];
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    float* mine = s + threadIdx.x / 16 * 16;
    int rank = half.thread_rank();
    mine[rank] = in[blockIdx.x * 64 + threadIdx.x];
    half.sync();
    for (int step = 8; step > 0; step /= 2) {
        float other = half.shfl_down(mine[rank], step);
        half.sync();
        if (rank < step) mine[rank] += other;
        half.sync();
    }
    if (rank == 0) out[blockIdx.x * 4 + threadIdx.x / 16] = mine[0];
}
