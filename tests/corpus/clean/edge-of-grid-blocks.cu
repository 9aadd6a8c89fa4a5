// Blocks that lie outside altogether return before the first barrier.
// launch: grid=4 block=32 args: in=64:arange out=64 n=64
// finding: none

__global__ void some(const int* in, int* out, int n)
{
    __shared__ int s[32];
    if (blockIdx.x * 32 >= n)
        return;
    s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 5];
}
