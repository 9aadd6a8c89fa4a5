// finds: host-pointer-on-device 12, kernel 5
#include <stdio.h>
#include <stdlib.h>

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main()
{
    int *h = (int *)malloc(32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        h[i] = i;
    twice<<<1, 32>>>(h);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int *d;
    printf("%s %d\n", cudaGetErrorName(cudaMalloc(&d, 4)), h[3]);
    free(h);
    return 0;
}
