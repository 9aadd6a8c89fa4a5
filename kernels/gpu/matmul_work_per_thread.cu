// Matrix multiplication: several results a thread.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//          Bs          The tiles are those of matmul_tiled.cu,
//        . | .         the threads fewer: each computes RESULTS
//        . b .         elements of a column of C, SIDE rows
//        . | .         apart.
//   As
//   . a .   . + .      One step k of one thread: b is read once
//   . . .   . . .      and meets the a of each of its rows.
//   . a .   . + .
//   . . .   . . .
//
// What it saves: a multiply-add took two reads of shared memory.
// Now RESULTS of them take RESULTS + 1, one of B and one of A
// each. The loop's own instructions are shared out likewise. And
// the multiply-adds of a thread do not wait for one another: the
// sums are different ones.
//
// A block is smaller, so a tile can be larger: with TILE = 64
// global reads are half of those with 32, and there are
// 64 * 64 / RESULTS threads.
//
// What limits it now: still one value of A from shared memory
// for each multiply-add. The compiler reads four along a row of
// As at once, for each of the rows, and must hold them all.
// Next rung: matmul_outer_product.cu. A is turned, so that four
// are used at once, and B does without shared memory.
//
// Launch: blocks of TILE x SIDE threads, SIDE = TILE / RESULTS;
// the grid covers C, x along its rows. RESULTS divides TILE.
// TILE * SIDE is at most 1024.
// Shared memory: 2 * TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 32
#endif
#ifndef RESULTS
#define RESULTS 8
#endif
#define SIDE (TILE / RESULTS)

extern "C" __global__ void matmul_work_per_thread(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row0 = blockIdx.y * TILE;

    float sum[RESULTS] = {};
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Past the edge of A or B a tile holds zeros. Fewer
        // threads load the same tiles: RESULTS rows each.
        for (int i = 0; i < RESULTS; ++i) {
            int y = ty + i * SIDE;
            As[y][tx] = (row0 + y < M && k0 + tx < K)
                ? A[(long long)(row0 + y) * K + k0 + tx] : 0.0f;
            Bs[y][tx] = (k0 + y < K && col < N)
                ? B[(long long)(k0 + y) * N + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            float b = Bs[k][tx];
            for (int i = 0; i < RESULTS; ++i)
                sum[i] += As[ty + i * SIDE][k] * b;
        }
        __syncthreads();
    }

    for (int i = 0; i < RESULTS; ++i) {
        int row = row0 + ty + i * SIDE;
        if (row < M && col < N)
            C[(long long)row * N + col] = sum[i];
    }
}
