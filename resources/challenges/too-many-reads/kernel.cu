// Matrix multiplication: a tile of B in shared memory.
//
//   C = A * B      A is M x K, B is K x N, C is M x N,
//                  all row-major float32.
//
// A block computes a tile of C. The tile of B that it needs is
// loaded once and serves all rows of the block. A is read where
// it lies: by each thread of a row again.
//
// Launch: blocks of 16 x 16 threads that cover C.

#define TILE 16

extern "C" __global__ void multiplied(
    const float* A, const float* B, float* C,
    int M, int N, int K)
{
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        Bs[ty][tx] = (k0 + ty < K && col < N)
            ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            if (row < M && k0 + k < K)
                sum += A[row * K + k0 + k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}
