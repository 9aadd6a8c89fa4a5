// Transposition, second rung on the GPU: one element a thread
// through global memory; it is written along rows.
//
//   C[row][col] = A[col][row]    A is M x N, C is N x M,
//                                both row-major float32.
//
//        A                  C
//     . a . . .           . . .
//     . b . . .    ->     a b c
//     . c . . .           . . .
//                         . . .
//                         . . .
//
// Only one thing has changed: x runs along the rows of C. Now a
// warp writes 32 neighbours, 4 sectors of 32 bytes, and reads 32
// values a whole row of A apart, out of 32 sectors.
//
// Is that better? The sectors are as many. But a thread waits
// for what it reads, not for what it writes. Reads in pieces
// keep a warp waiting for 32 sectors; on the other hand the
// words beside them stay in the cache for the next warps, and
// no sector is written in part, which costs more than one that
// is written whole. Which of the two wins depends on the GPU and
// the shape of the block: measure both.
//
// What limits it: either way one side is in pieces, as long as
// every thread writes what it has read itself.
//
// Next rung: transpose_direct_map.cu. What the two-dimensional
// blocks are good for shows when they are left out.
//
// Launch: blocks of TILE x ROWS threads; the grid covers C, x
// along its rows. TILE * ROWS is at most 1024.

#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS TILE
#endif

extern "C" __global__ void transpose_global_writes(
    const float* A, float* C, int M, int N)
{
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * ROWS + threadIdx.y;

    // The last blocks reach past the edge of C when the block
    // does not divide its size. long long: the index of an
    // element of a large matrix does not fit in 32 bits.
    if (row < N && col < M)
        C[(long long)row * M + col] = A[(long long)col * N + row];
}
