// Matrix multiplication: each warp has a tile of its own.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   block 256 x 128       warp 64 x 64        thread 16 x 8
//   +----+----+      lanes 0 1 8 9 16 17 24 25    + + +
//   | w0 | w1 |            2 3 . .                + + +
//   +----+----+            4 5 . .                + + +
//   | w2 | w3 |            6 7 . . (4 x 8 lanes)
//
// 1. 16 + 8 values feed 128 multiply-adds. Lanes n and n ^ 1
//    read the same float4 of As, lanes n and n ^ 2 the same of
//    Bs: then two phases of a read are served as one, and each
//    read takes two wavefronts instead of four.
// 2. Values for the next k are read while this one is
//    multiplied. After the barrier a whole k is still to be
//    multiplied, while the first values of the new tiles come.
// 3. A multiply-add reads three registers, but from each of two
//    banks, the even and the odd numbers, only one at a time. One
//    operand may still be at hand from the multiply-add before:
//    so j runs forwards and back, and a[i] stays, or b[j] at the
//    turns. The other two should be odd and even. What is moved
//    as float4 lies in four registers from an even number on; so
//    sum[i][j] and column j of B would always be both even or
//    both odd. Bs keeps each two columns exchanged: now never.
//    For the same reason even rows are the ones that go back.
//
// What limits it now: every warp still loads, stores and waits
// beside its multiply-adds. Next rung: matmul_fastest.cu.
//
// Launch: blocks of TILE_N / RESULTS_N by TILE_M / RESULTS_M
// threads, 32 of which are a warp; the grid covers C, x along
// its rows. TILE_M is a multiple of 4 * RESULTS_M, TILE_N of
// 8 * RESULTS_N; the threads divide TILE_M * DEPTH / 4 and
// TILE_N * DEPTH / 4 without rest. REGISTERS caps a thread.
// Shared memory: 2 * (TILE_M + TILE_N) * DEPTH * 4 bytes.

#ifndef TILE_M
#define TILE_M 256
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#ifndef RESULTS_M
#define RESULTS_M 16
#endif
#ifndef RESULTS_N
#define RESULTS_N 8
#endif
#ifndef REGISTERS
#define REGISTERS 255
#endif
#define WARP_M (4 * RESULTS_M)
#define WARP_N (8 * RESULTS_N)
#define THREADS (TILE_M / RESULTS_M * (TILE_N / RESULTS_N))
// float4 that a thread loads in a step
#define A_LOADS (TILE_M * DEPTH / 4 / THREADS)
#define B_LOADS (TILE_N * DEPTH / 4 / THREADS)
#define FLOAT4(x) (*(float4*)&(x))
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
void matmul_warp_tiled(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[2][DEPTH][TILE_M];
    __shared__ __align__(16) float Bs[2][DEPTH][TILE_N];

    int t = threadIdx.y * (TILE_N / RESULTS_N) + threadIdx.x;
    int warp = t / 32, lane = t % 32;
    int row0 = blockIdx.y * TILE_M, col0 = blockIdx.x * TILE_N;
    // Where the first results of this thread are in the tile.
    int row = warp / (TILE_N / WARP_N) * WARP_M + lane / 2 % 4 * 4;
    int col = warp % (TILE_N / WARP_N) * WARP_N
        + (lane / 8 * 2 + lane % 2) * 4;

    __align__(16) float sum[RESULTS_M][RESULTS_N] = {};
    // What is multiplied at even k and at odd k.
    __align__(16) float a[2][RESULTS_M], b[2][RESULTS_N];
    float4 a_next[A_LOADS], b_next[B_LOADS];

    auto load = [&](int k0) {
        for (int l = 0, i = t; l < A_LOADS; ++l, i += THREADS) {
            int r = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            a_next[l] = load4(A, M, K, row0 + r, k0 + k);
        }
        for (int l = 0, i = t; l < B_LOADS; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            b_next[l] = load4(B, K, N, k0 + k, col0 + c);
        }
    };
    auto store = [&](int stage) {
        for (int l = 0, i = t; l < A_LOADS; ++l, i += THREADS) {
            int r = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            float4 v = a_next[l];
            int at = SWIZZLED(r, k);
            As[stage][k][at] = v.x, As[stage][k + 1][at] = v.y;
            As[stage][k + 2][at] = v.z, As[stage][k + 3][at] = v.w;
        }
        for (int l = 0, i = t; l < B_LOADS; ++l, i += THREADS) {
            int k = i / (TILE_N / 4), c = i % (TILE_N / 4) * 4;
            float4 v = b_next[l];
            FLOAT4(Bs[stage][k][c]) = {v.y, v.x, v.w, v.z};
        }
    };
    auto read = [&](int stage, int k) {
        for (int i = 0; i < RESULTS_M; i += 4)
            FLOAT4(a[k % 2][i]) =
                FLOAT4(As[stage][k][SWIZZLED(row + i * 4, k)]);
        for (int j = 0; j < RESULTS_N; j += 4)
            FLOAT4(b[k % 2][j]) = FLOAT4(Bs[stage][k][col + j * 8]);
    };

    load(0);
    store(0);
    __syncthreads();
    read(0, 0);
    for (int k0 = 0, stage = 0; k0 < K; k0 += DEPTH) {
        load(k0 + DEPTH); // Nobody waits.
        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            if (k == DEPTH - 1) {
                stage ^= 1;
                store(stage);
                __syncthreads();
            }
            read(stage, (k + 1) % DEPTH);
            for (int i = 0; i < RESULTS_M; ++i)
                for (int q = 0; q < RESULTS_N; ++q) {
                    int j = i % 2 == 0 ? RESULTS_N - 1 - q : q;
                    sum[i][j] += a[k % 2][i] * b[k % 2][j ^ 1];
                }
        }
    }

    for (int i = 0; i < RESULTS_M; ++i)
        for (int j = 0; j < RESULTS_N; j += 4) {
            int m = row0 + row + i / 4 * 16 + i % 4;
            int n = col0 + col + j * 8;
            float* c = C + (long long)m * N + n;
            int inside = m < M ? N - n : 0;
            if (inside >= 4 && N % 4 == 0)
                FLOAT4(*c) = FLOAT4(sum[i][j]);
            else
                for (int e = 0; e < 4; ++e)
                    if (e < inside) c[e] = sum[i][j + e];
        }
}
