// Tiled matrix product of a size that is no multiple of the tile.
// launch: grid=2,2 block=8,8 args: A=132:random B=156:random C=143 m=11 n=13 k=12
// finding: none

#define TILE 8
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        As[y][x] = row < m && k0 + x < k ? A[row * k + k0 + x] : 0.0f;
        Bs[y][x] = k0 + y < k && col < n ? B[(k0 + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += As[y][i] * Bs[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}
