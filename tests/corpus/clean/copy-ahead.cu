// Two stages of asynchronous copies: one is filled while the other is used, and the threads past the end fill in zeros.
// launch: grid=1 block=64 args: in=150:arange out=64 n=150
// finding: none

#include <cuda_pipeline.h>

__global__ void ahead(const float* in, float* out, int n)
{
    __shared__ float stage[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
    __pipeline_memcpy_async(&stage[0][t], &in[t], 4);
    __pipeline_commit();
    for (int step = 0; step < 3; ++step) {
        if (step + 1 < 3) {
            int next = (step + 1) * 64 + t;
            __pipeline_memcpy_async(&stage[(step + 1) % 2][t], &in[next], 4, next < n ? 0 : 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += stage[step % 2][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
