// The second barrier of the grid is missing: a block may write what another has not read yet.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: data-race 13 14
#include <cooperative_groups.h>

__global__ void exchange(const int* in, int* out)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    out[i] = in[i] + 1;
    grid.sync();
    int from = (i + 64) % 128;
    int other = out[from];
    out[i] = other;
}
