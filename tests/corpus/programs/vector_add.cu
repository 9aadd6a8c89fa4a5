#include <stdio.h>
#include <stdlib.h>

__global__ void add(const float *x, const float *y, float *sum, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        sum[i] = x[i] + y[i];
}

int main(void)
{
    const int count = 1000;
    size_t bytes = count * sizeof(float);
    float *x = (float *)malloc(bytes);
    float *y = (float *)malloc(bytes);
    float *sum = (float *)malloc(bytes);
    for (int i = 0; i < count; i++) {
        x[i] = i * 0.5f;
        y[i] = count - i;
    }
    float *dx, *dy, *dsum;
    cudaMalloc((void **)&dx, bytes);
    cudaMalloc((void **)&dy, bytes);
    cudaMalloc((void **)&dsum, bytes);
    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
    int threads = 128;
    add<<<(count + threads - 1) / threads, threads>>>(dx, dy, dsum, count);
    cudaMemcpy(sum, dsum, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        if (sum[i] != x[i] + y[i])
            wrong++;
    printf("first %.2f last %.2f wrong %d\n", sum[0], sum[count - 1], wrong);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dsum);
    free(x);
    free(y);
    free(sum);
    return wrong != 0;
}
