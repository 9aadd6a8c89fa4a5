// Rows of A are written with their pieces exchanged, and read as if they were not.
// launch: grid=1 block=32 args: A=512:zeros B=256:zeros C=128
// finding: none
// result: wrong

#include <cuda_bf16.h>

__device__ unsigned at(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void load(unsigned (&x)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at(row)) : "memory");
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ int place(int row, int piece)
{
    return row * 32 + (piece ^ row / 2 % 4) * 8;
}

// C = A * B: A is 16 x 32, row by row, B is 32 x 8, column by column.
__global__ void product(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    __shared__ __align__(128) __nv_bfloat16 As[16 * 32], Bs[8 * 32];
    int lane = threadIdx.x;
    for (int i = lane; i < 512; i += 32)
        As[place(i / 32, i % 32 / 8) + i % 8] = A[i];
    for (int i = lane; i < 256; i += 32)
        Bs[place(i / 32, i % 32 / 8) + i % 8] = B[i];
    __syncwarp();
    unsigned a[4], b[4];
    load(b, &Bs[place(lane % 8, lane / 8)]);
    float d[4] = {};
    load(a, &As[lane % 16 * 32 + lane / 16 * 8]);
    multiply(d, a, b[0], b[1]);
    load(a, &As[lane % 16 * 32 + 16 + lane / 16 * 8]);
    multiply(d, a, b[2], b[3]);
    for (int i = 0; i < 4; ++i)
        C[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}
