// The barrier stands on both sides of a choice that a whole block makes.
// launch: grid=2 block=64 args: in=128:arange out=128
// finding: none

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (blockIdx.x == 0) {
        s[t] = in[i] + 1;
        __syncthreads();
    } else {
        s[63 - t] = in[i] + 2;
        __syncthreads();
    }
    out[i] = s[63 - t];
}
