#include <stdio.h>
#include <stdlib.h>
#include <math.h>

__global__ void matmul(float *A, float *B, float *C, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}

void cpu_matmul(float *A, float *B, float *C, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

int main() {
    int n = 64;
    size_t size = n * n * sizeof(float);
    float *hA = (float *)malloc(size), *hB = (float *)malloc(size), *hC = (float *)malloc(size), *check = (float *)malloc(size);
    for (int i = 0; i < n * n; i++) {
        hA[i] = (float)(i % 7);
        hB[i] = (float)(i % 5) - 2.0f;
    }
    float *A, *B, *C;
    cudaMalloc(&A, size);
    cudaMalloc(&B, size);
    cudaMalloc(&C, size);
    cudaMemcpy(A, hA, size, cudaMemcpyHostToDevice);
    cudaMemcpy(B, hB, size, cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid(4, 4);
    matmul<<<grid, block>>>(A, B, C, n);
    cudaDeviceSynchronize();
    cudaMemcpy(hC, C, size, cudaMemcpyDeviceToHost);
    cpu_matmul(hA, hB, check, n);
    for (int i = 0; i < n * n; i++) {
        if (fabs(hC[i] - check[i]) > 1e-5) {
            printf("mismatch at %d: %f %f\n", i, hC[i], check[i]);
            return EXIT_FAILURE;
        }
    }
    printf("C[0][0] = %g, C[63][63] = %g\nTest PASSED\n", hC[0], hC[n * n - 1]);
    cudaFree(A); cudaFree(B); cudaFree(C);
    free(hA); free(hB); free(hC); free(check);
    return EXIT_SUCCESS;
}
