// Matrix multiplication: copies that go to shared memory by
// themselves, several steps ahead.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   step         0     1     2     3     4
//   copies       2.......... 4..........      on their way
//                   3.......... 5..........   with 3 stages
//   multiply     [ 0 ] [ 1 ] [ 2 ] [ 3 ] [ 4 ]
//   stage          0     1     2     0     1
//
// A thread that loads holds registers until the value is there,
// and spends an instruction more to put it into shared memory.
// An asynchronous copy (cp.async) needs neither: it sets out,
// and the thread goes on. Copies are waited for in groups, one
// a step, oldest first; STAGES - 1 steps are on their way.
//
// The rows of B come 16 bytes to a copy. A must be turned: its
// floats are copied one by one, each to its own row of As. A
// warp copies 8 neighbours of 4 rows, whole sectors. Row r is
// kept at r ^ 4 * k, so that the 32 floats lie in 32 banks; the
// groups of four that are read as float4 stay together.
//
// What limits it now: copies of 4 bytes are many, and reading 16
// values for 64 multiply-adds takes its time.
// Next rung: matmul_warp_tiled.cu. More results a thread, in
// an order that suits the reads.
//
// Launch: blocks of TILE_N / RESULTS by TILE_M / RESULTS
// threads; the grid covers C, x along its rows. RESULTS is a
// multiple of 4; the threads divide TILE_M * DEPTH / 4 and
// TILE_N * DEPTH / 4 without rest. TILE_M is a multiple
// of 32, DEPTH is 8.
// Shared memory: STAGES * (TILE_M + TILE_N) * DEPTH * 4 bytes.
// REGISTERS caps what a thread takes: at 168,
// three blocks of 128 threads fit a multiprocessor.

#include <cuda_pipeline.h>

#ifndef TILE_M
#define TILE_M 64
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef RESULTS
#define RESULTS 8
#endif
#ifndef REGISTERS
#define REGISTERS 168
#endif
#ifndef STAGES
#define STAGES 3
#endif
#define THREADS_X (TILE_N / RESULTS)
#define THREADS_Y (TILE_M / RESULTS)
#define THREADS (THREADS_X * THREADS_Y)
// Copies of a thread in a step: floats of A, float4 of B
#define A_COPIES (TILE_M * DEPTH / THREADS)
#define B_COPIES (TILE_N * DEPTH / 4 / THREADS)
#define FLOAT4(x) (*(float4*)&(x))
// Where result i of a thread lies in the tile's row or column.
#define AT(i, thread, threads) \
    ((i / 4 * threads + thread) * 4 + i % 4)
// Where row r of A lies in row k of As.
#define SWIZZLED(r, k) ((r) ^ (k) * 4)

// Neighbours set out for shared memory; zeros, if not inside.
__device__ void copy(
    float* to, const float* from, int bytes, bool inside)
{
    __pipeline_memcpy_async(to, from, bytes, inside ? 0 : bytes);
}

extern "C" __global__ __maxnreg__(REGISTERS)
void matmul_async(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[STAGES][DEPTH][TILE_M];
    __shared__ __align__(16) float Bs[STAGES][DEPTH][TILE_N];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * THREADS_X + tx;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    __align__(16) float sum[RESULTS][RESULTS] = {};

    // The tiles of one step set out for a stage.
    auto set_out = [&](int stage, int k0) {
        for (int l = 0, i = t; l < A_COPIES; ++l, i += THREADS) {
            int r = i / DEPTH, k = i % DEPTH;
            int row = row0 + r, at = SWIZZLED(r, k);
            copy(&As[stage][k][at], A + (long long)row * K + k0 + k,
                 4, row < M && k0 + k < K);
        }
        for (int l = 0, i = t; l < B_COPIES; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            int inside = k0 + k < K ? N - col0 - c : 0;
            float* to = &Bs[stage][k][c];
            const float* b = B + (long long)(k0 + k) * N + col0 + c;
            if (N % 4 == 0)
                copy(to, b, 16, inside > 0);
            else
                for (int e = 0; e < 4; ++e)
                    copy(to + e, b + e, 4, inside > e);
        }
        __pipeline_commit();
    };

    for (int s = 0; s < STAGES - 1; ++s)
        set_out(s, s * DEPTH);
    for (int k0 = 0, stage = 0; k0 < K; k0 += DEPTH) {
        // The oldest group has arrived: mine, then everyone's.
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();

        // All have left the stage before this one: fill it.
        int free = (stage + STAGES - 1) % STAGES;
        set_out(free, k0 + (STAGES - 1) * DEPTH);

        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            __align__(16) float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; i += 4) {
                int at = SWIZZLED(AT(i, ty, THREADS_Y), k);
                FLOAT4(a[i]) = FLOAT4(As[stage][k][at]);
                at = AT(i, tx, THREADS_X);
                FLOAT4(b[i]) = FLOAT4(Bs[stage][k][at]);
            }
            for (int i = 0; i < RESULTS; ++i)
                for (int j = 0; j < RESULTS; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        stage = (stage + 1) % STAGES;
    }

    for (int i = 0; i < RESULTS; ++i)
        for (int j = 0; j < RESULTS; j += 4) {
            int row = row0 + AT(i, ty, THREADS_Y);
            int col = col0 + AT(j, tx, THREADS_X);
            float* c = C + (long long)row * N + col;
            int inside = row < M ? N - col : 0;
            if (inside >= 4 && N % 4 == 0)
                FLOAT4(*c) = FLOAT4(sum[i][j]);
            else
                for (int e = 0; e < 4; ++e)
                    if (e < inside) c[e] = sum[i][j + e];
        }
}
