// Matrix multiplication: what the next step needs is fetched
// while this one is multiplied.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   global -> registers   0....  1....      2....
//   multiply                    [0 0 0 0 ] [1 1 1 1 ] [2 ...
//   registers -> As            0          1          2
//   barriers                  | |        | |        | |
//
// The outer products are those of matmul_outer_product.cu. There
// a block loads, waits, multiplies, and loads again; a read of
// global memory takes hundreds of cycles. Here it begins before
// the multiply-adds, which need nothing of it, and has their
// time to arrive. A thread waits when it first uses a value, not
// when it asks for it.
//
// Trace both: all counts are equal, only the order is not. So
// the gain is what other threads had left uncovered: while one
// block waits, another multiplies, and the compiler also moves
// loads forward, within a step. Prefetching takes registers for
// what is on its way; where they push threads out, it may lose.
//
// What limits it now: each multiply-add still reads its value of
// A from shared memory. Four come in one read, but that is a
// broadcast of four words, which takes two wavefronts; in that
// time 8 multiply-adds could be done by each multiprocessor's
// four schedulers. Next rung: matmul_register_tiled.cu. A
// thread's results are several columns, and a is used for each.
//
// Launch: blocks of TILE threads; the grid covers C with parts
// of RESULTS rows and TILE columns, x along its rows. TILE is at
// most 1024. Shared memory: DEPTH * RESULTS * 4 bytes a block.

#ifndef TILE
#define TILE 128
#endif
#ifndef RESULTS
#define RESULTS 16
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#define SIZE (DEPTH * RESULTS) // of As
#define LOADS ((SIZE + TILE - 1) / TILE) // of a thread

extern "C" __global__
__launch_bounds__(TILE) void matmul_prefetch(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][RESULTS];

    int t = threadIdx.x;
    int col = blockIdx.x * TILE + t;
    int row0 = blockIdx.y * RESULTS;

    float sum[RESULTS] = {}, b[DEPTH] = {};
    for (int k0 = -DEPTH;; k0 += DEPTH) {
        int k1 = k0 + DEPTH;

        // 1. The next values set out for registers. Nobody waits.
        float a_next[LOADS], b_next[DEPTH];
        for (int l = 0; l < LOADS; ++l) {
            int i = l * TILE + t;
            int row = row0 + i / DEPTH, k = k1 + i % DEPTH;
            a_next[l] = (i < SIZE && row < M && k < K)
                ? A[(long long)row * K + k] : 0.0f;
        }
        for (int k = 0; k < DEPTH; ++k)
            b_next[k] = (k1 + k < K && col < N)
                ? B[(long long)(k1 + k) * N + col] : 0.0f;

        // 2. Multiply those that are there: none on the first
        // turn, which only loads.
        #pragma unroll
        for (int k = 0; k < DEPTH && k0 >= 0; ++k)
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[k][i] * b[k];

        // 3. What has arrived takes their place, if any is left.
        if (k1 >= K)
            break;
        __syncthreads();
        for (int l = 0; l < LOADS; ++l) {
            int i = l * TILE + t;
            if (i < SIZE)
                As[i % DEPTH][i / DEPTH] = a_next[l];
        }
        for (int k = 0; k < DEPTH; ++k)
            b[k] = b_next[k];
        __syncthreads();
    }

    for (int i = 0; i < RESULTS; ++i)
        if (row0 + i < M && col < N)
            C[(long long)(row0 + i) * N + col] = sum[i];
}
