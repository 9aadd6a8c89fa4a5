// SGEMM with 8 x 8 results a thread, float4 loads and a transposed tile of A. All sizes are multiples of the block's.
#include <cuda_runtime.h>
#include <iostream>
#include <random>

#include "helper_cuda.h" // checkCudaErrors

#define FLOAT4(pointer) (reinterpret_cast<float4*>(&(pointer))[0])
#define CONST_FLOAT4(pointer) (reinterpret_cast<const float4*>(&(pointer))[0])
#define OFFSET(row, col, ld) ((row) * (ld) + (col))

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN)) gemm(const float* A, const float* B, float* C, const int M, const int N, const int K)
{
    __shared__ __align__(16) float As[BK][BM];
    __shared__ __align__(16) float Bs[BK][BN];
    float accum[TM][TN] = {0.0f};
    float frag_a[TM];
    float frag_b[TN];

    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int a_row = tid / (BK / 4), a_col = tid % (BK / 4) * 4;
    const int b_row = tid / (BN / 4), b_col = tid % (BN / 4) * 4;

    A = &A[(BM * blockIdx.y) * K];
    B = &B[BN * blockIdx.x];

    for (int tile = 0; tile < K; tile += BK) {
        float4 staged = CONST_FLOAT4(A[OFFSET(a_row, a_col + tile, K)]);
        As[a_col + 0][a_row] = staged.x;
        As[a_col + 1][a_row] = staged.y;
        As[a_col + 2][a_row] = staged.z;
        As[a_col + 3][a_row] = staged.w;
        FLOAT4(Bs[b_row][b_col]) = CONST_FLOAT4(B[OFFSET(tile + b_row, b_col, N)]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int i = 0; i < TM; i += 4)
                FLOAT4(frag_a[i]) = FLOAT4(As[k][threadIdx.y * TM + i]);
#pragma unroll
            for (int j = 0; j < TN; j += 4)
                FLOAT4(frag_b[j]) = FLOAT4(Bs[k][threadIdx.x * TN + j]);
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    accum[i][j] += frag_a[i] * frag_b[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            FLOAT4(C[OFFSET(BM * blockIdx.y + threadIdx.y * TM + i, BN * blockIdx.x + threadIdx.x * TN + j, N)]) = FLOAT4(accum[i][j]);
}

int main()
{
    const int n = 2048;
    std::mt19937 engine(7);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    float* a = new float[n * n];
    for (int i = 0; i < n * n; ++i)
        a[i] = uniform(engine);
    float *dA, *dB, *dC;
    checkCudaErrors(cudaMalloc((void**)&dA, n * n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void**)&dB, n * n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void**)&dC, n * n * sizeof(float)));
    checkCudaErrors(cudaMemcpy(dA, a, n * n * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(16, 16), grid(n / 128, n / 128);
    gemm<128, 128, 8, 8, 8><<<grid, block>>>(dA, dB, dC, n, n, n);
    checkCudaErrors(cudaDeviceSynchronize());
    std::cout << "done" << std::endl;
    delete[] a;
}
