// Two products in a row: the sums of the first, rounded in pairs, are already where A's fragment wants them.
// launch: grid=1 block=32 args: A=256:zeros B=256:zeros C=128
// finding: none

#include <cuda_bf16.h>

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pack(float low, float high)
{
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

// C = (A I) * B: I is the identity, 16 x 16; A is 16 x 16, row by row; of B, column by column, 8 columns are used.
__global__ void chained(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[4], one = pack(2 * pair == group, 2 * pair + 1 == group);
    for (int i = 0; i < 4; ++i)
        a[i] = *(const unsigned*)&A[(group + i % 2 * 8) * 16 + i / 2 * 8 + pair * 2];
    float s[2][4] = {}, d[4] = {};
    multiply(s[0], a, one, 0);
    multiply(s[1], a, 0, one);
    for (int i = 0; i < 4; ++i)
        a[i] = pack(s[i / 2][i % 2 * 2], s[i / 2][i % 2 * 2 + 1]);
    multiply(d, a, *(const unsigned*)&B[group * 16 + pair * 2], *(const unsigned*)&B[group * 16 + 8 + pair * 2]);
    for (int i = 0; i < 4; ++i)
        C[(group + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
