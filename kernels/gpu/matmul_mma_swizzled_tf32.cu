// Matrix multiplication on tensor cores, TF32, fourth rung: the
// pieces of a row are exchanged, in each row in another way.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//           banks  0-3  4-7  8-11 12-15   16-19  ..  28-31
//   rows 0, 1        0    1    2    3       0    1    2    3
//   rows 2, 3        1    0    3    2       1    0    3    2
//   rows 4, 5        2    3    0    1       2    3    0    1
//   rows 6, 7        3    2    1    0       3    2    1    0
//
// Rows of 64 bytes: two fill the 32 banks. Piece p of row r is
// kept at p ^ r / 2 % 4 (exclusive or): within a row that is an
// exchange of places, nothing is lost and nothing is added, but
// piece 0 of 8 rows is in 8 different groups of 4 banks, so a
// matrix of ldmatrix is read at once, and two rows still fill
// all banks when they are written. Rows of 128 bytes have 8
// pieces: p ^ r % 8. In bits of the address within a stage:
//
//   64 bytes    bits 5, 4      ^=  bits 8, 7
//   128 bytes   bits 6, 5, 4   ^=  bits 9, 8, 7
//
// Hopper's copies and tensor cores know both by name. Whoever
// writes and whoever reads must exchange alike: both use place.
//
// What limits it now: twice the bytes of bfloat16 for each
// multiply-add, through shared memory and registers.
// Next rung: matmul_wmma_bf16.cu, half the bytes.
//
// Launch: round_and_turn, 256 threads for each 64 rows and 16 k
// of T; then blocks of 32 threads for each 64 x 64 of their
// tile; the grid covers C, x along its rows. TILE_M and TILE_N
// are multiples of 64, DEPTH is 16 or 32. Dynamic shared memory:
// STAGES * (TILE_M + TILE_N) * ROW bytes.
// Needs compute capability 8.0.

#include <cuda_pipeline.h>
#include <mma.h>

#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
#ifndef STAGES
#define STAGES 6
#endif
#define PIECES (DEPTH / 4) // of 16 bytes, in a row
#define ROW (PIECES * 16)  // bytes
#define ROWS (128 / ROW)   // that meet all banks once
#define STAGE ((TILE_M + TILE_N) * ROW)
#define WARPS_N (TILE_N / 64)
#define THREADS (32 * (TILE_M / 64) * WARPS_N)
#define COPIES (PIECES * (TILE_M + TILE_N) / THREADS)
#define PADDED(x, to) (((x) + (to) - 1) / (to) * (to))

// Where a piece of a row lies in its stage.
__device__ int place(int row, int piece)
{
    return row * ROW + (piece ^ row / ROWS % PIECES) * 16;
}

// T holds the rows of A, then the columns of B as rows; zeros
// fill them up to whole tiles. A warp: 8 rows, 4 pieces.
extern "C" __global__ void round_and_turn(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    int t = threadIdx.x, length = PADDED(max(K, 1), DEPTH);
    int row = blockIdx.y * 64 + t / 32 * 8 + t % 8;
    int k = (blockIdx.x * 4 + t / 8 % 4) * 4;
    float* to = T + (long long)row * length + k;

    bool of_a = row < PADDED(M, TILE_M);
    if (!of_a) row -= PADDED(M, TILE_M);
    __align__(16) float x[4];
    for (int e = 0; e < 4; ++e) {
        float value = 0.0f;
        if (of_a && row < M && k + e < K)
            value = A[(long long)row * K + k + e];
        if (!of_a && row < N && k + e < K)
            value = B[(long long)(k + e) * N + row];
        x[e] = nvcuda::wmma::__float_to_tf32(value);
    }
    *(float4*)to = *(float4*)x;
}

// Lane i names row i % 8 of matrix i / 8, and gets one element
// of each: that of its place in the picture above.
__device__ void load(unsigned (&x)[4], const char* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
        "{%0, %1, %2, %3}, [%4];"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"((unsigned)__cvta_generic_to_shared(row)) : "memory");
}

// d += a * b: a has 16 x 8, of b the columns' first 4 k and the
// last 4, each one element a lane; d has 16 x 8.
__device__ void multiply(
    float (&d)[4], unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
          "r"(b0), "r"(b1));
}

extern "C" __global__ __launch_bounds__(THREADS)
void matmul_mma_swizzled_tf32(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    extern __shared__ __align__(128) char stages[];

    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int steps = (K + DEPTH - 1) / DEPTH;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    int r0 = warp / WARPS_N * 64, c0 = warp % WARPS_N * 64;
    long long length = PADDED(max(K, 1), DEPTH);
    const float* of_a = T + row0 * length;
    const float* of_b = T + (PADDED(M, TILE_M) + col0) * length;

    // The rows of one step set out for a stage: A's, then B's.
    auto set_out = [&](int step) {
        char* stage = stages + step % STAGES * STAGE;
        for (int l = 0; l < COPIES && step < steps; ++l) {
            int i = l * THREADS + t, r = i / PIECES;
            const float* from = r < TILE_M
                ? of_a + r * length : of_b + (r - TILE_M) * length;
            __pipeline_memcpy_async(stage + place(r, i % PIECES),
                from + step * DEPTH + i % PIECES * 4, 16);
        }
        __pipeline_commit();
    };

    float sum[4][8][4] = {};
    for (int step = 0; step < STAGES - 1; ++step)
        set_out(step);
    for (int step = 0; step < steps; ++step) {
        // The oldest group has arrived: mine, then everyone's.
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        set_out(step + STAGES - 1);

        // 16 rows of A, or of B, by 8 steps of k are a load.
        const char* stage = stages + step % STAGES * STAGE;
        #pragma unroll
        for (int k = 0; k < PIECES; k += 2) {
            int r = lane % 16, p = k + lane / 16;
            unsigned a[4][4], b[4];
            for (int i = 0; i < 4; ++i)
                load(a[i], stage + place(r0 + 16 * i + r, p));
            for (int j = 0; j < 4; ++j) {
                int c = TILE_M + c0 + 16 * j + r;
                load(b, stage + place(c, p));
                for (int i = 0; i < 4; ++i) {
                    multiply(sum[i][2 * j], a[i], b[0], b[2]);
                    multiply(sum[i][2 * j + 1], a[i], b[1], b[3]);
                }
            }
        }
    }

    // A lane holds pairs of neighbours in rows r and r + 8.
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
        int r = row0 + r0 + i / 2 * 16 + i % 2 * 8 + lane / 4;
        int c = col0 + c0 + lane % 4 * 2;
        float* to = C + (long long)r * N + c;
        int inside = r < M ? N - c : 0;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            float x = sum[i / 2][j][i % 2 * 2];
            float y = sum[i / 2][j][i % 2 * 2 + 1];
            if (N % 2 == 0 && 8 * j < inside)
                *(float2*)(to + 8 * j) = make_float2(x, y);
            else {
                if (8 * j < inside) to[8 * j] = x;
                if (8 * j + 1 < inside) to[8 * j + 1] = y;
            }
        }
    }
}
