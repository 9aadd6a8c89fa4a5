// std::function and lambdas as objects: stored, passed on, returned, captured by value and by reference.
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>
#include "check.h"

__global__ void fill(float *out, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * i;
}

std::function<int(int)> adder(int by) {
    return [by](int x) { return x + by; };
}

auto scaler(float factor) {
    return [factor](float x) { return x * factor; };
}

int twice(int x) { return 2 * x; }

struct Affine {
    int a, b;
    int operator()(int x) const { return a * x + b; }
};

void each(const std::vector<int> &values, const std::function<void(int)> &use) {
    for (int v : values) use(v);
}

std::function<int(int)> compose(std::function<int(int)> f, std::function<int(int)> g) {
    return [=](int x) { return g(f(x)); };
}

int main() {
    std::function<int(int)> fib = [&fib](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
    printf("fib %d %d\n", fib(10), fib(15));

    std::vector<std::function<int(int)>> steps;
    steps.push_back(adder(3));
    steps.push_back(twice);
    steps.push_back(Affine{5, 1});
    int calls = 0;
    steps.push_back([&calls](int x) { ++calls; return x - 1; });
    int x = 4;
    for (auto &f : steps) x = f(x);
    for (const auto &f : steps) x += f(1);
    printf("steps %d, %d calls\n", x, calls);

    std::map<std::string, std::function<double(double, double)>> table;
    table["add"] = [](double a, double b) { return a + b; };
    table["mul"] = [](double a, double b) { return a * b; };
    table["scaled"] = [w = 0.5](double a, double b) { return w * (a + b); };
    for (auto &entry : table) printf("%s %.2f\n", entry.first.c_str(), entry.second(3.0, 4.0));

    int sum = 0;
    each({1, 2, 3, 4}, [&sum](int v) { sum += v * v; });
    printf("sum %d\n", sum);

    auto both = compose(adder(10), twice);
    printf("both %d\n", both(1));

    auto third = scaler(1.0f / 4);
    auto counter = [n = 0]() mutable { return ++n; };
    auto copy = counter;
    int first = counter() + counter();
    printf("third %.3f counter %d copy %d\n", third(6.0f), first, copy());

    std::function<void()> later;
    printf("%s\n", later ? "set" : "empty");
    const int n = 100;
    float *d = nullptr, h[n];
    later = [&] { CHECK(cudaFree(d)); };
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    std::function<void(float)> start = [=](float a) { fill<<<(n + 31) / 32, 32>>>(d, a, n); };
    start(0.5f);
    CHECK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("%.1f %.1f\n", h[1], h[99]);
    if (later) later();
    later = nullptr;
    printf("%s\n", later == nullptr ? "empty" : "set");
    return 0;
}
