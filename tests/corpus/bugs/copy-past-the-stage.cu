// The last copy, for which nobody waits, goes past the end of the stages.
// launch: grid=1 block=32 args: in=96:arange out=32
// finding: out-of-bounds 15

#include <cuda_pipeline.h>

__global__ void ahead(const float* in, float* out)
{
    __shared__ float stage[2 * 32];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int step = 0; step < 3; ++step) {
        __pipeline_wait_prior(0);
        if (step > 0) sum += stage[(step - 1) * 32 + t];
        __pipeline_memcpy_async(&stage[step * 32 + t], &in[step * 32 + t], 4);
        __pipeline_commit();
    }
    out[t] = sum;
}
