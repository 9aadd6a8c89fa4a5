// C = A * B by one instruction: A is 16 x 16, row by row, B is
// 16 x 8, column by column, C is 16 x 8, row by row.

#include <cuda_bf16.h>

__global__ void product(const __nv_bfloat16* A,
    const __nv_bfloat16* B, float* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i) {
        int r = group + i % 2 * 8, k = i / 2 * 8 + pair * 2;
        a[i] = *(const unsigned*)&A[r * 16 + k];
    }
    for (int i = 0; i < 2; ++i)
        b[i] = *(const unsigned*)&B[group * 16 + i * 8 + pair * 2];

    float d[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
          "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i += 2)
        *(float2*)&C[(group + i * 4) * 8 + pair * 2]
            = make_float2(d[i], d[i + 1]);
}
