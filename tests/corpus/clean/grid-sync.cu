// Blocks exchange what they wrote across a barrier of the whole grid; what each has in shared memory stays.
// launch: grid=3 block=64 args: in=192:arange out=192
// finding: none
#include <cooperative_groups.h>

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[64];
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), t = threadIdx.x;
    s[t] = in[i];
    out[i] = s[t] + 1;
    grid.sync();
    int other = out[grid.size() - 1 - i];
    grid.sync();
    out[i] = other + s[63 - t];
}
