// Matrix multiplication, fourth rung on the GPU: a thread keeps
// RESULTS x RESULTS elements of C in registers and moves four
// floats with each load.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//               | b b b b |     One step k of one thread: part
//               -----------     of a column of A and of a row
//          a    | + + + + |     of B come from shared memory,
//          a    | + + + + |     and each of the one meets each
//          a    | + + + + |     of the other: 8 + 8 values feed
//          a    | + + + + |     64 multiply-adds.
//
// A block computes TILE x TILE of C, 8 steps of k at a time. As
// holds its part of A transposed: what a thread needs in one
// step then lies side by side, as in Bs, and comes four values
// to a read (float4, 16 bytes).
//
// A thread's elements are groups of four, the threads' groups
// side by side: 8 lanes, served together, read 32 words in a row
// of Bs, one in each bank. Groups of eight would meet there.
//
// What limits it now: all threads wait for global memory, then
// all multiply. Next rung: matmul_double_buffered_k8.cu. The
// next tiles are on their way meanwhile.
//
// Launch: blocks of SIDE x SIDE threads, SIDE = TILE / RESULTS;
// the grid covers C, x along its rows. RESULTS is a multiple of
// 4 and divides TILE. Shared memory: 2 * 8 * TILE * 4 bytes.

#ifndef TILE
#define TILE 128
#endif
#ifndef RESULTS
#define RESULTS 8
#endif
#define DEPTH 8
#define SIDE (TILE / RESULTS)
#define THREADS (SIDE * SIDE)
#define QUADS (TILE * DEPTH / 4) // float4 in a tile
#define FLOAT4(x) (*(float4*)&(x))
// Where result i of a thread lies in the tile's row or column.
#define AT(i, thread) ((i / 4 * SIDE + thread) * 4 + i % 4)

// Four neighbours in a row of X, zeros past its edges. A float4
// must be aligned: it is if the rows' length allows it.
__device__ float4 load4(
    const float* X, int rows, int cols, int row, int col)
{
    const float* x = X + (long long)row * cols + col;
    int inside = row < rows ? cols - col : 0;
    if (inside >= 4 && cols % 4 == 0)
        return FLOAT4(*x);
    float4 v = {inside > 0 ? x[0] : 0.0f, inside > 1 ? x[1] : 0.0f,
                inside > 2 ? x[2] : 0.0f, inside > 3 ? x[3] : 0.0f};
    return v;
}

extern "C" __global__
__launch_bounds__(THREADS, THREADS <= 256 ? 2 : 1)
void matmul_vectorized_k8(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][TILE];
    __shared__ __align__(16) float Bs[DEPTH][TILE];

    int tx = threadIdx.x, ty = threadIdx.y, t = ty * SIDE + tx;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    __align__(16) float sum[RESULTS][RESULTS] = {};

    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int i = t; i < QUADS; i += THREADS) {
            int ar = i / (DEPTH / 4), ak = i % (DEPTH / 4) * 4;
            int bk = i / (TILE / 4), bc = i % (TILE / 4) * 4;
            float4 a = load4(A, M, K, row0 + ar, k0 + ak);
            float4 b = load4(B, K, N, k0 + bk, col0 + bc);
            As[ak][ar] = a.x, As[ak + 1][ar] = a.y;
            As[ak + 2][ar] = a.z, As[ak + 3][ar] = a.w;
            FLOAT4(Bs[bk][bc]) = b;
        }
        // The tiles must be complete before anyone reads them.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            __align__(16) float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; i += 4) {
                FLOAT4(a[i]) = FLOAT4(As[k][AT(i, ty)]);
                FLOAT4(b[i]) = FLOAT4(Bs[k][AT(i, tx)]);
            }
            for (int i = 0; i < RESULTS; ++i)
                for (int j = 0; j < RESULTS; ++j)
                    sum[i][j] += a[i] * b[j];
        }

        // And read by everyone before the next overwrite them.
        __syncthreads();
    }

    for (int i = 0; i < RESULTS; ++i)
        for (int j = 0; j < RESULTS; j += 4) {
            int row = row0 + AT(i, ty), col = col0 + AT(j, tx);
            float* c = C + (long long)row * N + col;
            int inside = row < M ? N - col : 0;
            if (inside >= 4 && N % 4 == 0)
                FLOAT4(*c) = FLOAT4(sum[i][j]);
            else
                for (int e = 0; e < 4; ++e)
                    if (e < inside) c[e] = sum[i][j + e];
        }
}
