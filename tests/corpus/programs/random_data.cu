#include <stdio.h>
#include <stdlib.h>

__global__ void in_circle(const float *x, const float *y, int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] * x[i] + y[i] * y[i] <= 1.0f)
        atomicAdd(hits, 1);
}

int main()
{
    printf("%d %d %d\n", rand(), rand() % 100, rand() % 10);
    srand(42);
    printf("%d %d\n", rand(), rand());
    srand(2024);
    const int n = 2000;
    float *x = (float *)malloc(n * sizeof(float)), *y = (float *)malloc(n * sizeof(float)), *dx, *dy;
    for (int i = 0; i < n; i++) {
        x[i] = rand() / (float)RAND_MAX;
        y[i] = rand() / (float)RAND_MAX;
    }
    int hits = 0, *dhits;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMalloc(&dhits, sizeof(int));
    cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dhits, &hits, sizeof(int), cudaMemcpyHostToDevice);
    in_circle<<<(n + 127) / 128, 128>>>(dx, dy, dhits, n);
    cudaMemcpy(&hits, dhits, sizeof(int), cudaMemcpyDeviceToHost);
    int check = 0;
    for (int i = 0; i < n; i++) check += x[i] * x[i] + y[i] * y[i] <= 1.0f;
    printf("%d of %d inside, %d by the host: pi is about %.3f\n", hits, n, check, 4.0 * hits / n);
    cudaFree(dx); cudaFree(dy); cudaFree(dhits);
    free(x); free(y);
    return 0;
}
