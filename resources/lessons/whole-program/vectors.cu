// Adds two vectors: from main to the kernel and back.
//
//   host      a   b                 c
//             |   |                 ^
//             v   v                 |
//   device   d_a d_b --> kernel --> d_c
//
// Device pointers begin with d_ here. That is a habit, not a rule.

#include <cstdio>
#include <cstdlib>

__global__ void add(
    const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    int n = 1000;
    size_t bytes = n * sizeof(float);

    float* a = (float*)malloc(bytes);
    float* b = (float*)malloc(bytes);
    float* c = (float*)malloc(bytes);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }

    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);

    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    int blocks = (n + 255) / 256;
    add<<<blocks, 256>>>(d_a, d_b, d_c, n);

    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    printf("c[%d] = %g\n", n - 1, c[n - 1]);

    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return 0;
}
