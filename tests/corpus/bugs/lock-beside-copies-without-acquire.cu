// Blocks copy asynchronously, then add under a lock without a fence behind the taking.
// launch: grid=3 block=32 args: in=96:arange lock=1:zeros total=1:zeros
// finding: data-race 18

#include <cuda_pipeline.h>
__global__ void add(const int* in, int* lock, int* total)
{
    __shared__ int s[2][32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[blockIdx.x * 32 + t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        *total += s[0][31] + s[1][30];
        __threadfence();
        atomicExch(lock, 0);
    }
}
