#include <stdio.h>

__global__ void hello()
{
    printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

int main()
{
    printf("before\n");
    hello<<<1, 4>>>();
    printf("launched\n");
    cudaDeviceSynchronize();
    printf("after\n");
    cudaDeviceReset();
    return 0;
}
