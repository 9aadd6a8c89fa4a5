// finds: launch-failed 17 launch-failed 20 unchecked-launch 20
// Children of more threads than a block can have: the thread is told if it asks; the second time it does not.
#include <cstdio>
#include "check.h"

__global__ void mark(int* data, int value)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *data = value;
}

__global__ void parent(int* data)
{
    mark<<<1, 32>>>(data, 1);
    cudaError_t error = cudaGetLastError();
    printf("first: %s\n", cudaGetErrorString(error));
    mark<<<1, 2048>>>(data, 2);
    error = cudaGetLastError();
    printf("second: %s (%d)\n", cudaGetErrorName(error), error);
    mark<<<0, 32>>>(data, 3);
}

int main()
{
    int *data, value;
    CHECK(cudaMalloc(&data, sizeof(int)));
    parent<<<1, 1>>>(data);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost));
    printf("data: %d\n", value);
    CHECK(cudaFree(data));
    return 0;
}
