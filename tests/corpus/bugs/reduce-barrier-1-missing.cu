// A tree of sums: the barrier between loading and adding is missing.
// launch: grid=2 block=64 args: in=128:arange out=2
// finding: data-race 9 12

__global__ void sum(const int* in, int* out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    for (int step = 32; step > 0; step /= 2) {
        if (t < step)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
