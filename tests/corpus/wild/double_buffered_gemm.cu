// SGEMM with two buffers in shared memory: the next tiles are loaded into registers while this one is multiplied.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>

#define TILE 16
#define cublasCheck(expr) if ((expr) != CUBLAS_STATUS_SUCCESS) { printf("cuBLAS failed\n"); exit(1); }

__global__ __launch_bounds__(TILE * TILE) void matmul_double_buffer(const float* A, const float* B, float* C, int n)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float* a = A + (blockIdx.y * TILE + ty) * n + tx;
    const float* b = B + ty * n + blockIdx.x * TILE + tx;
    int write = 0;

    As[write][ty][tx] = *a;
    Bs[write][ty][tx] = *b;
    __syncthreads();

    float sum = 0.f;
    for (int done = TILE; ; done += TILE) {
        const bool more = done < n;
        float next_a, next_b;
        if (more) {
            a += TILE;
            b += TILE * n;
            next_a = *a;
            next_b = *b;
        }
        const int read = write;
        write ^= 1;
        #pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum = fmaf(As[read][ty][k], Bs[read][k][tx], sum);
        if (!more)
            break;
        As[write][ty][tx] = next_a;
        Bs[write][ty][tx] = next_b;
        __syncthreads();
    }
    C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}

int main(int argc, char* argv[])
{
    int n = 1024;
    size_t bytes = n * n * sizeof(float);
    float *a, *b, *c;
    cudaMalloc(&a, bytes), cudaMalloc(&b, bytes), cudaMalloc(&c, bytes);
    cublasHandle_t handle;
    cublasCheck(cublasCreate(&handle));
    matmul_double_buffer<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
    const float alpha = 1, beta = 0;
    cublasCheck(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, b, n, a, n, &beta, c, n));
    cublasDestroy(handle);
    return 0;
}
