// Heat in a rod: Jacobi steps between two arrays until nothing moves by more than a bound.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

__global__ void step(const float *now, float *next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) next[i] = 0.5f * (now[i - 1] + now[i + 1]);
}

int main() {
    const int n = 18;
    std::vector<float> rod(n, 0.0f), before(n);
    rod[0] = 64;
    rod[n - 1] = 32;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpy(a, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    float moved = 1;
    int rounds = 0;
    while (moved > 0.25f) {
        for (int i = 0; i < 8; ++i, ++rounds) {
            step<<<1, 32>>>(a, b, n);
            std::swap(a, b);
        }
        before = rod;
        cudaMemcpy(rod.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
        moved = 0;
        for (int i = 0; i < n; ++i) moved = std::fmax(moved, std::fabs(rod[i] - before[i]));
    }
    printf("%d rounds, %.3f %.3f %.3f\n", rounds, rod[1], rod[n / 2], rod[n - 2]);
    cudaFree(a);
    cudaFree(b);
}
