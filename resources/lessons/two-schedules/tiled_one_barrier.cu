// A tiled product without its second barrier.
//
//   write As, Bs        every thread one element of each
//   barrier
//   read As, Bs         every thread a row and a column
//   (no barrier)        has everybody read?
//   write As, Bs        the next tiles
//
// Launch: blocks of TILE x TILE threads, two warps each;
// n is a multiple of TILE.

#define TILE 8

extern "C" __global__ void tiled_one_barrier(
    const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        Bs[ty][tx] = B[(k0 + ty) * n + col];
        As[ty][tx] = A[row * n + k0 + tx];
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
    }
    C[row * n + col] = sum;
}
