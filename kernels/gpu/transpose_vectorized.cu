// Transposition, ninth rung on the GPU: four floats with each
// instruction, both ways.
//
//   C[col][row] = A[row][col]    A is M x N, C is N x M,
//                                both row-major float32.
//
//    A, one thread     registers    tile, one thread
//
//    a b c d           a e i m      a e i m
//    e f g h     ->    b f j n  ->  b f j n
//    i j k l           c g k o      c g k o
//    m n o p           d h l p      d h l p
//   four float4       renamed      four float4, turned
//
// A thread reads four float4 one below the other, 64 bytes on
// their way at once. To write float4 along a row of C it needs a
// column of its square: registers have names, not addresses, so
// the turn takes no instruction.
//
// The squares change places in shared memory: the tile lies
// there as C needs it, as float4 words. Square x of row y is kept
// at x ^ y, as in transpose_swizzled.cu: 8 lanes, served
// together, write 8 squares that lie below each other, and find
// them in different banks.
//
// What limits it now: global memory. All sectors are used whole,
// enough bytes are on their way, no bank is asked twice. What is
// left is what a copy costs: transpose_copy.cu. Next rung:
// transpose_in_place.cu. It needs one matrix, not two.
//
// Launch: blocks of SIDE x SIDE threads, SIDE = TILE / 4; the
// grid covers A in tiles of TILE x TILE, x along its rows. TILE
// is a power of two. Shared memory: TILE * TILE * 4 bytes.

#ifndef TILE
#define TILE 64
#endif
#define FLOAT4(x) (*(float4*)&(x))
// Where square x of row y begins in the tile's rows.
#define AT(x, y) (4 * ((x) ^ (y)))

// Four neighbours in a row of X, as far as they are inside of it.
__device__ float4 load4(
    const float* X, int rows, int cols, int row, int col)
{
    const float* x = X + (long long)row * cols + col;
    int inside = row < rows ? cols - col : 0;
    float4 v = {inside > 0 ? x[0] : 0.0f, inside > 1 ? x[1] : 0.0f,
                inside > 2 ? x[2] : 0.0f, inside > 3 ? x[3] : 0.0f};
    return v;
}

__device__ void store4(
    float* X, int rows, int cols, int row, int col, float4 v)
{
    float* x = X + (long long)row * cols + col;
    int inside = row < rows ? cols - col : 0;
    if (inside > 0) x[0] = v.x;
    if (inside > 1) x[1] = v.y;
    if (inside > 2) x[2] = v.z;
    if (inside > 3) x[3] = v.w;
}

extern "C" __global__ __launch_bounds__(TILE * TILE / 16)
void transpose_vectorized(
    const float* A, float* C, int M, int N)
{
    __shared__ __align__(16) float tile[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    int row = row0 + 4 * ty, col = col0 + 4 * tx;

    // A float4 must be aligned: it is if the length of the rows
    // allows it. At the edges, elements are moved one by one.
    bool whole = M % 4 == 0 && N % 4 == 0
        && row0 + TILE <= M && col0 + TILE <= N;
    float4 a[4];
    #pragma unroll
    for (int i = 0; i < 4; ++i)
        a[i] = whole ? FLOAT4(A[(long long)(row + i) * N + col])
                     : load4(A, M, N, row + i, col);

    int at = AT(tx, ty);
    float4* t = (float4*)&tile[4 * tx][at];
    t[0 * TILE / 4] = {a[0].x, a[1].x, a[2].x, a[3].x};
    t[1 * TILE / 4] = {a[0].y, a[1].y, a[2].y, a[3].y};
    t[2 * TILE / 4] = {a[0].z, a[1].z, a[2].z, a[3].z};
    t[3 * TILE / 4] = {a[0].w, a[1].w, a[2].w, a[3].w};

    // The tile must be complete before other threads read it.
    __syncthreads();

    // The same tile's place in C: block indices swapped, threads
    // again along a row. tx ^ ty is ty ^ tx: the same place.
    row = col0 + 4 * ty, col = row0 + 4 * tx;
    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        float4 c = FLOAT4(tile[4 * ty + i][at]);
        if (whole)
            FLOAT4(C[(long long)(row + i) * M + col]) = c;
        else
            store4(C, N, M, row + i, col, c);
    }
}
