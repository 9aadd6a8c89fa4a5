// Matrix multiplication, the fastest rung in float32.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   turn_a          A  ->  T = A transposed, edges padded
//   stages       |T0 B0|T1 B1|T2 B2|T3 B3|   cp.async fills them
//   warp         64 x 64 of C: 4 x 8 lanes, 16 x 8 results each
//   registers    a b  load k+1   while   multiplying k
//
// What it adds to the rung before:
// 1. A is turned beforehand, by a kernel of its own that costs
//    one hundredth of the time. Then both operands come by
//    copies of 16 bytes that pass no register, and no edge of A
//    needs a test: T is padded with zeros to whole tiles.
// 2. With four stages, copies set out three steps ahead instead
//    of one. Reading for the next k while this one is multiplied
//    stays, across the barrier too: nobody waits.
// 3. The results are multiplied by alpha, as BLAS does. alpha is
//    1, but the compiler cannot know; so the float4 that is
//    stored is not the sum, and the sums may lie in registers of
//    any number. Of the two fresh operands of a multiply-add,
//    b[j] and sum[i][j], one should have an even number and one
//    an odd: they come from two banks. a[i] is kept at hand.
//
// What limits it now: the multiply-adds themselves, 94 of each
// 100 instructions of the loop; most others read operands.
// Next rung: matmul_split_k.cu. Small matrices are too few tiles.
//
// Launch: blocks of 32 threads for each 64 x 64 of the tile of
// C; the grid covers C, x along its rows. TILE_M and TILE_N are
// multiples of 64. T has K rows, rounded up to a multiple of 8,
// of M values, rounded up to a multiple of TILE_M.
// Shared memory: STAGES * (TILE_M + TILE_N) * DEPTH * 4 bytes.

#include <cuda_pipeline.h>

#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef WIDTH
#define WIDTH 4
#endif
#define DEPTH 8
#define STAGES 4
#define WARPS_N (TILE_N / 64)
#define THREADS (TILE_M / 64 * WARPS_N * 32)
#define T_COPIES (DEPTH * TILE_M / 4 / THREADS) // of a thread
#define B_COPIES (DEPTH * TILE_N / WIDTH / THREADS)
#define FLOAT4(x) (*(float4*)&(x))
#define PADDED(x, to) (((x) + (to) - 1) / (to) * (to))

__constant__ float alpha = 1.0f;

// Turns 4 x 4 values a thread in its registers: a warp reads 16
// rows of 8 float4 and writes 32 rows of 4.
extern "C" __global__ void turn_a(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    int k = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int m = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (k >= PADDED(K, DEPTH)) return;

    __align__(16) float x[4][4];
    bool whole = m + 4 <= M && K % 4 == 0;
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float* from = A + (long long)(m + i) * K + k;
        if (whole)
            FLOAT4(x[i]) = FLOAT4(*from);
        else
            for (int j = 0; j < 4; ++j)
                x[i][j] = m + i < M && k + j < K ? from[j] : 0;
    }
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        float4 column = {x[0][j], x[1][j], x[2][j], x[3][j]};
        long long to = (long long)(k + j) * PADDED(M, TILE_M) + m;
        FLOAT4(T[to]) = column;
    }
}

// Neighbours set out for shared memory; zeros, if not inside.
__device__ void copy(
    float* to, const float* from, int bytes, bool inside)
{
    __pipeline_memcpy_async(to, from, bytes, inside ? 0 : bytes);
}

// The operands of one k: 16 rows of A and 8 columns of B.
__device__ void read(
    float* a, float* b, const float* As, const float* Bs)
{
    for (int i = 0; i < 16; i += 4)
        FLOAT4(a[i]) = FLOAT4(As[i * 4]);
    for (int j = 0; j < 8; j += 4)
        FLOAT4(b[j]) = FLOAT4(Bs[j * 8]);
}

