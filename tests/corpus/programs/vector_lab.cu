// Vectors and algorithms around a SAXPY.
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>
#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float* x, float* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

template <typename T> void print(const char* name, const std::vector<T>& v)
{
    std::cout << name << ":";
    for (const auto& e : v) std::cout << ' ' << e;
    std::cout << '\n';
}

int main()
{
    const int n = 12;
    std::vector<float> x(n), y(n, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    std::vector<float> expected(n);
    std::transform(x.begin(), x.end(), y.begin(), expected.begin(), [](float a, float b) { return 2.0f * a + b; });

    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<1, 32>>>(n, 2.0f, dx, dy);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    assert(y == expected);
    print("y", y);

    std::cout << "sum " << std::accumulate(y.begin(), y.end(), 0.0) << ", product " << std::accumulate(x.begin() + 1, x.begin() + 6, 1.0, std::multiplies<double>())
              << ", dot " << std::inner_product(x.begin(), x.end(), y.begin(), 0.0f) << '\n';
    auto mm = std::minmax_element(y.begin(), y.end());
    std::cout << *mm.first << ".." << *mm.second << " at " << std::distance(y.begin(), mm.second) << '\n';
    std::vector<int> ids(n);
    std::generate(ids.begin(), ids.end(), [k = 7]() mutable { k = (k * 5 + 3) % 16; return k; });
    print("ids", ids);
    std::sort(ids.begin(), ids.end(), std::greater<int>());
    print("down", ids);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    print("unique", ids);
    auto lower = std::lower_bound(ids.begin(), ids.end(), 8);
    std::cout << "from 8 on: " << ids.end() - lower << ", has 3: " << std::boolalpha << std::binary_search(ids.begin(), ids.end(), 3) << '\n';
    std::vector<int> sums;
    std::partial_sum(ids.begin(), ids.end(), std::back_inserter(sums));
    print("sums", sums);
    std::vector<int> even;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(even), [](int v) { return v % 2 == 0; });
    print("even", even);
    std::rotate(even.begin(), even.begin() + 2, even.end());
    print("rotated", even);
    std::reverse(even.begin(), even.end());
    print("reversed", even);
    std::nth_element(ids.begin(), ids.begin() + ids.size() / 2, ids.end());
    std::cout << "median " << ids[ids.size() / 2] << '\n';
    std::vector<std::vector<float>> grid(3, std::vector<float>(4, 0.5f));
    grid[1][2] = 2.5f;
    float total = 0;
    for (auto& row : grid) total = std::accumulate(row.begin(), row.end(), total);
    std::cout << "grid " << total << '\n';
    std::vector<std::pair<float, int>> order;
    for (int i = 0; i < 5; ++i) order.emplace_back(static_cast<float>((i * 7) % 5), i);
    std::sort(order.begin(), order.end());
    for (const auto& [key, index] : order) std::cout << key << '@' << index << ' ';
    std::cout << '\n';
    std::cout << std::all_of(y.begin(), y.end(), [](float v) { return v > 0; }) << std::any_of(y.begin(), y.end(), [](float v) { return v > 20; })
              << std::none_of(y.begin(), y.end(), [](float v) { return v > 99; }) << std::count_if(y.begin(), y.end(), [](float v) { return v > 10; }) << '\n';
    std::vector<double> diff(n);
    std::adjacent_difference(y.begin(), y.end(), diff.begin());
    print("difference", diff);
    std::cout << std::max({3, 9, 4}) << ' ' << std::clamp(12, 0, 10) << ' ' << *std::max_element(x.begin(), x.end()) << '\n';
    cudaFree(dx);
    cudaFree(dy);
}
