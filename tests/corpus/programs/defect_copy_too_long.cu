// finds: copy-out-of-bounds 11
#include <stdio.h>
#include <stdlib.h>

int main()
{
    int n = 64;
    float *h = (float *)malloc(n * sizeof(float));
    float *d;
    cudaMalloc(&d, n);
    cudaError_t error = cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    printf("%s\n", cudaGetErrorString(error));
    cudaFree(d);
    free(h);
    return 0;
}
