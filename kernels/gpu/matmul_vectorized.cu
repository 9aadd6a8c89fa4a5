// Matrix multiplication: results in registers, and four floats
// moved with each load.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//    A row of A   k k k k            As    k | . . . . . . .
//                 | | | |   turned         k | . . . . . . .
//                 float4   ------->        k | . . . . . . .
//                                          k | . . . . . . .
//
// A block computes TILE_M x TILE_N of C, DEPTH steps of k at a
// time. As holds its part of A transposed: what a thread needs
// in one step then lies side by side, as in Bs, and comes four
// values to a read (float4, 16 bytes): 4 loads of shared memory
// feed 64 multiply-adds.
//
// A thread's elements are groups of four, the threads' groups
// side by side: 8 lanes, served together, read 32 words in a row
// of Bs, one in each bank. Groups of eight would meet there.
//
// What limits it now: turning A costs. The four floats that were
// loaded go to four rows of As, where lanes of other k and the
// same row meet in a bank: two at DEPTH 8, four at 16.
// Next rung: matmul_register_conflict_free.cu. It moves them
// apart.
//
// Launch: blocks of TILE_N / RESULTS by TILE_M / RESULTS
// threads; the grid covers C, x along its rows. RESULTS is a
// multiple of 4; the threads divide TILE_M * DEPTH / 4 and
// TILE_N * DEPTH / 4 without rest.
// Shared memory: (TILE_M + TILE_N) * DEPTH * 4 bytes.
// REGISTERS caps what a thread takes.

#ifndef TILE_M
#define TILE_M 128
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
#define REGISTERS 128
#endif
#define THREADS_X (TILE_N / RESULTS)
#define THREADS_Y (TILE_M / RESULTS)
#define THREADS (THREADS_X * THREADS_Y)
// float4 that a thread loads in a step
#define A_LOADS (TILE_M * DEPTH / 4 / THREADS)
#define B_LOADS (TILE_N * DEPTH / 4 / THREADS)
#define FLOAT4(x) (*(float4*)&(x))
// Where result i of a thread lies in the tile's row or column.
#define AT(i, thread, threads) \
    ((i / 4 * threads + thread) * 4 + i % 4)

// Four neighbours in a row of X, zeros past its edges. Where the
// rows are whole float4, so is what is inside.
__device__ float4 load4(
    const float* X, int rows, int cols, int row, int col)
{
    const float* x = X + (long long)row * cols + col;
    int inside = row < rows ? cols - col : 0;
    if (cols % 4 == 0)
        return inside > 0 ? FLOAT4(*x) : float4{};
    return {inside > 0 ? x[0] : 0.0f, inside > 1 ? x[1] : 0.0f,
            inside > 2 ? x[2] : 0.0f, inside > 3 ? x[3] : 0.0f};
}

extern "C" __global__ __maxnreg__(REGISTERS)
void matmul_vectorized(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][TILE_M];
    __shared__ __align__(16) float Bs[DEPTH][TILE_N];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * THREADS_X + tx;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    __align__(16) float sum[RESULTS][RESULTS] = {};

    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int l = 0, i = t; l < A_LOADS; ++l, i += THREADS) {
            int r = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            float4 a = load4(A, M, K, row0 + r, k0 + k);
            As[k][r] = a.x, As[k + 1][r] = a.y;
            As[k + 2][r] = a.z, As[k + 3][r] = a.w;
        }
        for (int l = 0, i = t; l < B_LOADS; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            FLOAT4(Bs[k][c]) = load4(B, K, N, k0 + k, col0 + c);
        }
        // The tiles must be complete before anyone reads them.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            __align__(16) float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; i += 4) {
                FLOAT4(a[i]) = FLOAT4(As[k][AT(i, ty, THREADS_Y)]);
                FLOAT4(b[i]) = FLOAT4(Bs[k][AT(i, tx, THREADS_X)]);
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
