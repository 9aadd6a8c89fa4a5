// Matrix multiplication: the tile of B is transposed on its way
// into shared memory.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//       B              Bs             a thread's inner loop
//     . . . . .      a d g
//     a b c . .  ->  b e h     As   - - ->  along a row
//     d e f . .      c f i     Bs   - - ->  along a row, where
//     g h i . .                     the tiled kernel goes down
//   a row is read   a column
//                   is written
//
// Courses teach it for coalescing: down a column of B a thread
// jumps from row to row, along a row of the transpose it does
// not. That is true of one thread and its steps. But coalescing
// is about the 32 threads of a warp in one step, and they have
// read neighbours in a row of B all along: 4 sectors a request
// in matmul_tiled.cu, 4 here. Trace both and compare: there was
// nothing to gain. (In matmul_uncoalesced.cu, too, it is A that
// is read across, not B.)
//
// What it does give: four steps of a thread lie side by side in
// both tiles, and the compiler makes one read of four.
//
// What it costs: bank of Bs[tx][k] = (TILE * tx + k) % 32. With
// TILE = 32 all lanes of a warp meet in one bank, with TILE = 16
// they meet by eights, when they write a column of Bs and each
// time they read one. Reading four words at once they meet in
// four banks: the wait is shorter, but not short.
//
// What limits it now: the banks, nothing else. Next rung:
// matmul_conflict_free.cu. The same with another layout.
//
// Launch: blocks of TILE x TILE threads; the grid covers C, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: 2 * TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void matmul_coalesced_bt(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE]; // its rows: columns of B

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Past the edge of A or B a tile holds zeros: they add
        // nothing.
        As[ty][tx] = (row < M && k0 + tx < K)
            ? A[(long long)row * K + k0 + tx] : 0.0f;
        Bs[tx][ty] = (k0 + ty < K && col < N)
            ? B[(long long)(k0 + ty) * N + col] : 0.0f;

        // Both tiles must be complete before anyone reads them.
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][k];

        // Everyone must have read the tiles before the next
        // ones overwrite them.
        __syncthreads();
    }

    if (row < M && col < N)
        C[(long long)row * N + col] = sum;
}
