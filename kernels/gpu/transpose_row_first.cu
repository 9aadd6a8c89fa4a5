// Transposition, fourth rung on the GPU: a tile of A in shared
// memory, read row first - and nothing is gained.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A              tile              C
//     . . . . .       a b c d           . a e
//     a b c d .   ->  e f g h    ->     . b f
//     e f g h .       . . . .           . c g
//     . . . . .                         . d h
//   a row is read   rows written,    columns written
//                   rows read
//
// Rows of shared memory look like the right choice: 32 words in
// a row lie in 32 banks, so there is no conflict. But a thread
// that reads its tile row first gets back the element which it
// put there. It must write it where the first rung did: a whole
// row of C away from its neighbours, 32 sectors a warp.
//
// Shared memory is no faster way to global memory. It helps only
// where threads exchange what they have: one warp writes a row
// of the tile, another one takes a column out of it. Nobody
// takes anything from anybody here; even the barrier is idle.
//
// Published tables call this row-first access, and compare it
// with the column-first access of transpose_padded.cu.
//
// Next rung: transpose_shared.cu. The tile is read column first:
// two indices change places, and the writes are coalesced.
//
// Launch: blocks of TILE x TILE threads; the grid covers A, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: TILE * TILE * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void transpose_row_first(
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

    __syncthreads();

    // The same thread, the same element.
    if (row < M && col < N)
        C[(long long)col * M + row] = tile[ty][tx];
}
