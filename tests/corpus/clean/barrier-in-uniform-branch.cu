// All threads of a block agree on the branch.
// launch: grid=2 block=32 args: in=64:arange out=64 n=7
// finding: none

__global__ void first(const int* in, int* out, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = in[i];
    if (blockIdx.x == 0 && n > 5) {
        __syncthreads();
        out[i] = s[31 - t];
    } else {
        out[i] = s[t];
    }
}
