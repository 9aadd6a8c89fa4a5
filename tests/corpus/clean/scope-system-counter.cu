// Blocks count together with an atomic of the whole system.
// launch: grid=3 block=32 args: in=96:arange count=1:zeros
// finding: none

__global__ void count(const int* in, int* count)
{
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 5)
        atomicAdd_system(count, 1);
}
