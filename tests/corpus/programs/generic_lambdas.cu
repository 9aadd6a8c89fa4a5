// Lambdas of every kind: generic, recursive through themselves, as function pointers, in arrays and members, immediately called.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
#include "check.h"

template <typename F> __global__ void apply(int *p, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = f(p[i]);
}

struct Twice {
    __host__ __device__ int operator()(int x) const { return x * 2; }
};

template <typename F> class Memo {
    F compute;
    std::vector<long> known;

public:
    explicit Memo(F f) : compute(f), known(100, -1) {}
    long operator()(int n) {
        if (known[n] < 0) known[n] = compute(*this, n);
        return known[n];
    }
};
template <typename F> Memo<F> memo(F f) { return Memo<F>(f); }

struct Node {
    int value;
    std::unique_ptr<Node> left, right;
    explicit Node(int v) : value(v) {}
};

template <typename F> void walk(const Node *node, F &&visit) {
    if (!node) return;
    walk(node->left.get(), visit);
    visit(node->value);
    walk(node->right.get(), visit);
}

void insert(std::unique_ptr<Node> &at, int value) {
    if (!at) at = std::make_unique<Node>(value);
    else insert(value < at->value ? at->left : at->right, value);
}

int main() {
    auto add = [](auto a, auto b) { return a + b; };
    printf("%d %.1f %s\n", add(1, 2), add(1.5, 2), add(std::string("a"), "b").c_str());
    auto fact = [](auto self, int n) -> long { return n < 2 ? 1 : n * self(self, n - 1); };
    printf("%ld\n", fact(fact, 12));
    int (*op)(int, int) = [](int a, int b) { return a * b; };
    printf("%d\n", op(6, 7));
    int numbers[] = {9, 2, 7, 4};
    qsort(numbers, 4, sizeof(int), [](const void *a, const void *b) { return *(const int *)a - *(const int *)b; });
    printf("%d %d\n", numbers[0], numbers[3]);
    const int limit = [] {
        int n = 1;
        while (n < 100) n *= 3;
        return n;
    }();
    printf("%d\n", limit);
    auto fibonacci = memo([](auto &self, int n) -> long { return n < 2 ? n : self(n - 1) + self(n - 2); });
    printf("%ld\n", fibonacci(60));
    std::array<std::function<double(double)>, 3> curve = {[](double x) { return x * x; }, [](double x) { return 1 / x; }, [k = 3](double x) { return k * x; }};
    double total = 0;
    for (auto &f : curve) total += f(2);
    printf("%.2f\n", total);
    std::unique_ptr<Node> root;
    for (int v : {5, 2, 8, 1, 9, 3}) insert(root, v);
    std::vector<int> sorted;
    walk(root.get(), [&](int v) { sorted.push_back(v); });
    int product = 1;
    auto multiply = [&product](int v) { product *= v; };
    walk(root.get(), multiply);
    for (int v : sorted) printf("%d ", v);
    printf("= %d\n", product);
    auto make_counter = [](int start) { return [start]() mutable { return start++; }; };
    auto c1 = make_counter(10);
    auto c2 = make_counter(20);
    c1();
    c1();
    c2();
    printf("%d %d\n", c1(), c2());
    std::vector<int> v(5);
    std::generate(v.begin(), v.end(), [n = 0]() mutable { return n += 2; });
    int factor = 3, *d;
    std::for_each(v.begin(), v.end(), [factor](int &x) { x *= factor; });
    CHECK(cudaMalloc(&d, 5 * sizeof(int)));
    CHECK(cudaMemcpy(d, v.data(), 5 * sizeof(int), cudaMemcpyHostToDevice));
    apply<<<1, 32>>>(d, 5, Twice());
    CHECK(cudaMemcpy(v.data(), d, 5 * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    for (int x : v) printf("%d ", x);
    printf("%d\n", std::accumulate(v.begin(), v.end(), 0, [](int a, int b) { return a > b ? a : b; }));
    auto outer = [&](int k) {
        auto inner = [&, k](int x) { return x * k + factor; };
        return inner(2) + inner(3);
    };
    factor = 1;
    printf("%d\n", outer(10));
    return 0;
}
