// y = 2 x + y on the GPU.
//
//   usage: program n        n elements, x[i] = i, y[i] = 1
//
//   host     x   y     ?
//            |   |
//            v   v
//   device  d_x d_y --> kernel --> d_y

#include <cstdio>
#include <cstdlib>

__global__ void saxpy(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0f * x[i] + y[i];
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);

    float* x = (float*)malloc(bytes);
    float* y = (float*)malloc(bytes);
    for (int i = 0; i < n; ++i) {
        x[i] = i;
        y[i] = 1;
    }

    float *d_x, *d_y;
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);

    saxpy<<<(n + 127) / 128, 128>>>(d_x, d_y, n);
    cudaDeviceSynchronize();

    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += y[i];
    printf("y[%d] = %g, sum %.0f\n", n - 1, y[n - 1], sum);

    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    free(y);
    return 0;
}
