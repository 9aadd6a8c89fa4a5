// A block whose last warp is not full.
// launch: grid=2 block=40 args: in=80:arange out=80
// finding: none

__global__ void partial(const int* in, int* out)
{
    __shared__ int s[40];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 40 + t];
    __syncthreads();
    out[blockIdx.x * 40 + t] = s[39 - t];
}
