// Whole numbers of a byte: four in a register, sums of 32 bits.
// launch: grid=1 block=32 args: A=512:zeros B=256:zeros C=128
// finding: none

// A is 16 x 32, row by row; B is 32 x 8, column by column; C is 16 x 8, row by row.
__global__ void product(const signed char* A, const signed char* B, int* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
        a[i] = *(const unsigned*)&A[(group + i % 2 * 8) * 32 + i / 2 * 16 + pair * 4];
    for (int i = 0; i < 2; ++i)
        b[i] = *(const unsigned*)&B[group * 32 + i * 16 + pair * 4];
    int d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i)
        C[(group + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
