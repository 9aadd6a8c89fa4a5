// The last stage is read while its copy may still be on its way: the wait leaves the newest group out, in the last step as well.
// launch: grid=1 block=64 args: in=192:arange out=64
// finding: uninitialised-read 20

#include <cuda_pipeline.h>

__global__ void ahead(const float* in, float* out)
{
    __shared__ float stage[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&stage[0][t], &in[t], 4);
    __pipeline_commit();
    for (int step = 0; step < 3; ++step) {
        if (step + 1 < 3) {
            __pipeline_memcpy_async(&stage[(step + 1) % 2][t], &in[(step + 1) * 64 + t], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        sum += stage[step % 2][t];
    }
    out[t] = sum;
}
