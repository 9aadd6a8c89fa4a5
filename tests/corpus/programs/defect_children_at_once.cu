// finds: child-race 25 child-race 22
// What a child is to see must be there before the launch, and two children in different streams must not touch the same.
#include <cstdio>
#include "check.h"

__global__ void halve(int* data, int n)
{
    int i = threadIdx.x;
    if (i < n)
        data[i] /= 2;
}

__global__ void add(int* data, int n)
{
    int i = threadIdx.x;
    if (i < n)
        data[i] += 10;
}

__global__ void parent(int* data, int n)
{
    data[threadIdx.x] = 100;
    // There should be a barrier here, and one stream for both.
    if (threadIdx.x == 0) {
        halve<<<1, 64, 0, cudaStreamFireAndForget>>>(data, n);
        add<<<1, 64>>>(data, n);
    }
}

int main()
{
    int* data;
    CHECK(cudaMalloc(&data, 64 * sizeof(int)));
    parent<<<1, 64>>>(data, 64);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(data));
    printf("done\n");
    return 0;
}
