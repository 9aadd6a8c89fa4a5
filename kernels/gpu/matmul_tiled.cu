// Matrix multiplication: tiles in shared memory.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//                    B
//                .  |Bs|  .    One block computes one tile
//                .  | v|  .    of C. Step by step a tile of A
//                .  |  |  .    moves right and a tile of B
//       A                      moves down:
//   .  .  .  .   .  .  .  .      load both tiles
//   As ->        .  C  .  .      barrier
//   .  .  .  .   .  .  .  .      multiply the tiles
//                                barrier
//
// What it saves: an element of As is used by the TILE threads of
// its row, an element of Bs by the TILE threads of its column,
// but each is loaded from global memory once a block. Global
// reads fall by the factor TILE.
//
// What limits it now: two reads of shared memory still feed one
// multiply-add. Next rung: matmul_coalesced_bt.cu, which turns
// the tile of B and gains nothing by it. What helps comes with
// matmul_work_per_thread.cu: a thread reuses what it has read.
//
// Launch: blocks of TILE x TILE threads; the grid covers C, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: 2 * TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void matmul_tiled(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Past the edge of A or B a tile holds zeros: they add
        // nothing. No thread may leave early, because all of
        // them must reach the barriers.
        As[ty][tx] = (row < M && k0 + tx < K)
            ? A[(long long)row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < K && col < N)
            ? B[(long long)(k0 + ty) * N + col] : 0.0f;

        // Both tiles must be complete before anyone reads them.
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];

        // Everyone must have read the tiles before the next
        // ones overwrite them.
        __syncthreads();
    }

    if (row < M && col < N)
        C[(long long)row * N + col] = sum;
}
