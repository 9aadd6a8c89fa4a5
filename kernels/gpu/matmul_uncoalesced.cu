// Matrix multiplication, a step back: the naive kernel with x
// and y exchanged.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//                    B
//                  . | .    Neighbours in x now lie below one
//                  . | .    another in C: thread 0 has the
//                  . v .    upper element, thread 1 the one
//       A                   under it, and so on.
//     - - - >      . 0 .
//     - - - >      . 1 .
//     - - - >      . 2 .
//
// Who reads what, in one step k of one warp:
//   neighbours in x have the same column: B[k][col] is one
//   value, broadcast to them; their rows follow one another:
//   A[row][k] are words that lie a whole row apart.
//
// What it costs: memory moves in sectors of 32 bytes. 32 words
// in one row are 4 sectors; 32 words in 32 rows are 32 sectors,
// of which 4 bytes each are used. The arithmetic is the same,
// the result is the same, the traffic is up to 8 times as much.
//
// What limits it: the load units, which deliver a warp's read
// sector by sector. Neither the source nor the result shows it;
// only the addresses of neighbours do.
//
// Next rung: matmul_tiled.cu, which goes back to x along the
// rows, and shares what is loaded.
//
// Launch: blocks of TILE x ROWS threads; the grid covers C, x
// along its columns. TILE * ROWS is at most 1024.

#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS TILE
#endif

extern "C" __global__ void matmul_uncoalesced(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    // The only change: x chooses the row, y the column.
    int row = blockIdx.x * TILE + threadIdx.x;
    int col = blockIdx.y * ROWS + threadIdx.y;

    // The last blocks reach past the edge of C when the block
    // does not divide its size.
    if (row >= M || col >= N)
        return;

    // long long: the index of an element of a large matrix does
    // not fit in 32 bits.
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[(long long)row * K + k]
             * B[(long long)k * N + col];

    C[(long long)row * N + col] = sum;
}
