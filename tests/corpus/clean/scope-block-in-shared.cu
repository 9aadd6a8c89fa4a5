// Each block counts in its shared memory with atomics of its scope.
// launch: grid=2 block=64 args: in=128:arange out=2
// finding: none

__global__ void count(const int* in, int* out)
{
    __shared__ int odd;
    if (threadIdx.x == 0)
        odd = 0;
    __syncthreads();
    if (in[blockIdx.x * 64 + threadIdx.x] & 1)
        atomicAdd_block(&odd, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = odd;
}
