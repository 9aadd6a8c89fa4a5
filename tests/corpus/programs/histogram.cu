#include <stdio.h>
#include <string.h>
#define BINS 16

__global__ void histogram(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local[BINS];
    if (threadIdx.x < BINS)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] / 16], 1u);
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main()
{
    enum { N = 4096 };
    static unsigned char data[N];
    unsigned int bins[BINS], check[BINS];
    unsigned int state = 12345;
    memset(check, 0, sizeof(check));
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned char)(state >> 24);
        check[data[i] >> 4]++;
    }
    unsigned char *ddata;
    unsigned int *dbins;
    cudaMalloc((void **)&ddata, N);
    cudaMalloc((void **)&dbins, sizeof(bins));
    cudaMemcpy(ddata, data, N, cudaMemcpyHostToDevice);
    cudaMemset(dbins, 0, sizeof(bins));
    histogram<<<4, 64>>>(ddata, dbins, N);
    cudaMemcpy(bins, dbins, sizeof(bins), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BINS; b++)
        printf("%02x-%02x %4u%s", b * 16, b * 16 + 15, bins[b], b % 4 == 3 ? "\n" : "  ");
    printf("%s\n", memcmp(bins, check, sizeof(bins)) == 0 ? "same" : "different");
    cudaFree(ddata);
    cudaFree(dbins);
    return 0;
}
