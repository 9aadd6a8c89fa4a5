// Matrix multiplication: the transposed tile of B, laid out so
// that no lanes meet in a bank.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
// Word w of shared memory lies in bank w % 32. A warp reads a
// column of Bs, one word of each row:
//
//   plain          padding           swizzle, k ^ row
//   a b c d        a b c d | p       a b c d
//   e f g h        e f g h | p       f e h g
//   i j k l        i j k l | p       k l i j
//   m n o p        m n o p | p       p o n m
//   a e i m in     a row begins      e stands where b does in
//   one bank       some banks on     the row before
//
// Padding: rows of TILE + PADDING words. A warp covers 32 / TILE
// rows of threads, which write as many neighbours into each row
// of Bs: with PADDING = 32 / TILE every row has banks of its own
// for them. It takes memory, and gives any TILE.
// Swizzle: step k is kept at place k ^ row of its row (exclusive
// or), an exchange within the row. It takes no memory, but an
// instruction more, and TILE must be a power of two.
//
// What it gains: of matmul_coalesced_bt.cu nearly everything,
// one wavefront a read where there were up to 32. Of
// matmul_tiled.cu nothing: that reads rows of Bs, has never had
// a conflict, and padding it lowers no count. Trace the three,
// and look at the wavefronts. A layout like these pays where
// rows and columns are both needed, as in a transposition.
//
// What limits it now: as in the tiled kernel, two reads of
// shared memory feed one multiply-add. Next rung:
// matmul_work_per_thread.cu. A thread computes several elements.
//
// Launch: blocks of TILE x TILE threads; the grid covers C, x
// along its rows. TILE * TILE is at most 1024.
// Shared memory: TILE * (2 * TILE + PADDING) * 4 bytes a block.

#ifndef TILE
#define TILE 16
#endif
#ifndef PADDING
#define PADDING 2
#endif
#ifndef SWIZZLE
#define SWIZZLE 0
#endif

// Where step k of a column of B lies in its row of Bs.
__device__ int place(int k, int row)
{
    return SWIZZLE ? k ^ row : k;
}

extern "C" __global__ void matmul_conflict_free(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE + PADDING];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Past the edge of A or B a tile holds zeros.
        As[ty][tx] = (row < M && k0 + tx < K)
            ? A[(long long)row * K + k0 + tx] : 0.0f;
        Bs[tx][place(ty, tx)] = (k0 + ty < K && col < N)
            ? B[(long long)(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[tx][place(k, tx)];
        __syncthreads();
    }

    if (row < M && col < N)
        C[(long long)row * N + col] = sum;
}
