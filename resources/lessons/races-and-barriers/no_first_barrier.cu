// A tiled product without its first barrier.
//
//   write As, Bs        every thread one element of each
//   (no barrier)        is the tile complete?
//   read As, Bs         every thread a row and a column
//   barrier
//
// A warp reads what other warps write. In this order nobody
// says that they have written it.
//
// Launch: blocks of TILE x TILE threads; n is a multiple of TILE.

#define TILE 16

extern "C" __global__ void no_first_barrier(
    const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        As[ty][tx] = A[row * n + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * n + col];

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
