// An atomic of the device and one of the system: each excludes all threads of the grid.
// launch: grid=2 block=32 args: count=1:zeros
// finding: none

__global__ void count(int* count)
{
    if (blockIdx.x == 0)
        atomicAdd(count, 1);
    else
        atomicAdd_system(count, 2);
}
