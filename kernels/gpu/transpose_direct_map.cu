// Transposition, third rung on the GPU: threads are mapped to
// elements directly, by their number.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//     direct mapping             block, and within the block
//
//     0 0 0 0 0 0 0 0            0 0 0 0 1 1 1 1
//     0 0 0 0 0 0 0 0            0 0 0 0 1 1 1 1
//     1 1 1 1 1 1 1 1            0 0 0 0 1 1 1 1
//     1 1 1 1 1 1 1 1            0 0 0 0 1 1 1 1
//
//   (numbers: which block of 4 x 4 threads has the element)
//
// Thread number t of the whole grid takes element t of A, as it
// lies in memory: t / N is its row, t % N its column. That needs
// no second dimension, and every warp reads 32 neighbours.
//
// But a block is a strip of a row now, or of a few. What it
// writes is a column of C, one word in each sector of 32 bytes:
// no other warp of the block fills the words beside it. The
// block that does may run much later, on another multiprocessor.
// In a square block the next rows of threads do: look at the
// sectors that a whole block touches.
//
// The division costs as well: N is known at run time only, and
// integers of 64 bits are divided by a sequence of instructions.
//
// Published tables compare this with square blocks whose tile
// lies in shared memory: transpose_padded.cu.
//
// Next rung: transpose_row_first.cu. Back to square blocks, with
// a tile of A in shared memory.
//
// Launch: blocks of TILE x TILE threads, as many as cover A in
// squares. TILE * TILE is at most 1024.

#ifndef TILE
#define TILE 16
#endif

extern "C" __global__ void transpose_direct_map(
    const float* A, float* C, int M, int N)
{
    // Blocks and threads numbered through, x first.
    long long block = gridDim.x;
    block = block * blockIdx.y + blockIdx.x;
    long long t = block * TILE * TILE;
    t += threadIdx.y * TILE + threadIdx.x;

    if (t < (long long)M * N) {
        int row = t / N;
        int col = t % N;
        C[(long long)col * M + row] = A[t];
    }
}
