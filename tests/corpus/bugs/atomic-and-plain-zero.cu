// The total is set to zero by one thread while others may already add to it.
// launch: grid=1 block=64 args: in=64:arange out=1
// finding: data-race 9 10

__global__ void total(const int* in, int* out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    atomicAdd(&sum, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = sum;
}
