#include <cstdio>
#include <cstdlib>
#include <cassert>
#include "check.h"
#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.f;
    for (int t = 0; t < n / TILE; ++t) {
        As[ty][tx] = A[row * n + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

int main() {
    const int n = 64;
    float (*a)[n] = new float[n][n];
    float* b = new float[n * n];
    float* c = new float[n * n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = i + j;
            b[i * n + j] = i == j ? 2 : 0;
        }
    float *da, *db, *dc;
    CHECK(cudaMalloc(&da, n * n * sizeof *da));
    CHECK(cudaMalloc(&db, n * n * sizeof *db));
    CHECK(cudaMalloc(&dc, n * n * sizeof *dc));
    CHECK(cudaMemcpy(da, a, n * n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, n * n * sizeof(float), cudaMemcpyHostToDevice));
    matmul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, dc, n * n * sizeof(float), cudaMemcpyDeviceToHost));
    int errors = 0;
    for (int i = 0; i < n * n; i++) errors += c[i] != 2 * a[i / n][i % n];
    assert(errors == 0);
    printf("%d errors, trace %.0f\n", errors, c[n + 1] + c[2 * n + 2]);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    delete[] a;
    delete[] b;
    delete[] c;
    return 0;
}
