// A tile of 16 threads reduces by cooperative groups.
// launch: grid=1 block=64 args: in=64:arange out=4
// finding: none

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reduce(const float* in, float* out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float v = in[block.thread_rank()];
    for (int by = tile.size() / 2; by > 0; by /= 2)
        v += tile.shfl_down(v, by);
    if (tile.thread_rank() == 0)
        out[block.thread_rank() / 16] = v;
}
