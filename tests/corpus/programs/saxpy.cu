#include <cstdio>
#include <cuda_runtime.h>

const int N = 1 << 10;

__global__ void saxpy(int n, float a, const float* x, float* y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

int main() {
    static float x[N], y[N];
    for (int i = 0; i < N; ++i) { x[i] = 1.0f; y[i] = 2.0f; }
    float *dx = nullptr, *dy = nullptr;
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
    saxpy<<<2, 64>>>(N, 2.0f, dx, dy);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    float worst = 0.0f;
    for (float value : y) worst = value - 4.0f > worst ? value - 4.0f : worst;
    printf("Max error: %f\n", worst);
    cudaFree(dx);
    cudaFree(dy);
}
