// A tiled product with its barriers in a branch.
//
//   if (inside) {
//       write, barrier, read, barrier
//   }
//
// It looks tidy: threads past the edge of C have nothing to do.
// But all threads of a block must reach a barrier, and those
// past the edge go round it. They were also to load elements of
// the tiles that others need.
//
// Launch: blocks of TILE x TILE threads; the grid covers C.

#define TILE 16

extern "C" __global__ void barrier_in_a_branch(
    const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k0 = 0; k0 < n; k0 += TILE) {
            int x = k0 + tx, y = k0 + ty;
            As[ty][tx] = x < n ? A[row * n + x] : 0.0f;
            Bs[ty][tx] = y < n ? B[y * n + col] : 0.0f;
            __syncthreads();

            for (int k = 0; k < TILE; ++k)
                sum += As[ty][k] * Bs[k][tx];
            __syncthreads();
        }
        C[row * n + col] = sum;
    }
}
