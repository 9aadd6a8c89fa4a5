// Half a warp waits for its own threads only, but reads what the other half wrote.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 14 12

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void swap(const float* in, float* out)
{
    __shared__ float s[64];
    auto half = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = in[threadIdx.x];
    half.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 16];
}
