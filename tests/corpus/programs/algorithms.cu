#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <vector>

struct Square { int operator()(int x) const { return x * x; } };

__global__ void negate(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = -p[i];
}

int main() {
    std::mt19937 generator(42);
    printf("%u %u\n", (unsigned)generator(), (unsigned)generator());
    std::mt19937 other(7);
    std::uniform_int_distribution<int> die(1, 6);
    std::uniform_real_distribution<float> real(0.0f, 1.0f);
    std::uniform_real_distribution<double> wide(-1.0, 1.0);
    int counts[7] = {0};
    for (int i = 0; i < 600; ++i) counts[die(other)]++;
    for (int i = 1; i <= 6; ++i) printf("%d ", counts[i]);
    printf("\n");
    for (int i = 0; i < 4; ++i) printf("%.9f ", real(other));
    printf("%.15f\n", wide(other));
    std::vector<int> v(20);
    std::generate(v.begin(), v.end(), [&]() { return die(other) * 10 + die(other); });
    int* d;
    cudaMalloc(&d, v.size() * sizeof(int));
    cudaMemcpy(d, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);
    negate<<<1, 32>>>(d, (int)v.size());
    std::vector<int> w(v.size());
    cudaMemcpy(w.data(), d, w.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(w.begin(), w.end());
    for (int x : w) printf("%d ", x);
    printf("\n");
    std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
    printf("%d %d %d\n", v[0], *std::max_element(w.begin(), w.end()), (int)std::count(v.begin(), v.end(), v[0]));
    std::transform(v.begin(), v.end(), w.begin(), Square());
    std::reverse(w.data(), w.data() + w.size());
    std::array<double, 3> a = {1.5, 2.5, 3.5};
    a[1] *= 2;
    printf("%d %g %zu\n", w[0], a[1], a.size());
    cudaFree(d);
}
