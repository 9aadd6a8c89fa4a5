// A matrix times a vector, a block a row: partial sums, then a reduction in shared memory.
#include <cstdio>
#include <cstdlib>

#define THREADS 32

__global__ void multiply(const int *matrix, const int *x, int *y, int columns) {
    __shared__ int sums[THREADS];
    int sum = 0;
    for (int j = threadIdx.x; j < columns; j += THREADS) sum += matrix[blockIdx.x * columns + j] * x[j];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}

int main() {
    const int rows = 6, columns = 75;
    int *matrix, *x, *y;
    cudaMallocManaged(&matrix, rows * columns * sizeof(int));
    cudaMallocManaged(&x, columns * sizeof(int));
    cudaMallocManaged(&y, rows * sizeof(int));
    for (int i = 0; i < rows * columns; ++i) matrix[i] = i % 11;
    for (int j = 0; j < columns; ++j) x[j] = j - 30;
    multiply<<<rows, THREADS>>>(matrix, x, y, columns);
    cudaDeviceSynchronize();
    for (int i = 0; i < rows; ++i) {
        int sum = 0;
        for (int j = 0; j < columns; ++j) sum += matrix[i * columns + j] * x[j];
        printf("%d %s\n", y[i], y[i] == sum ? "right" : "wrong");
    }
    cudaFree(matrix);
    cudaFree(x);
    cudaFree(y);
}
