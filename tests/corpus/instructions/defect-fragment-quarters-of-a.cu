// The pieces of A are loaded row by row, but the instruction wants the lower rows second: registers 1 and 2 are mixed up.
// launch: grid=1 block=32 args: A=256:zeros B=256:zeros C=256
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

// C = A * B: A is 16 x 16, row by row; B column by column.
__global__ void product(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C)
{
    __shared__ __align__(128) __nv_bfloat16 As[16 * 32], Bs[16 * 32];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) {
        As[i / 16 * 24 + i % 16] = A[i];
        Bs[i / 16 * 24 + i % 16] = B[i];
    }
    __syncwarp();
    unsigned a[4], b[4];
    load(a, &As[(lane % 8 + lane / 16 * 8) * 24 + lane / 8 % 2 * 8]);
    load(b, &Bs[lane % 16 * 24 + lane / 16 * 8]);
    float d[2][4] = {};
    multiply(d[0], a, b[0], b[2]);
    multiply(d[1], a, b[1], b[3]);
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 4; ++i)
            C[(lane / 4 + i / 2 * 8) * 16 + j * 8 + lane % 4 * 2 + i % 2] = d[j][i];
}
