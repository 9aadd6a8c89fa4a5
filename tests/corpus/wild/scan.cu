// Prefix sums: Hillis and Steele in one block, Blelloch with the padding that avoids bank conflicts, and the addition of block sums.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void scanNaive(float* g_odata, const float* g_idata, int n)
{
    extern __shared__ float temp[]; // two buffers
    int thid = threadIdx.x;
    int pout = 0, pin = 1;
    temp[pout * n + thid] = (thid > 0) ? g_idata[thid - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout; // swap double buffer indices
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[thid] = temp[pout * n + thid];
}

__global__ void scanBlocks(int* g_odata, int* sums, const int* g_idata, int n)
{
    extern __shared__ int buffer[];
    int thid = threadIdx.x;
    int offset = 1;
    const int* in = g_idata + blockIdx.x * n;
    int ai = thid;
    int bi = thid + (n / 2);
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai);
    int bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    buffer[ai + bankOffsetA] = in[ai];
    buffer[bi + bankOffsetB] = in[bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            buffer[bi] += buffer[ai];
        }
        offset *= 2;
    }
    if (thid == 0) {
        sums[blockIdx.x] = buffer[n - 1 + CONFLICT_FREE_OFFSET(n - 1)];
        buffer[n - 1 + CONFLICT_FREE_OFFSET(n - 1)] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            ai += CONFLICT_FREE_OFFSET(ai);
            bi += CONFLICT_FREE_OFFSET(bi);
            int t = buffer[ai];
            buffer[ai] = buffer[bi];
            buffer[bi] += t;
        }
    }
    __syncthreads();
    g_odata[blockIdx.x * n + ai] = buffer[ai + bankOffsetA];
    g_odata[blockIdx.x * n + bi] = buffer[bi + bankOffsetB];
}

__global__ void uniformAdd(int* data, const int* offsets, int n)
{
    __shared__ int by;
    if (threadIdx.x == 0)
        by = offsets[blockIdx.x];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[blockIdx.x * n + i] += by;
}

int main(void)
{
    int *in, *out, *sums;
    const int blocks = 64, n = 512;
    cudaMallocManaged(&in, blocks * n * sizeof(int));
    cudaMallocManaged(&out, blocks * n * sizeof(int));
    cudaMallocManaged(&sums, blocks * sizeof(int));
    for (int i = 0; i < blocks * n; i++) in[i] = rand() & 15;
    scanBlocks<<<blocks, n / 2, (n + n / NUM_BANKS) * sizeof(int)>>>(out, sums, in, n);
    cudaDeviceSynchronize();
    int total = 0;
    for (int i = 0; i < blocks; i++) {
        int kept = sums[i];
        sums[i] = total;
        total += kept;
    }
    uniformAdd<<<blocks, 128>>>(out, sums, n);
    cudaDeviceSynchronize();
    printf("%d\n", out[blocks * n - 1]);
    return EXIT_SUCCESS;
}
