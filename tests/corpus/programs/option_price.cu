// The price of an option by paths of curand's normal numbers, held against the formula.
#include <curand_kernel.h>
#include <iostream>
#include <iomanip>
#include <cmath>
#include <vector>
__global__ void setup(curandState* s, unsigned long long seed) { int i = threadIdx.x + blockIdx.x * blockDim.x; curand_init(seed, i, 0, &s[i]); }
__global__ void paths(curandState* s, float* out, int steps, float S, float K, float r, float sigma, float T) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = s[i];
    float dt = T / steps, x = S;
    for (int k = 0; k < steps; ++k) x *= expf((r - 0.5f * sigma * sigma) * dt + sigma * sqrtf(dt) * curand_normal(&local));
    out[i] = expf(-r * T) * fmaxf(x - K, 0.f);
    s[i] = local;
}
double black_scholes(double S, double K, double r, double sigma, double T) {
    auto N = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    double d1 = (std::log(S / K) + (r + sigma * sigma / 2) * T) / (sigma * std::sqrt(T));
    return S * N(d1) - K * std::exp(-r * T) * N(d1 - sigma * std::sqrt(T));
}
int main() {
    const int n = 2048, b = 128;
    curandState* s; float* d;
    cudaMalloc(&s, n * sizeof(curandState)); cudaMalloc(&d, n * sizeof(float));
    setup<<<n / b, b>>>(s, 1234ULL);
    double sum = 0, sq = 0;
    std::vector<float> h(n);
    for (int rep = 0; rep < 4; ++rep) {
        paths<<<n / b, b>>>(s, d, 8, 100.f, 105.f, 0.03f, 0.2f, 1.f);
        cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
        for (float v : h) sum += v, sq += double(v) * v;
    }
    double m = sum / (4 * n), err = std::sqrt((sq / (4 * n) - m * m) / (4 * n)), want = black_scholes(100, 105, 0.03, 0.2, 1);
    std::cout << std::fixed << std::setprecision(2) << want << ' ' << (std::abs(m - want) < 4 * err ? "agrees" : "differs") << std::endl;
    cudaFree(s); cudaFree(d);
}
