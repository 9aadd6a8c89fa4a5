// One block of two waits for the whole grid.
// launch: grid=2 block=32 args: out=64
// finding: barrier-divergence 9
#include <cooperative_groups.h>

__global__ void waits(int* out)
{
    if (blockIdx.x == 0)
        cooperative_groups::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
