// Matrix multiplication: each thread keeps RESULTS x RESULTS
// elements of C in registers, and adds outer products to them.
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
// A block computes TILE_M x TILE_N of C, DEPTH steps of k at a
// time. Both tiles lie in shared memory as they lie in A and B.
//
// The elements of a thread do not lie together: its neighbours'
// stand between them. So a warp reads neighbours in a row of Bs,
// one from each bank, and writes neighbours in a row of C.
//
// What it saves: a thread with one result reads two values for
// each multiply-add, a thread with 8 x 8 reads one for four.
//
// What limits it now: every value is a load of its own, and a
// load takes as long to issue as a multiply-add.
// Next rung: matmul_vectorized.cu. Four values to a load.
//
// Launch: blocks of TILE_N / RESULTS by TILE_M / RESULTS
// threads; the grid covers C, x along its rows. The threads
// divide TILE_M * DEPTH and TILE_N * DEPTH without rest.
// Shared memory: (TILE_M + TILE_N) * DEPTH * 4 bytes.
// REGISTERS caps what a thread takes: at 128, two blocks of 256
// threads fit a multiprocessor.

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

extern "C" __global__ __maxnreg__(REGISTERS)
void matmul_register_tiled(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float As[TILE_M][DEPTH];
    __shared__ float Bs[DEPTH][TILE_N];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * THREADS_X + tx;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    float sum[RESULTS][RESULTS] = {};

    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        // All threads load both tiles, zeros past the edges.
        for (int i = t; i < TILE_M * DEPTH; i += THREADS) {
            int row = row0 + i / DEPTH, k = k0 + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = (row < M && k < K)
                ? A[(long long)row * K + k] : 0.0f;
        }
        for (int i = t; i < TILE_N * DEPTH; i += THREADS) {
            int k = k0 + i / TILE_N, col = col0 + i % TILE_N;
            Bs[i / TILE_N][i % TILE_N] = (k < K && col < N)
                ? B[(long long)k * N + col] : 0.0f;
        }
        // The tiles must be complete before anyone reads them.
        __syncthreads();

        #pragma unroll 2
        for (int k = 0; k < DEPTH; ++k) {
            float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; ++i) {
                a[i] = As[i * THREADS_Y + ty][k];
                b[i] = Bs[k][i * THREADS_X + tx];
            }
            for (int i = 0; i < RESULTS; ++i)
                for (int j = 0; j < RESULTS; ++j)
                    sum[i][j] += a[i] * b[j];
        }

        // And read by everyone before the next overwrite them.
        __syncthreads();
    }

    for (int i = 0; i < RESULTS; ++i)
        for (int j = 0; j < RESULTS; ++j) {
            int row = row0 + i * THREADS_Y + ty;
            int col = col0 + j * THREADS_X + tx;
            if (row < M && col < N)
                C[(long long)row * N + col] = sum[i][j];
        }
}
