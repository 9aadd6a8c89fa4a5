// Sixteen steps of k of whole numbers of a byte.
// launch: grid=1 block=32 args: A=256:zeros B=128:zeros C=128
// finding: none

// A is 16 x 16, row by row; B is 16 x 8, column by column; C is 16 x 8, row by row.
__global__ void product(const signed char* A, const signed char* B, int* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[2], b[1];
    for (int i = 0; i < 2; ++i)
        a[i] = *(const unsigned*)&A[(group + i * 8) * 16 + pair * 4];
    b[0] = *(const unsigned*)&B[group * 16 + pair * 4];
    int d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; ++i)
        C[(group + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
