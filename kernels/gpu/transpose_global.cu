// Transposition, first rung on the GPU: every thread moves one
// element through global memory; it is read along rows.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A                  C
//     . . . . .           . a .
//     a b c d .    ->     . b .
//     . . . . .           . c .
//                         . d .
//                         . . .
//
// Neighbouring threads read neighbours in a row of A: one
// coalesced read. They write a whole row of C apart: each write
// touches another piece of memory.
//
// Memory moves in sectors of 32 bytes. The 32 threads of a warp
// that read 32 neighbours need 4 sectors; the same threads write
// into 32 different sectors and use 4 bytes of each. Square
// blocks soften this: the block's next row of threads fills the
// words beside them, while the sector may still be in the cache.
//
// Next rung: transpose_global_writes.cu. The same the other way
// round: is it better to read or to write in pieces?
//
// Launch: blocks of TILE x ROWS threads; the grid covers A, x
// along its rows. TILE * ROWS is at most 1024.

#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS TILE
#endif

extern "C" __global__ void transpose_global(
    const float* A, float* C, int M, int N)
{
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * ROWS + threadIdx.y;

    // The last blocks reach past the edge of A when the block
    // does not divide its size. long long: the index of an
    // element of a large matrix does not fit in 32 bits.
    if (row < M && col < N)
        C[(long long)col * M + row] = A[(long long)row * N + col];
}
