// A total is read while others still add to it.
// launch: grid=1 block=64 args: in=64:arange out=64
// finding: data-race 11 12

__global__ void total(const int* in, int* out)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[threadIdx.x]);
    out[threadIdx.x] = sum;
}
