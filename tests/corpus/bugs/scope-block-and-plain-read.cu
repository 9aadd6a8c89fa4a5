// A thread reads plainly what others of its block still count with atomics of its scope.
// launch: grid=1 block=64 args: out=64
// finding: data-race 11 12

__global__ void count(int* out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd_block(&sum, 1);
    out[threadIdx.x] = sum;
}
