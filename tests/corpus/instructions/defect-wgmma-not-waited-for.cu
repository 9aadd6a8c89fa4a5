// The sums are stored before the group that computes them has been waited for.
// launch: grid=1 block=128 args: A=4096:zeros B=512:zeros C=512
// finding: asynchronous-access 44

#include <cuda_bf16.h>

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned long long operand(const void* p, unsigned next_k, unsigned next_rows, unsigned long long swizzle)
{
    return at(p) >> 4 | (unsigned long long)(next_k >> 4) << 16 | (unsigned long long)(next_rows >> 4) << 32 | swizzle << 62;
}

__device__ void multiply(float (&d)[4], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}

// C = A * B: A is 64 x 64, row by row; B is 64 x 8, column by column.
__global__ __launch_bounds__(128) void swizzled(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    __shared__ __align__(1024) __nv_bfloat16 As[64 * 64], Bs[8 * 64];
    int t = threadIdx.x;
    for (int i = t; i < 64 * 64; i += 128) {
        int r = i / 64, k = i % 64;
        As[r * 64 + (k / 8 ^ r % 8) * 8 + k % 8] = A[i];
    }
    for (int i = t; i < 8 * 64; i += 128) {
        int r = i / 64, k = i % 64;
        Bs[r * 64 + (k / 8 ^ r % 8) * 8 + k % 8] = B[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; ++k)
        multiply(d, operand(As + k * 16, 16, 1024, 1), operand(Bs + k * 16, 16, 1024, 1));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        C[(t / 32 * 16 + t % 32 / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}
