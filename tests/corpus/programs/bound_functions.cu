// Arguments bound to functions, references kept by wrappers, operators as objects; the device's work started through a stored function.
#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>

__global__ void axpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void run(float a, const float *x, float *y, int n) { axpy<<<(n + 31) / 32, 32>>>(a, x, y, n); }

int main() {
    using namespace std::placeholders;
    std::function<int(int, int)> gcd = [&](int a, int b) { return b ? gcd(b, a % b) : a; };
    auto with12 = std::bind(gcd, _1, 12);
    auto swapped = std::bind([](int a, int b) { return a - b; }, _2, _1);
    std::cout << gcd(84, 36) << ' ' << with12(18) << ' ' << swapped(3, 10) << '\n';
    int total = 0;
    auto add = [](int &sum, int x) { sum += x; };
    for (int i = 1; i <= 4; ++i) add(total, i);
    std::cout << total << ' ' << std::plus<int>()(2, 3) << std::multiplies<>()(4, 5) << std::negate<int>()(7) << '\n';
    std::vector<float> x(40, 2.0f), y(40, 1.0f);
    float *dx, *dy;
    cudaMalloc(&dx, 40 * sizeof(float));
    cudaMalloc(&dy, 40 * sizeof(float));
    cudaMemcpy(dx, x.data(), 40 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), 40 * sizeof(float), cudaMemcpyHostToDevice);
    std::function<void(float)> step = [dx, dy](float a) { run(a, dx, dy, 40); };
    for (float a : {0.5f, 1.5f}) step(a);
    cudaMemcpy(y.data(), dy, 40 * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << y[0] << ' ' << y[39] << ' ' << std::count_if(y.begin(), y.end(), [](float v) { return v > 4; }) << std::endl;
    cudaFree(dx);
    cudaFree(dy);
    return 0;
}
