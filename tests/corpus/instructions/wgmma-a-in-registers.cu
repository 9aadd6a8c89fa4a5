// A comes from registers, each warp its 16 rows as for mma; B from shared memory.
// launch: grid=1 block=128 args: A=1024:zeros B=128:zeros C=512
// finding: none

#include <cuda_bf16.h>

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// C = A * B: A is 64 x 16, row by row; B is 16 x 8, column by column.
__global__ __launch_bounds__(128) void from_registers(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    __shared__ __align__(128) __nv_bfloat16 Bs[128];
    int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, pair = t % 4;
    Bs[t % 16 / 8 * 64 + t / 16 * 8 + t % 8] = B[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned a[4];
    for (int i = 0; i < 4; ++i)
        a[i] = *(const unsigned*)&A[(row + i % 2 * 8) * 16 + i / 2 * 8 + pair * 2];
    unsigned long long b = at(Bs) >> 4 | 8ull << 16 | 8ull << 32;
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        C[(row + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
