// Transposition, sixth rung on the GPU: the tile in shared memory
// has longer rows.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A              tile              C
//     . . . . .       a b c d |p       . a e .
//     a b c d .   ->  e f g h |p   ->  . b f .
//     e f g h .       . . . . |p       . c g .
//     . . . . .                        . d h .
//   a row is read    rows written,   a row is written
//                    columns read
//
// Both global accesses run along rows, so both are coalesced.
// The turn happens in shared memory, whose word w lies in bank
// w % 32; one bank serves one word at a time.
//
// Why the padding p: a warp reads a column of the tile. With
// TILE = 32 and rows of 32 words all its 32 words would lie in
// one bank and be served one after the other. With rows of 33
//
//   bank of tile[tx][ty] = (33 * tx + ty) % 32 = (tx + ty) % 32
//
// and every lane has its own bank. The padding is never read or
// written. With PADDING = 2 only every second bank is used, with
// 4 every fourth: an odd length of the rows is what helps.
//
// What limits it now: the padding takes shared memory. Next
// rung: transpose_swizzled.cu, which does without.
//
// Launch: blocks of TILE x TILE threads; the grid covers A, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: TILE * (TILE + PADDING) * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif
#ifndef PADDING
#define PADDING 1
#endif

extern "C" __global__ void transpose_padded(
    const float* A, float* C, int M, int N)
{
    __shared__ float tile[TILE][TILE + PADDING];

    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // This block's tile of A. long long: the index of an element
    // of a large matrix does not fit in 32 bits.
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    if (row < M && col < N)
        tile[ty][tx] = A[(long long)row * N + col];

    // The tile must be complete before other threads read it.
    // Nobody may skip the barrier.
    __syncthreads();

    // The same tile's place in C: block indices swapped, threads
    // again along a row.
    int c_col = blockIdx.y * TILE + tx;
    int c_row = blockIdx.x * TILE + ty;
    if (c_row < N && c_col < M)
        C[(long long)c_row * M + c_col] = tile[tx][ty];
}