// Forwards and back: each multiply-add shares an operand with
// the one before. Rows four apart follow each other: of all
// orders that were tried this one was the fastest.
__device__ void multiply(
    float (*sum)[8], const float* a, const float* b)
{
    for (int r = 0; r < 16; ++r)
        for (int q = 0; q < 8; ++q) {
            int i = r % 4 * 4 + r / 4, j = i % 2 == 0 ? q : 7 - q;
            sum[i][j] += a[i] * b[j];
        }
}

extern "C" __global__
__launch_bounds__(THREADS, THREADS <= 128 ? 2 : 1)
void matmul_fastest(
    const float* A, const float* B, float* C, float* T,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[STAGES][DEPTH][TILE_M];
    __shared__ __align__(16) float Bs[STAGES][DEPTH][TILE_N];

    // Lanes n and n ^ 1 share their rows, n and n ^ 2 their
    // columns: so the phases of both loads are served together.
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    int row = warp / WARPS_N * 64 + lane / 2 % 4 * 4;
    int col = warp % WARPS_N * 64 + (lane % 2 + lane / 8 * 2) * 4;

    // What this thread copies, and where from next.
    long long t_cols = PADDED(M, TILE_M);
    const float *t_from[T_COPIES], *b_from[B_COPIES];
    for (int i = 0; i < T_COPIES; ++i) {
        int e = (i * THREADS + t) * 4;
        t_from[i] = T + e / TILE_M * t_cols + row0 + e % TILE_M;
    }
    for (int i = 0; i < B_COPIES; ++i) {
        int e = (i * THREADS + t) * WIDTH;
        b_from[i] = B + (long long)(e / TILE_N) * N
            + col0 + e % TILE_N;
    }

    // The tiles of one step set out for a stage. Nobody waits.
    // Zeros past K and beside B. WIDTH is 1 unless 4 divides N.
    auto set_out = [&](int stage, int k0) {
        for (int i = 0; i < T_COPIES; ++i) {
            int e = (i * THREADS + t) * 4;
            copy(&As[stage][0][0] + e, t_from[i], 16, k0 < K);
            t_from[i] += DEPTH * t_cols;
        }
        for (int i = 0; i < B_COPIES; ++i) {
            int e = (i * THREADS + t) * WIDTH;
            int k = k0 + e / TILE_N, n = col0 + e % TILE_N;
            copy(&Bs[stage][0][0] + e, b_from[i], 4 * WIDTH,
                 k < K && n < N);
            b_from[i] += (long long)DEPTH * N;
        }
        __pipeline_commit();
    };

    for (int s = 0; s < STAGES - 1; ++s)
        set_out(s, s * DEPTH);
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    __align__(16) float a[2][16], b[2][8], sum[16][8] = {};
    read(a[0], b[0], &As[0][0][row], &Bs[0][0][col]);

    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        int now = k0 / DEPTH % STAGES, next = (now + 1) % STAGES;
        // Everybody left this stage before the last barrier.
        int last = STAGES - 1;
        set_out((now + last) % STAGES, k0 + last * DEPTH);

        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            int stage = now, after = k + 1;
            if (after == DEPTH) {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads();
                stage = next, after = 0;
            }
            read(a[after % 2], b[after % 2],
                 &As[stage][after][row], &Bs[stage][after][col]);
            multiply(sum, a[k % 2], b[k % 2]);
        }
    }

    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; j += 4) {
            int m = row0 + row + i / 4 * 16 + i % 4;
            int n = col0 + col + j * 8;
            float* c = C + (long long)m * N + n;
            float4 v = {
                alpha * sum[i][j], alpha * sum[i][j + 1],
                alpha * sum[i][j + 2], alpha * sum[i][j + 3]};
            int inside = m < M ? N - n : 0;
            if (inside >= 4 && WIDTH == 4)
                FLOAT4(*c) = v;
            else
                for (int e = 0; e < 4; ++e)
                    if (e < inside) c[e] = (&v.x)[e];
        }
}
