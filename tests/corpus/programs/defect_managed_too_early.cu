// finds: accessed-too-early 11
#include <stdio.h>

__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x + 1; }

int main() {
    int *a;
    cudaMallocManaged(&a, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) a[i] = 0;
    fill<<<1, 32>>>(a);
    int early = a[31];
    cudaDeviceSynchronize();
    printf("%d\n", a[31] + (early > 32));
    cudaFree(a);
    return 0;
}
