// finds: wrong-direction 9, wrong-direction 10
#include <stdio.h>

int main()
{
    int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaError_t first = cudaMemcpy(d, h, sizeof(h), cudaMemcpyDeviceToHost);
    cudaError_t second = cudaMemcpy(back, d, sizeof(h), cudaMemcpyHostToDevice);
    printf("%s, %s, %d\n", cudaGetErrorString(first), cudaGetErrorName(second), back[0]);
    cudaFree(d);
    return 0;
}
