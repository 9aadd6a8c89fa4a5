// Tiled matrix product: the tiles are overwritten while others may still read them.
// launch: grid=2,2 block=8,8 args: A=256:random B=256:random C=256 n=16
// finding: data-race 14 18
// finding: data-race 15 19

#define TILE 8
__global__ void matmul(const float* A, const float* B, float* C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * n + k0 + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[threadIdx.y][k]
                * Bs[k][threadIdx.x];
    }
    C[row * n + col] = sum;
}
