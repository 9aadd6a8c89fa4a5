// Transposition, fifth rung on the GPU: the tile is turned in
// shared memory.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A              tile             C
//     . . . . .       a b c d         . a e .
//     a b c d .   ->  e f g h    ->   . b f .
//     e f g h .       . . . .         . c g .
//     . . . . .                       . d h .
//   a row is read    rows written,  a row is written
//                    columns read
//
// Both global accesses now run along rows, so both are
// coalesced: 4 sectors for 32 words, not 32.
//
// What limits it now: shared memory has no sectors to waste but
// 32 banks. Word w lies in bank w % 32, and one bank serves one
// word at a time. A warp reads a column of the tile; with
// TILE = 32 and rows of 32 words
//
//   bank of tile[tx][ty] = (32 * tx + ty) % 32 = ty
//
// is the same for all its lanes: their 32 words come out of one
// bank, one after the other. With TILE = 16 a warp reads two
// columns of 16 words. Every second row begins in the same bank,
// so each column lies in two banks, and 8 words wait in each.
//
// Next rung: transpose_padded.cu. Longer rows move every row to
// other banks.
//
// Launch: blocks of TILE x TILE threads; the grid covers A, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void transpose_shared(
    const float* A, float* C, int M, int N)
{
    __shared__ float tile[TILE][TILE];

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
