// The next copy begins to fill a stage that slower warps still read: the barrier at the end of the step is missing.
// launch: grid=1 block=64 args: in=256:arange out=64
// finding: data-race 20 15

#include <cuda_pipeline.h>

__global__ void ahead(const float* in, float* out)
{
    __shared__ float stage[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&stage[0][t], &in[t], 4);
    __pipeline_commit();
    for (int step = 0; step < 4; ++step) {
        if (step + 1 < 4) __pipeline_memcpy_async(&stage[(step + 1) % 2][t], &in[(step + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();

        sum += stage[step % 2][63 - t];
    }
    out[t] = sum;
}
