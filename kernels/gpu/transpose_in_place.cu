// Transposition, tenth rung on the GPU: in place. There is one
// matrix, which is turned where it lies.
//
//   C[row][col] <-> C[col][row]    C is N x N, row-major float32;
//                                  it holds A when this begins.
//
//     . . . x .          a block takes a tile x above the
//     . . . . .          diagonal and its mirror image y, turns
//     . . . . .          both and writes each where the other
//     y . . . .          was. A tile on the diagonal is its own
//     . . . . .          mirror image.
//
// Overwriting is safe as long as what is lost has been read
// before. Within a pair of tiles the barrier sees to that. No
// other block touches this pair, so blocks may run in any order.
//
// Square matrices only: in others the elements do not change
// places by two. In 2 x 3 the element at place 1 goes to place
// 2, that at 2 to 4, at 4 to 3, and that at 3 to 1, in cycles
// whose number and length follow no simple rule.
//
// As many bytes as before are read and written. Half as much
// memory is needed, and a matrix may fit on a GPU that would
// hold no two of them. A barrier has twice the reads before it.
// Blocks below the diagonal have nothing to do and end at once.
//
// What limits it now: two tiles of shared memory a block, words
// of 4 bytes. Next: transpose_copy.cu, which turns nothing and
// shows what memory allows.
//
// Launch: blocks of TILE x ROWS threads; the grid covers C in
// tiles of TILE x TILE. TILE is a multiple of ROWS, TILE * ROWS
// is at most 1024.
// Shared memory: 2 * TILE * (TILE + 1) * 4 bytes a block.

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif

extern "C" __global__ void transpose_in_place(
    float* C, int M, int N)
{
    __shared__ float upper[TILE][TILE + 1];
    __shared__ float lower[TILE][TILE + 1];

    // The whole block leaves, so nobody waits at the barrier.
    if (blockIdx.x < blockIdx.y)
        return;

    // The thread's column and row in its tile, and those in the
    // mirror image: block indices swapped. M is N.
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x0 = blockIdx.x * TILE;
    int y0 = blockIdx.y * TILE;
    int x = x0 + tx, y = y0 + ty;
    int mx = y0 + tx, my = x0 + ty;
    #pragma unroll
    for (int i = 0; i < TILE; i += ROWS) {
        if (y + i < M && x < N)
            upper[ty + i][tx] = C[(long long)(y + i) * N + x];
        if (my + i < M && mx < N)
            lower[ty + i][tx] = C[(long long)(my + i) * N + mx];
    }

    // Both tiles must be complete before they are overwritten.
    __syncthreads();

    #pragma unroll
    for (int i = 0; i < TILE; i += ROWS) {
        if (y + i < M && x < N)
            C[(long long)(y + i) * N + x] = lower[tx][ty + i];
        if (my + i < M && mx < N)
            C[(long long)(my + i) * N + mx] = upper[tx][ty + i];
    }
}
