// Only some threads of each block come to the barrier of the grid.
// launch: grid=2 block=64 args: out=128
// finding: barrier-divergence 9
#include <cooperative_groups.h>

__global__ void waits(int* out)
{
    if (threadIdx.x < 40)
        cooperative_groups::this_grid().sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
