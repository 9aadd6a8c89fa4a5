// Sums of half precision: two registers of pairs instead of four floats.
// launch: grid=1 block=32 args: A=256:zeros B=128:zeros C=128
// finding: none

#include <cuda_fp16.h>

// A is 16 x 16, row by row; B is 16 x 8, column by column; C is 16 x 8, row by row.
__global__ void product(const __half* A, const __half* B, __half* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
        a[i] = *(const unsigned*)&A[(group + i % 2 * 8) * 16 + i / 2 * 8 + pair * 2];
    for (int i = 0; i < 2; ++i)
        b[i] = *(const unsigned*)&B[group * 16 + i * 8 + pair * 2];
    unsigned d[2] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
        "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 2; ++i)
        *(unsigned*)&C[(group + i * 8) * 8 + pair * 2] = d[i];
}
