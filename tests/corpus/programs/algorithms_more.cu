// The algorithms that a first course uses, over what a kernel has made.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>
#include <cuda_runtime.h>

__global__ void lcg(unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (1103515245u * (i + 7) + 12345u) % 97u;
}

template <typename T> void show(const char *name, const std::vector<T> &v) {
    printf("%-10s", name);
    for (const T &x : v) printf(" %d", (int)x);
    printf("\n");
}

int main() {
    const int n = 24;
    unsigned *d;
    cudaMalloc(&d, n * sizeof(unsigned));
    lcg<<<3, 8>>>(d, n);
    std::vector<unsigned> raw(n);
    cudaMemcpy(raw.data(), d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::vector<int> v(raw.begin(), raw.end());
    show("raw", v);
    printf("sum %d product %.0f\n", std::accumulate(v.begin(), v.end(), 0),
           std::accumulate(v.begin(), v.begin() + 5, 1.0, [](double a, int b) { return a * b; }));
    std::vector<int> w(v.size());
    std::partial_sum(v.begin(), v.end(), w.begin());
    show("partial", w);
    std::adjacent_difference(w.begin(), w.end(), w.begin());
    printf("same %d\n", w == v);
    printf("inner %d\n", std::inner_product(v.begin(), v.end(), w.begin(), 0));
    printf("any %d all %d none %d\n", std::any_of(v.begin(), v.end(), [](int x) { return x > 90; }),
           std::all_of(v.begin(), v.end(), [](int x) { return x < 97; }), std::none_of(v.begin(), v.end(), [](int x) { return x < 0; }));
    printf("count %ld\n", (long)std::count_if(v.begin(), v.end(), [](int x) { return x % 2 == 0; }));
    auto it = std::find_if(v.begin(), v.end(), [](int x) { return x > 80; });
    printf("found %d at %ld\n", it == v.end() ? -1 : *it, (long)std::distance(v.begin(), it));
    auto mm = std::minmax_element(v.begin(), v.end());
    printf("min %d max %d\n", *mm.first, *mm.second);
    w.erase(std::remove_if(w.begin(), w.end(), [](int x) { return x % 3 == 0; }), w.end());
    show("no threes", w);
    std::sort(w.begin(), w.end(), std::greater<int>());
    show("down", w);
    w.erase(std::unique(w.begin(), w.end()), w.end());
    std::reverse(w.begin(), w.end());
    show("unique", w);
    printf("%d %d\n", std::binary_search(w.begin(), w.end(), 50), (int)(std::lower_bound(w.begin(), w.end(), 40) - w.begin()));
    std::rotate(w.begin(), w.begin() + 3, w.end());
    show("rotated", w);
    std::nth_element(v.begin(), v.begin() + n / 2, v.end());
    printf("median %d\n", v[n / 2]);
    std::partial_sort(v.begin(), v.begin() + 4, v.end());
    printf("least %d %d %d %d\n", v[0], v[1], v[2], v[3]);
    std::vector<int> evens;
    std::copy_if(w.begin(), w.end(), std::back_inserter(evens), [](int x) { return x % 2 == 0; });
    show("evens", evens);
    auto middle = std::partition(w.begin(), w.end(), [](int x) { return x < 50; });
    printf("%ld below fifty\n", (long)(middle - w.begin()));
    std::array<int, 5> a = {5, 1, 4, 2, 3};
    std::sort(a.begin(), a.end());
    do {
        if (a[0] != 1) break;
    } while (std::next_permutation(a.begin(), a.end()));
    printf("%d%d%d%d%d\n", a[0], a[1], a[2], a[3], a[4]);
    std::vector<int> merged(8), left = {1, 4, 6, 9}, right = {2, 3, 7, 8};
    std::merge(left.begin(), left.end(), right.begin(), right.end(), merged.begin());
    show("merged", merged);
    std::vector<int> common;
    std::vector<int> other = {3, 4, 8, 10};
    std::set_intersection(merged.begin(), merged.end(), other.begin(), other.end(), std::back_inserter(common));
    show("common", common);
    std::replace(merged.begin(), merged.end(), 9, 0);
    std::swap(merged[0], merged[7]);
    std::fill_n(merged.begin() + 2, 3, 5);
    show("replaced", merged);
    printf("%d %d %d\n", std::clamp(15, 0, 10), std::max({3, 9, 4}), std::min({3, 9, 4}));
    std::string s = "thread block";
    std::transform(s.begin(), s.end(), s.begin(), ::toupper);
    printf("%s %d\n", s.c_str(), (int)std::count(s.begin(), s.end(), 'B'));
    printf("%d\n", std::gcd(84, 36) + std::lcm(4, 6));
    return 0;
}
