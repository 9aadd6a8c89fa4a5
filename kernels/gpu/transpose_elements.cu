// Transposition, eighth rung on the GPU: a thread moves several
// elements.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//     tile of 32 x 32, block of 32 x 8 threads
//
//     0 0 0 ... 0 0 0    thread row 0: rows 0, 8, 16 and 24
//     1 1 1 ... 1 1 1    thread row 1: rows 1, 9, 17 and 25
//     . . .     . . .
//     7 7 7 ... 7 7 7
//     0 0 0 ... 0 0 0    a warp is a row of threads: each of
//     1 1 1 ... 1 1 1    its reads is a row of 32 neighbours
//     . . .     . . .
//
// A read from global memory takes hundreds of cycles. With one
// element a thread, a warp sends one read off and then waits at
// the barrier. Here it sends off four before it waits for any:
// the loop has no iteration that needs another one, and the
// compiler unrolls it.
//
// What is the same for all elements is computed once: the
// column, the test against the edge, most of the addresses. And
// 256 threads leave more room for other blocks than 1024, which
// begin and end together and leave the multiprocessor idle then.
//
// One column of padding keeps the banks apart, as before.
//
// What limits it now: each of the four reads and four writes is
// an instruction with an address of its own, for 4 bytes. Next
// rung: transpose_vectorized.cu. One moves 16 bytes.
//
// Launch: blocks of TILE x ROWS threads; the grid covers A in
// tiles of TILE x TILE, x along its rows. TILE is a multiple of
// ROWS, TILE * ROWS is at most 1024.
// Shared memory: TILE * (TILE + 1) * 4 bytes a block.

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif

extern "C" __global__ void transpose_elements(
    const float* A, float* C, int M, int N)
{
    __shared__ float tile[TILE][TILE + 1];

    int tx = threadIdx.x;
    int ty = threadIdx.y;

    // This block's tile of A. long long: the index of an element
    // of a large matrix does not fit in 32 bits.
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    #pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (row + i < M && col < N)
            tile[ty + i][tx] = A[(long long)(row + i) * N + col];

    // The tile must be complete before other threads read it.
    // Nobody may skip the barrier.
    __syncthreads();

    // The same tile's place in C: block indices swapped, threads
    // again along a row.
    int c_col = blockIdx.y * TILE + tx;
    int c_row = blockIdx.x * TILE + ty;
    #pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (c_row + i < N && c_col < M)
            C[(long long)(c_row + i) * M + c_col]
                = tile[tx][ty + i];
}
