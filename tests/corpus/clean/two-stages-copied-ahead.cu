// A tile is copied ahead; the one before it is waited for.
// launch: grid=1 block=64 args: in=320:arange out=64 tiles=4
// finding: none

#include <cuda_pipeline.h>
__global__ void sums(const float* in, float* out, int tiles)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int tile = 0; tile < tiles; ++tile) {
        __pipeline_memcpy_async(&s[(tile + 1) % 2][t], &in[(tile + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[tile % 2][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
