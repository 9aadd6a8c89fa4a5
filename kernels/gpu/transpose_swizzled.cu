// Transposition, seventh rung on the GPU: the tile's rows are
// shuffled, each in another way, so that nothing is padded.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A            tile, x ^ y         C
//     . . . . .       a b c d         . a e i
//     a b c d .   ->  f e h g    ->   . b f j
//     e f g h .       k l i j         . c g k
//     i j k l .       . . . .         . d h l
//
// Column x of row y is kept at x ^ y (exclusive or). Within a
// row that is an exchange of places: nothing is lost, and a row
// is still a row. But the words of a column of A, a e i, now lie
// in different columns of the tile, so in different banks: with
// TILE = 32 a warp, which reads a column, finds
//
//   bank of tile[tx][ty ^ tx] = (32 * tx + (ty ^ tx)) % 32
//                             = ty ^ tx
//
// another one for each lane. Both global accesses run along
// rows, as before.
//
// x ^ y stays inside the row if TILE is a power of two.
//
// What limits it now: each thread has one read on its way and
// then waits. Next rung: transpose_elements.cu. Fewer threads
// have several on the way.
//
// Launch: blocks of TILE x TILE threads; the grid covers A, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void transpose_swizzled(
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
        tile[ty][tx ^ ty] = A[(long long)row * N + col];

    // The tile must be complete before other threads read it.
    // Nobody may skip the barrier.
    __syncthreads();

    // The same tile's place in C: block indices swapped, threads
    // again along a row.
    int c_col = blockIdx.y * TILE + tx;
    int c_row = blockIdx.x * TILE + ty;
    if (c_row < N && c_col < M)
        C[(long long)c_row * M + c_col] = tile[tx][ty ^ tx];
}
