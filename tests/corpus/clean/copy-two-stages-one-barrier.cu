// Two stages with one barrier a step: the copy is issued behind it, when all have read the stage that it fills.
// launch: grid=2 block=64 args: in=512:arange out=128
// finding: none

#include <cuda_pipeline.h>

__global__ void ahead(const float4* in, float* out)
{
    __shared__ float4 stage[2][16];
    int t = threadIdx.x;
    float sum = 0.0f;
    if (t < 16) __pipeline_memcpy_async(&stage[0][t], &in[blockIdx.x * 64 + t], 16);
    __pipeline_commit();
    for (int step = 0; step < 4; ++step) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (t < 16 && step < 3) __pipeline_memcpy_async(&stage[(step + 1) % 2][t], &in[blockIdx.x * 64 + (step + 1) * 16 + t], 16);
        __pipeline_commit();
        sum += reinterpret_cast<float*>(stage[step % 2])[63 - t];
    }
    out[blockIdx.x * 64 + t] = sum;
}
