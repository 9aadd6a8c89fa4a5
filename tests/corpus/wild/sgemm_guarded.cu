// Tiled SGEMM for matrices of any size.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                   \
    do {                                                                                              \
        cudaError_t status = (call);                                                                  \
        if (status != cudaSuccess) {                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));           \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    } while (0)
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

constexpr int BLOCK_SIZE = 16;

__global__ void sgemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K, float alpha,
                      float beta)
{
    __shared__ float tileA[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float tileB[BLOCK_SIZE][BLOCK_SIZE];

    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;

    float acc = 0.f;
    for (int t = 0; t < CEIL_DIV(K, BLOCK_SIZE); ++t) {
        const int aCol = t * BLOCK_SIZE + threadIdx.x;
        const int bRow = t * BLOCK_SIZE + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = (row < M && aCol < K) ? A[row * K + aCol] : 0.f;
        tileB[threadIdx.y][threadIdx.x] = (bRow < K && col < N) ? B[bRow * N + col] : 0.f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            acc += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

int main(int argc, char** argv)
{
    int M = argc > 1 ? atoi(argv[1]) : 1000, N = 1200, K = 700;
    std::vector<float> a(M * K, 1.f), b(K * N, 2.f), c(M * N);
    float *dA, *dB, *dC;
    CHECK(cudaMalloc(&dA, a.size() * sizeof(float)));
    CHECK(cudaMalloc(&dB, b.size() * sizeof(float)));
    CHECK(cudaMalloc(&dC, c.size() * sizeof(float)));
    CHECK(cudaMemcpy(dA, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(CEIL_DIV(N, BLOCK_SIZE), CEIL_DIV(M, BLOCK_SIZE));
    sgemm<<<grid, threads>>>(dA, dB, dC, M, N, K, 1.f, 0.f);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c.data(), dC, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    printf("c[0] = %f\n", c[0]);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    return 0;
}
