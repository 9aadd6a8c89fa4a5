// Matrix multiplication on tensor cores, first rung: a warp
// multiplies tiles, whose elements are rounded to TF32.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   float32  s eeeeeeee fffffffffffffffffffffff
//   TF32     s eeeeeeee ffffffffff
//
//        b b b b      A fragment is a tile that the 32 lanes of
//      a + + + +      a warp hold together; which lane holds what
//      a + + + +      is not specified. A warp reads 4 of A and 4
//      a + + + +      of B, and each of the ones meets each of
//      a + + + +      the others: 16 products of 16 x 16 x 8.
//
// TF32 has the range of float32, but 10 bits of fraction for 23.
// Products of two such numbers are exact, their sum is float32:
// the error is that of rounding A and B, 2^-11 of each element.
// It is done once, on the way into shared memory.
//
// As in the double-buffered kernel the next tiles are on their
// way into registers during the products. Padded rows keep the
// lanes of a fragment in different banks, on today's GPUs.
//
// What limits it now: all that enters a product passes through
// registers twice, into shared memory and out of it.
// Next rung: matmul_mma_tf32.cu. Copies past the registers.
//
// Launch: blocks of 32 threads for each 64 x 64 of their tile;
// the grid covers C, x along its rows. TILE_M and TILE_N are
// multiples of 64, DEPTH of 8. Shared memory: two stages of
// TILE_M * (DEPTH + 4) + DEPTH * (TILE_N + 8) elements.
// Needs compute capability 8.0.

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
#define WARPS_N (TILE_N / 64)
#define THREADS (32 * (TILE_M / 64) * WARPS_N)
#define LOADS_A (TILE_M * DEPTH / 4 / THREADS) // float4
#define LOADS_B (TILE_N * DEPTH / 4 / THREADS) // of a thread

using namespace nvcuda;
typedef wmma::fragment<wmma::matrix_a, 16, 16, 8,
    wmma::precision::tf32, wmma::row_major> FragmentA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 8,
    wmma::precision::tf32, wmma::row_major> FragmentB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 8, float>
    FragmentC;

// Four neighbours in a row of X, zeros past its edges. A float4
// must be aligned: it is if the rows' length allows it.
__device__ float4 load4(
    const float* X, int rows, int cols, int row, int col)
{
    const float* x = X + (long long)row * cols + col;
    int inside = row < rows ? cols - col : 0;
    if (inside >= 4 && cols % 4 == 0)
        return *(const float4*)x;
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
    if (inside > 0) v.x = x[0];
    if (inside > 1) v.y = x[1];
    if (inside > 2) v.z = x[2];
    if (inside > 3) v.w = x[3];
    return v;
}

__device__ void store4(float* to, float4 v)
{
    float4 rounded = {
        wmma::__float_to_tf32(v.x), wmma::__float_to_tf32(v.y),
        wmma::__float_to_tf32(v.z), wmma::__float_to_tf32(v.w)};
    *(float4*)to = rounded;
}

extern "C" __global__ __launch_bounds__(THREADS)
void matmul_wmma_tf32(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(32) float As[2][TILE_M][DEPTH + 4];
    __shared__ __align__(32) float Bs[2][DEPTH][TILE_N + 8];

    int t = threadIdx.x, warp = t / 32;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    int r0 = warp / WARPS_N * 64, c0 = warp % WARPS_N * 64;

    FragmentC sum[4][4];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            wmma::fill_fragment(sum[i][j], 0.0f);

    // The first turn only loads.
    for (int k0 = -DEPTH; k0 < K; k0 += DEPTH) {
        int now = k0 / DEPTH & 1, next = now ^ 1, k1 = k0 + DEPTH;

        // 1. The next tiles set out for registers. Nobody waits.
        float4 a_next[LOADS_A], b_next[LOADS_B];
        for (int l = 0; l < LOADS_A; ++l) {
            int i = l * THREADS + t, r = i / (DEPTH / 4);
            int k = k1 + i % (DEPTH / 4) * 4;
            a_next[l] = load4(A, M, K, row0 + r, k);
        }
        for (int l = 0; l < LOADS_B; ++l) {
            int i = l * THREADS + t, k = k1 + i / (TILE_N / 4);
            int c = col0 + i % (TILE_N / 4) * 4;
            b_next[l] = load4(B, K, N, k, c);
        }

        // 2. Multiply the tiles that are there.
        #pragma unroll
        for (int k = 0; k < DEPTH && k0 >= 0; k += 8) {
            FragmentA a[4];
            FragmentB b[4];
            for (int i = 0; i < 4; ++i) {
                wmma::load_matrix_sync(
                    a[i], &As[now][r0 + 16 * i][k], DEPTH + 4);
                wmma::load_matrix_sync(
                    b[i], &Bs[now][k][c0 + 16 * i], TILE_N + 8);
            }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    wmma::mma_sync(
                        sum[i][j], a[i], b[j], sum[i][j]);
        }

        // 3. What has arrived goes into the other stage, rounded.
        for (int l = 0; l < LOADS_A; ++l) {
            int i = l * THREADS + t, r = i / (DEPTH / 4);
            store4(&As[next][r][i % (DEPTH / 4) * 4], a_next[l]);
        }
        for (int l = 0; l < LOADS_B; ++l) {
            int i = l * THREADS + t, k = i / (TILE_N / 4);
            store4(&Bs[next][k][i % (TILE_N / 4) * 4], b_next[l]);
        }
        __syncthreads();
    }

    // Out through shared memory, which nobody reads any more: of
    // a tile at the edge of C only a part may be written.
    float* patch = &As[0][0][0] + warp * 256;
    #pragma unroll
    for (int i = 0; i < 16; ++i) {
        int row = row0 + r0 + i / 4 * 16;
        int col = col0 + c0 + i % 4 * 16;
        wmma::store_matrix_sync(
            patch, sum[i / 4][i % 4], 16, wmma::mem_row_major);
        __syncwarp();
        for (int e = t % 32; e < 256; e += 32) {
            int r = row + e / 16, c = col + e % 16;
            if (r < M && c < N)
                C[(long long)r * N + c] = patch[e];
        }
        __syncwarp();
    }
}
