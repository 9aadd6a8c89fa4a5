// The block that comes last reads the sums of the others, which nothing makes visible before the counter: the fence is missing.
// launch: grid=4 block=64 args: in=256:arange sums=4 out=1 counter=1:zeros
// finding: data-race 23 18
// finding: data-race 29 19

__global__ void total(const float* in, float* sums, float* out, unsigned* counter)
{
    __shared__ float s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 32; step > 0; step /= 2) {
        if (t < step) s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = s[0];
        last = atomicInc(counter, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (t < gridDim.x) s[t] = sums[t];
    __syncthreads();
    if (t == 0) {
        float all = 0.0f;
        for (int block = 0; block < gridDim.x; ++block) all += s[block];
        *out = all;
        *counter = 0;
    }
}
