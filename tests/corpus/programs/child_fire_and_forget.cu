// Rows of different lengths: each block counts its row, and sends a grid of the right size after it, which nobody waits for.
#include <cstdio>
#include "check.h"

const int ROWS = 6, MOST = 100;

__global__ void scale_row(float* row, int length, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length)
        row[i] *= by;
}

__global__ void scale_rows(float* data, const int* lengths)
{
    int row = blockIdx.x;
    float* mine = data + row * MOST;
    for (int i = threadIdx.x; i < lengths[row]; i += blockDim.x)
        mine[i] += 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        int blocks = (lengths[row] + 31) / 32;
        scale_row<<<blocks, 32, 0, cudaStreamFireAndForget>>>(mine, lengths[row], row + 1.0f);
    }
}

int main()
{
    int lengths[ROWS] = {1, 20, 32, 33, 64, 100};
    float host[ROWS * MOST];
    for (int i = 0; i < ROWS * MOST; ++i)
        host[i] = i % MOST;
    float* data;
    int* device_lengths;
    CHECK(cudaMalloc(&data, sizeof(host)));
    CHECK(cudaMalloc(&device_lengths, sizeof(lengths)));
    CHECK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_lengths, lengths, sizeof(lengths), cudaMemcpyHostToDevice));
    scale_rows<<<ROWS, 64>>>(data, device_lengths);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int row = 0; row < ROWS; ++row)
        for (int i = 0; i < MOST; ++i)
            wrong += host[row * MOST + i] != (i < lengths[row] ? (i + 1.0f) * (row + 1) : i);
    for (int row = 0; row < ROWS; ++row)
        printf("row %d ends with %g\n", row, host[row * MOST + lengths[row] - 1]);
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(data));
    CHECK(cudaFree(device_lengths));
    return 0;
}
