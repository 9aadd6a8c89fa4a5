#include <cuda_bf16.h>

extern "C" __global__ void thin(
    const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
    int rows)
{
    for (int i = threadIdx.x; i < rows * 8; i += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < 32; ++k)
            sum += __bfloat162float(A[i / 8 * 32 + k])
                 * __bfloat162float(B[i % 8 * 32 + k]);
        C[i] = sum;
    }
}
