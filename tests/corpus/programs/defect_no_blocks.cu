// finds: launch-failed 11
#include <cstdio>

__global__ void fill(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 3; }

int main() {
    int n = 100, threads = 256;
    float h[100] = {0}, *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    fill<<<n / threads, threads>>>(d, n);
    cudaError_t error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.1f, now %s\n", h[0], cudaGetErrorName(cudaGetLastError()));
    cudaFree(d);
}
