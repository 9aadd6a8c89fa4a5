// finds: kernel 4
#include <cstdio>

__global__ void add(int* a, const int* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] += b[i]; }

int main() {
    const int n = 100;
    int h[n], *a, *b;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    add<<<(n + 63) / 64, 64>>>(a, b, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[99]);
    cudaFree(a);
    cudaFree(b);
}
