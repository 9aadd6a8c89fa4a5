// Four steps of k of TF32.
// launch: grid=1 block=32 args: A=64:zeros B=32:zeros C=128
// finding: none

// A is 16 x 4, row by row; B is 4 x 8, column by column; C is 16 x 8, row by row.
__global__ void product(const float* A, const float* B, float* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    unsigned a[2], b[1];
    for (int i = 0; i < 2; ++i)
        a[i] = __float_as_uint(A[(group + i * 8) * 4 + pair]);
    b[0] = __float_as_uint(B[group * 4 + pair]);
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; ++i)
        C[(group + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}
