// Double precision: one element of A and B a lane, two sums.
// launch: grid=1 block=32 args: A=32:zeros B=32:zeros C=64
// finding: none

// A is 8 x 4, row by row; B is 4 x 8, column by column; C is 8 x 8, row by row.
__global__ void product(const double* A, const double* B, double* C)
{
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    double a[1], b[1];
    a[0] = A[group * 4 + pair];
    b[0] = B[group * 4 + pair];
    double d[2] = {};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
        "{%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0]));
    for (int i = 0; i < 2; ++i)
        C[group * 8 + pair * 2 + i] = d[i];
}
