// Warps reduce by shuffles, one warp reduces their results.
// launch: grid=2 block=128 args: in=256:random out=2
// finding: none

__global__ void reduce(const float* in, float* out)
{
    __shared__ float partial[4];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    for (int by = 16; by > 0; by >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, by);
    if (t % 32 == 0)
        partial[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 4 ? partial[t] : 0.0f;
        for (int by = 2; by > 0; by >>= 1)
            v += __shfl_xor_sync(0xffffffffu, v, by);
        if (t == 0)
            out[blockIdx.x] = v;
    }
}
