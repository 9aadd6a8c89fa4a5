// Both blocks of a cluster multiply the same. In the second one the rank is in the upper byte of the addresses, and nobody takes it off:
// in the descriptor it lands in the offset from 8 steps of k to the next.
// launch: grid=2 block=128 args: A=1024:zeros B=128:zeros C=1024
// finding: asynchronous-access 20

#include <cuda_bf16.h>

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned long long operand(const void* p, unsigned next_k, unsigned next_rows)
{
    return at(p) >> 4 | (unsigned long long)(next_k >> 4) << 16 | (unsigned long long)(next_rows >> 4) << 32;
}

__device__ void multiply(float (&d)[4], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}

// C = A * B: A is 64 x 16, row by row; B is 16 x 8, column by column. Zeros follow them.
__global__ __launch_bounds__(128) __cluster_dims__(2, 1, 1) void both(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    __shared__ __align__(1024) __nv_bfloat16 tiles[64 * 16 + 8 * 16 + 384];
    __nv_bfloat16 *As = tiles, *Bs = tiles + 64 * 16;
    int t = threadIdx.x;
    for (int i = t; i < 64 * 16; i += 128) {
        int r = i / 16, k = i % 16;
        As[k / 8 * 512 + r * 8 + k % 8] = A[i];
    }
    for (int i = t; i < 8 * 16; i += 128) {
        int r = i / 16, k = i % 16;
        Bs[k / 8 * 64 + r * 8 + k % 8] = B[i];
    }
    for (int i = t; i < 384; i += 128)
        Bs[8 * 16 + i] = __float2bfloat16(0.0f);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    multiply(d, operand(As, 1024, 128), operand(Bs, 128, 128));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i)
        C[blockIdx.x * 512 + (t / 32 * 16 + t % 32 / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}
