// The rows were never allocated where malloc's result is kept in another variable: memcpy reads from null.
// finds: null-pointer 24
// status: 139
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Table { int n; float *rows; };

__global__ void twice(float *x, int n)
{
    int i = threadIdx.x;
    if (i < n) x[i] = 2 * x[i];
}

int main(void)
{
    const int n = 16;
    struct Table table = {n, NULL};
    float *rows = (float *)calloc(n, sizeof(float)), *copy = (float *)malloc(n * sizeof(float)), *device;
    for (int i = 0; i < n; i++) rows[i] = i;
    printf("%d rows, the last is %g\n", table.n, rows[n - 1]);
    fflush(stdout);
    memcpy(copy, table.rows, table.n * sizeof(float));
    cudaMalloc((void **)&device, n * sizeof(float));
    cudaMemcpy(device, copy, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(device, n);
    cudaMemcpy(copy, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", copy[n - 1]);
    cudaFree(device);
    free(rows);
    free(copy);
    return 0;
}
