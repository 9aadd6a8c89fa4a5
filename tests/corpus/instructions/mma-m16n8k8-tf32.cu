// TF32: a register holds one element, and the halves of k are 4 apart.
// launch: grid=1 block=32 args: A=128:zeros B=64:zeros C=128
// finding: none

// A is 16 x 8, row by row; B is 8 x 8, column by column; C is 16 x 8, row by row.
__global__ void product(const float* A, const float* B, float* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
        a[i] = __float_as_uint(A[(group + i % 2 * 8) * 8 + i / 2 * 4 + pair]);
    for (int i = 0; i < 2; ++i)
        b[i] = __float_as_uint(B[group * 8 + i * 4 + pair]);
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i)
        C[(group + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
