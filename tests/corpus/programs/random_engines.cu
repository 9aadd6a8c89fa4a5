// Generators and distributions of <random>, a shuffle, time by chrono; a Monte Carlo sum on the device from the host's numbers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
#include "check.h"

__global__ void inside(const float *x, const float *y, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] * x[i] + y[i] * y[i] < 1.0f) atomicAdd(count, 1);
}

int main() {
    using clock = std::chrono::steady_clock;
    auto start = clock::now();
    std::mt19937 engine(2024);
    std::normal_distribution<float> bell(1.0f, 2.0f);
    std::normal_distribution<double> wide(0.0, 1.0);
    for (int i = 0; i < 3; ++i) printf("%.5f ", bell(engine));
    for (int i = 0; i < 3; ++i) printf("%.9f ", wide(engine));
    printf("\n");
    std::bernoulli_distribution coin(0.25);
    int heads = 0;
    for (int i = 0; i < 1000; ++i) heads += coin(engine);
    std::exponential_distribution<double> wait(2.0);
    printf("%d %.9f\n", heads, wait(engine));
    std::default_random_engine simple(5);
    std::minstd_rand other(5);
    printf("%d\n", simple() == other());
    std::uniform_int_distribution<> die(1, 6);
    std::uniform_real_distribution<> unit(0, 1);
    for (int i = 0; i < 5; ++i) printf("%d ", die(simple));
    printf("%.12f %.12f\n", unit(simple), unit(other));
    std::mt19937_64 big(9);
    printf("%llu\n", (unsigned long long)big());
    std::vector<int> order(12);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    for (int x : order) printf("%d ", x);
    printf("\n");
    const int n = 5000;
    std::vector<float> x(n), y(n);
    std::uniform_real_distribution<float> side(-1.0f, 1.0f);
    auto draw = [&]() { return side(engine); };
    std::generate(x.begin(), x.end(), draw);
    for (auto &v : y) v = draw();
    float *dx, *dy;
    int *count, found = 0;
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc(&dy, n * sizeof(float)));
    CHECK(cudaMalloc(&count, sizeof(int)));
    CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(count, 0, sizeof(int)));
    inside<<<(n + 255) / 256, 256>>>(dx, dy, count, n);
    CHECK(cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost));
    printf("pi is about %.4f\n", 4.0 * found / n);
    std::chrono::duration<double> took = clock::now() - start;
    auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - start).count();
    printf("%s\n", took.count() >= 0 && ms < 60000 ? "in time" : "late");
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFree(count));
    return 0;
}
