// Matrix multiplication: outer products, with only A in shared
// memory.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//                 | b b b b b b |    One step k of one block: a
//            -----+-------------     column of A times a row of
//   As[k]     a   | + + + + + + |    B, which is a rectangle of
//   in shared a   | + + + + + + |    products, RESULTS x TILE.
//   memory    a   | + + + + + + |    A thread keeps a column of
//             a   | + + + + + + |    it, and of C, in registers.
//
// An inner product, of a row of A and a column of B, is one
// number. An outer product, of a column and a row, is a whole
// rectangle: every value of the one meets every one of the other.
//
// Each b is needed by one thread only. So it goes from global
// memory into that thread's register, coalesced, and B has no
// tile: nothing is written to shared memory, nor read there.
// Each a is needed by all: a warp reads one word, a broadcast.
// As holds A transposed; what a thread needs in one step lies
// side by side, and the compiler makes one read of four.
//
// What it saves: the way of B through shared memory, and the
// memory: TILE can be large, DEPTH and RESULTS are independent
// of it. What it pays: B is read again for each RESULTS rows.
// Of A, each multiply-add still takes a value: no less than in
// matmul_work_per_thread.cu.
//
// Writing a column of As, neighbours in a row of A meet in a
// bank, four by four here; but that is one write in 128 reads.
//
// What limits it now: nobody multiplies while all wait for As,
// and each b is waited for. Next rung: matmul_prefetch.cu. The
// next ones are on their way meanwhile.
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
__launch_bounds__(TILE) void matmul_outer_product(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ __align__(16) float As[DEPTH][RESULTS];

    int t = threadIdx.x;
    int col = blockIdx.x * TILE + t;
    int row0 = blockIdx.y * RESULTS;

    float sum[RESULTS] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        // Past the edge of A the tile holds zeros.
        for (int l = 0; l < LOADS; ++l) {
            int i = l * TILE + t;
            int row = row0 + i / DEPTH, k = k0 + i % DEPTH;
            if (i < SIZE)
                As[i % DEPTH][i / DEPTH] = (row < M && k < K)
                    ? A[(long long)row * K + k] : 0.0f;
        }
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            float b = (k0 + k < K && col < N)
                ? B[(long long)(k0 + k) * N + col] : 0.0f;
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[k][i] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < RESULTS; ++i)
        if (row0 + i < M && col < N)
            C[(long long)(row0 + i) * N + col] = sum[i];
}
