// Heat on a plate, step by step between two arrays. Given: the side of the plate, and how many steps.
#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void step(const float* u, float* v, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    int i = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        v[i] = u[i];
    else
        v[i] = u[i] + 0.2f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0f * u[i]);
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 512, steps = argc > 2 ? atoi(argv[2]) : 10;
    const size_t bytes = sizeof(float) * n * n;
    float* u = (float*)calloc(n * n, sizeof(float));
    for (int x = 0; x < n; x++) u[x] = 100.0f;
    float *a, *b;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemcpy(a, u, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    for (int t = 0; t < steps; t++) {
        step<<<grid, block>>>(a, b, n);
        std::swap(a, b);
    }
    cudaDeviceSynchronize();
    cudaMemcpy(u, a, bytes, cudaMemcpyDeviceToHost);
    double total = 0.0;
    for (int i = 0; i < n * n; i++) total += u[i];
    printf("total %.3f, second row %.4f\n", total, u[n + n / 2]);
    cudaFree(a);
    cudaFree(b);
    free(u);
    return 0;
}
