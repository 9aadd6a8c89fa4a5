// Matrix multiplication: one thread for each element of C.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//                    B
//                  . | .
//                  . | .    Thread (row, col) walks along its
//                  . v .    row of A and down its column of B.
//       A
//     . . . .      . . .    It adds K products in a register
//     - - - >      . C .    and writes its element of C once.
//     . . . .      . . .
//
// Who reads what, in one step k of one warp:
//   neighbours in x have the same row: A[row][k] is one value,
//   broadcast to them; their columns follow one another:
//   B[k][col] are consecutive words, one coalesced read.
//
// What it costs: every element of A is read by N threads and
// every element of B by M threads. Two loads feed one
// multiply-add, so the load units are the limit, not the
// arithmetic.
//
// Next rung: matmul_naive_global.cu. It and the one after show
// what the register and the order of threads are worth. Then
// matmul_tiled.cu: the threads of a block share what they load.
//
// Launch: blocks of TILE x ROWS threads; the grid covers C, x
// along its rows. TILE * ROWS is at most 1024.

#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS TILE
#endif

extern "C" __global__ void matmul_naive(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * ROWS + threadIdx.y;

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
