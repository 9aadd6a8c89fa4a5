// A thread resets plainly what others of its block count with atomics of its scope.
// launch: grid=1 block=64 args: sum=1:zeros
// finding: data-race 7 9

__global__ void count(int* sum)
{
    atomicAdd_block(sum, 1);
    if (threadIdx.x == 63)
        *sum = 0;
}
