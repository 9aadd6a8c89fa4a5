// Two halves in two streams of a block, and a sum that waits for both by events.
#include <cstdio>
#include "check.h"

__global__ void fill(int* data, int n, int begin)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = begin + i;
}

__global__ void add_up(const int* data, int n, int* sum)
{
    int total = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        total += data[i];
    atomicAdd(sum, total);
}

__global__ void parent(int* data, int n, int* sum)
{
    cudaStream_t first, second;
    cudaEvent_t filled;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    fill<<<2, 32, 0, first>>>(data, n / 2, 1);
    cudaEventRecord(filled, first);
    fill<<<2, 32, 0, second>>>(data + n / 2, n - n / 2, 1 + n / 2);
    cudaStreamWaitEvent(second, filled, 0);
    add_up<<<1, 32, 0, second>>>(data, n, sum);
    cudaEventDestroy(filled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

int main()
{
    const int n = 101;
    int *data, *sum, result;
    CHECK(cudaMalloc(&data, n * sizeof(int)));
    CHECK(cudaMalloc(&sum, sizeof(int)));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    parent<<<1, 1>>>(data, n, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum %d\n", result);
    CHECK(cudaFree(data));
    CHECK(cudaFree(sum));
    return 0;
}
