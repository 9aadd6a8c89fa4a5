#include <cstdio>
#include <cmath>
#include <utility>

__global__ void step(const double* u, double* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) v[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    else if (i < n) v[i] = u[i];
}

int main() {
    const int n = 100, steps = 50;
    double u[n];
    for (int i = 0; i < n; i++) u[i] = i == n / 2 ? 1.0 : 0.0;
    double *a, *b;
    cudaMalloc(&a, n * sizeof(double));
    cudaMalloc(&b, n * sizeof(double));
    cudaMemcpy(a, u, sizeof(u), cudaMemcpyHostToDevice);
    for (int t = 0; t < steps; t++) {
        step<<<(n + 31) / 32, 32>>>(a, b, n);
        std::swap(a, b);
    }
    cudaMemcpy(u, a, sizeof(u), cudaMemcpyDeviceToHost);
    double total = 0;
    for (int i = 0; i < n; i++) total += u[i];
    printf("total %.12f peak %.6f edge %.3e\n", total, u[n / 2], u[n / 2 - 40]);
    printf("rms %.6g\n", std::sqrt(total / n));
    cudaFree(a);
    cudaFree(b);
}
