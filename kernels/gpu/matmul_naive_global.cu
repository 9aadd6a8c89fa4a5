// Matrix multiplication, a step back: the naive kernel with its
// sum in global memory.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
//   one step k of matmul_naive.cu     one step k here
//     load  A[row][k]                   load  A[row][k]
//     load  B[k][col]                   load  B[k][col]
//     add to a register                 load  C[row][col]
//                                       add
//                                       store C[row][col]
//
// The text hardly differs: += on an element of C, where the
// naive kernel has a variable. But a variable lives in a
// register and an element of C in memory: 2 K accesses more for
// each of them, a load and a store for every multiply-add.
//
// Can the compiler not keep C[row][col] in a register? It must
// not: A or B might be the same memory as C, and other threads
// may look at C. So it stores in every step. It need not load
// what it has just stored, and in fact the loads of C are gone
// from the machine code; the stores are all there. Promise with
// __restrict__ that nothing overlaps, and they go too.
//
// What it costs: the first-level cache keeps no stores back.
// Each one goes on to the second level, 4 sectors for a warp,
// in every step. The naive kernel stores once.
//
// Next rung: matmul_uncoalesced.cu, the other step back, shows
// what the order of threads is worth.
//
// Launch: blocks of TILE x ROWS threads; the grid covers C, x
// along its rows. TILE * ROWS is at most 1024.

#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS TILE
#endif

extern "C" __global__ void matmul_naive_global(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * ROWS + threadIdx.y;

    // The last blocks reach past the edge of C when the block
    // does not divide its size.
    if (row >= M || col >= N)
        return;

    // What is in C before is anything. long long: the index of
    // an element of a large matrix does not fit in 32 bits.
    C[(long long)row * N + col] = 0.0f;

    // The only change: no variable, C itself takes each product.
    for (int k = 0; k < K; ++k)
        C[(long long)row * N + col] += A[(long long)row * K + k]
                                     * B[(long long)k * N + col];
}
