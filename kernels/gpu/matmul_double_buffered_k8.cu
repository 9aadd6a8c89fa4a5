// Matrix multiplication, fifth rung on the GPU: two stages of
// shared memory, so that loading and multiplying overlap.
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
// While the tiles of one k-step are multiplied, those of the
// next are on their way into registers: a load that nobody waits
// for costs no time. Then they go into the other stage, which
// everyone left before the last barrier. So one barrier a k-step
// is enough, where one stage needs two.
//
// It costs twice the shared memory, and registers for what is in
// flight. The second bound at the kernel keeps a thread to 128,
// so that two blocks of 256 threads fit a multiprocessor.
//
// What limits it now: reading 16 values for 64 multiply-adds,
// and writing As: the lanes of a warp meet two by two in a bank.
// Next rung: cuBLAS, which packs, pads and orders for each GPU.
//
// Launch: blocks of SIDE x SIDE threads, SIDE = TILE / RESULTS;
// the grid covers C, x along its rows. RESULTS is a multiple of
// 4 and divides TILE. Shared memory: 4 * 8 * TILE * 4 bytes.

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
#define LOADS ((QUADS + THREADS - 1) / THREADS) // of a thread
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
void matmul_double_buffered_k8(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[2][DEPTH][TILE];
    __shared__ __align__(16) float Bs[2][DEPTH][TILE];

    int tx = threadIdx.x, ty = threadIdx.y, t = ty * SIDE + tx;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    __align__(16) float sum[RESULTS][RESULTS] = {};

    // The first turn only loads.
    for (int k0 = -DEPTH; k0 < K; k0 += DEPTH) {
        int now = k0 / DEPTH & 1, next = now ^ 1, k1 = k0 + DEPTH;

        // 1. The next tiles set out for registers. Nobody waits.
        float4 a_next[LOADS], b_next[LOADS];
        for (int l = 0; l < LOADS; ++l) {
            int i = l * THREADS + t;
            int ar = i / (DEPTH / 4), ak = i % (DEPTH / 4) * 4;
            int bk = i / (TILE / 4), bc = i % (TILE / 4) * 4;
            if (i < QUADS) {
                a_next[l] = load4(A, M, K, row0 + ar, k1 + ak);
                b_next[l] = load4(B, K, N, k1 + bk, col0 + bc);
            }
        }

        // 2. Multiply the tiles that are there.
        #pragma unroll
        for (int k = 0; k < DEPTH && k0 >= 0; ++k) {
            __align__(16) float a[RESULTS], b[RESULTS];
            for (int i = 0; i < RESULTS; i += 4) {
                FLOAT4(a[i]) = FLOAT4(As[now][k][AT(i, ty)]);
                FLOAT4(b[i]) = FLOAT4(Bs[now][k][AT(i, tx)]);
            }
            for (int i = 0; i < RESULTS; ++i)
                for (int j = 0; j < RESULTS; ++j)
                    sum[i][j] += a[i] * b[j];
        }

        // 3. What has arrived goes into the other stage.
        for (int l = 0; l < LOADS; ++l) {
            int i = l * THREADS + t;
            int ar = i / (DEPTH / 4), ak = i % (DEPTH / 4) * 4;
            int bk = i / (TILE / 4), bc = i % (TILE / 4) * 4;
            if (i < QUADS) {
                As[next][ak][ar] = a_next[l].x;
                As[next][ak + 1][ar] = a_next[l].y;
                As[next][ak + 2][ar] = a_next[l].z;
                As[next][ak + 3][ar] = a_next[l].w;
                FLOAT4(Bs[next][bk][bc]) = b_next[l];
            }
        }
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
