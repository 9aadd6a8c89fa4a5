// Matrix multiplication: two stages of shared memory, so that
// loading and multiplying overlap.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   global -> registers   1....      2....      3....
//   multiply            [0 0 0 0 ] [1 1 1 1 ] [2 2 2 2 ]
//   registers -> stage           1          2          3
//   barrier                       |          |          |
//   stage                   0          1          0
//
// While the tiles of one step are multiplied, those of the next
// are on their way into registers: a load that nobody waits for
// costs no time. Then they go into the other stage, which
// everyone left before the last barrier. So one barrier a step
// is enough, where one stage needs two.
//
// It costs twice the shared memory, and registers for what is in
// flight: 8 at DEPTH 8, 16 at 16, beside 64 results.
//
// What limits it now: those registers, and the instructions that
// move through them what was loaded. Next rung: matmul_async.cu.
// Copies that go to shared memory by themselves.
//
// Launch: blocks of TILE_N / RESULTS by TILE_M / RESULTS
// threads; the grid covers C, x along its rows. RESULTS is a
// multiple of 4; the threads divide TILE_M * DEPTH / 4 and
// TILE_N * DEPTH / 4 without rest. TILE_M is a multiple
// of 32.
// Shared memory: 2 * (TILE_M + TILE_N) * DEPTH * 4 bytes.
// REGISTERS caps what a thread takes: at 128,
// two blocks of 256 threads fit a multiprocessor.

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
// Where row r of A lies in row k of As.
#define SWIZZLED(r, k) ((r) ^ (k) / 4 * (128 / DEPTH))

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
void matmul_double_buffered(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[2][DEPTH][TILE_M];
    __shared__ __align__(16) float Bs[2][DEPTH][TILE_N];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * THREADS_X + tx;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    __align__(16) float sum[RESULTS][RESULTS] = {};

    // The first turn only loads.
    for (int k0 = -DEPTH; k0 < K; k0 += DEPTH) {
        int now = k0 / DEPTH & 1, next = now ^ 1, k1 = k0 + DEPTH;

        // 1. The next tiles set out for registers. Nobody waits.
        float4 a_next[A_LOADS], b_next[B_LOADS];
        for (int l = 0, i = t; l < A_LOADS; ++l, i += THREADS) {
            int r = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            a_next[l] = load4(A, M, K, row0 + r, k1 + k);
        }
        for (int l = 0, i = t; l < B_LOADS; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            b_next[l] = load4(B, K, N, k1 + k, col0 + c);
        }

        // 2. Multiply the tiles that are there.
        #pragma unroll
        for (int k = 0; k < DEPTH && k0 >= 0; ++k) {
            __align__(16) float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; i += 4) {
                int at = SWIZZLED(AT(i, ty, THREADS_Y), k);
                FLOAT4(a[i]) = FLOAT4(As[now][k][at]);
                at = AT(i, tx, THREADS_X);
                FLOAT4(b[i]) = FLOAT4(Bs[now][k][at]);
            }
            for (int i = 0; i < RESULTS; ++i)
                for (int j = 0; j < RESULTS; ++j)
                    sum[i][j] += a[i] * b[j];
        }

        // 3. What has arrived goes into the other stage.
        for (int l = 0, i = t; l < A_LOADS; ++l, i += THREADS) {
            int r = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            int at = SWIZZLED(r, k);
            float4 a = a_next[l];
            As[next][k][at] = a.x, As[next][k + 1][at] = a.y;
            As[next][k + 2][at] = a.z, As[next][k + 3][at] = a.w;
        }
        for (int l = 0, i = t; l < B_LOADS; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            FLOAT4(Bs[next][k][c]) = b_next[l];
        }
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
