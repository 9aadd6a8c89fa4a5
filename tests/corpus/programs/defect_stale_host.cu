// finds: stale-value 19
#include <stdio.h>
#include "check.h"

__global__ void increment(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}

int main() {
    const int n = 64;
    int *d, *h = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) h[i] = i;
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice));
    increment<<<1, 64>>>(d, n);
    CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
    increment<<<1, 64>>>(d, n);
    printf("%d %d\n", h[0], h[63]);
    CHECK(cudaFree(d));
    free(h);
    return 0;
}
