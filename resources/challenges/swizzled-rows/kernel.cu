// A thin product: C = A * B, A has 32 columns, B has 8.
//
//   A    rows x 32, row by row          bfloat16
//   B    32 x 8, column by column       bfloat16
//   C    rows x 8, row by row           float
//
// A warp has 16 rows of A in shared memory. Their pieces of 16
// bytes are exchanged, so that ldmatrix finds the pieces of 8
// rows in different banks.
//
// Launch: blocks of 32 threads, one for each 16 rows.

#include <cuda_bf16.h>

__device__ void load(unsigned (&x)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
        "{%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"((unsigned)__cvta_generic_to_shared(row)));
}

__device__ void multiply(
    float (&d)[4], unsigned (&a)[4], const __nv_bfloat16* b)
{
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
          "r"(*(unsigned*)b), "r"(*(unsigned*)(b + 8)));
}

extern "C" __global__ void thin(
    const __nv_bfloat16* A, const __nv_bfloat16* B, float* C,
    int rows)
{
    __shared__ __align__(128) uint4 tile[16 * 4];

    int lane = threadIdx.x, row0 = blockIdx.x * 16;
    for (int i = lane; i < 64; i += 32) {
        int r = i / 4, piece = i % 4;
        uint4 zeros = {0, 0, 0, 0};
        tile[r * 4 + (piece ^ r / 2 % 4)] = row0 + r < rows
            ? *(uint4*)&A[(row0 + r) * 32 + piece * 8] : zeros;
    }
    __syncwarp();

    float d[4] = {};
    for (int k = 0; k < 32; k += 16) {
        int r = lane % 16, piece = k / 8 + lane / 16;
        unsigned a[4];
        load(a, &tile[r * 4 + (piece ^ r % 4)]);
        multiply(d, a, &B[lane / 4 * 32 + k + lane % 4 * 2]);
    }
    for (int i = 0; i < 4; ++i) {
        int row = row0 + lane / 4 + i / 2 * 8;
        if (row < rows) C[row * 8 + lane % 4 * 2 + i % 2] = d[i];
    }
}
