// Three stages need one barrier a step: the stage that is filled now was last read before it.
// launch: grid=1 block=64 args: in=384:arange out=64
// finding: none

#include <cuda_pipeline.h>

__global__ void ahead(const float* in, float* out)
{
    __shared__ float stage[3][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < 2; ++first) {
        __pipeline_memcpy_async(&stage[first][t], &in[first * 64 + t], 4);
        __pipeline_commit();
    }
    for (int step = 0; step < 6; ++step) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (step + 2 < 6) __pipeline_memcpy_async(&stage[(step + 2) % 3][t], &in[(step + 2) * 64 + t], 4);
        __pipeline_commit();
        sum += stage[step % 3][63 - t];
    }
    out[t] = sum;
}
