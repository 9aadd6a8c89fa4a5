// K-means whose clusters lie in managed memory by operator new and delete of their base class, held by std::unique_ptr.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <vector>
#define K 4
template <class T> struct ManagedAllocator {
    using value_type = T;
    ManagedAllocator() = default;
    template <class U> ManagedAllocator(const ManagedAllocator<U>&) {}
    T* allocate(std::size_t n) { void* p = nullptr; cudaMallocManaged(&p, n * sizeof(T)); return static_cast<T*>(p); }
    void deallocate(T* p, std::size_t) { cudaFree(p); }
};
struct Managed {
    void* operator new(size_t n) { void* p; cudaMallocManaged(&p, n); cudaDeviceSynchronize(); return p; }
    void operator delete(void* p) { cudaDeviceSynchronize(); cudaFree(p); }
};
struct Clusters : Managed { float2 centre[K]; float2 sum[K]; int count[K]; };
__global__ void assign(const float2* p, int n, Clusters* c, int* label) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = FLT_MAX; int b = 0;
    for (int k = 0; k < K; ++k) { float dx = p[i].x - c->centre[k].x, dy = p[i].y - c->centre[k].y, d = dx * dx + dy * dy; if (d < best) { best = d; b = k; } }
    label[i] = b;
    atomicAdd(&c->sum[b].x, p[i].x); atomicAdd(&c->sum[b].y, p[i].y); atomicAdd(&c->count[b], 1);
}
__global__ void update(Clusters* c) {
    int k = threadIdx.x;
    if (k < K) {
        if (c->count[k]) c->centre[k] = make_float2(c->sum[k].x / c->count[k], c->sum[k].y / c->count[k]);
        c->sum[k] = float2{0, 0}; c->count[k] = 0;
    }
}
int main() {
    std::mt19937 rng(3);
    const int n = 400;
    float2* p; int* label;
    cudaMallocManaged(&p, n * sizeof(float2)); cudaMallocManaged(&label, n * sizeof(int));
    std::uniform_real_distribution<float> u(-1.f, 1.f);
    const float2 real[K] = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
    for (int i = 0; i < n; ++i) { p[i].x = real[i % K].x + u(rng); p[i].y = real[i % K].y + u(rng); }
    std::unique_ptr<Clusters> c(new Clusters);
    for (int k = 0; k < K; ++k) { c->centre[k] = p[k]; c->sum[k] = {}; c->count[k] = 0; }
    for (int it = 0; it < 5; ++it) { assign<<<(n + 127) / 128, 128>>>(p, n, c.get(), label); update<<<1, 32>>>(c.get()); }
    if (auto e = cudaDeviceSynchronize(); e != cudaSuccess) { std::cerr << cudaGetErrorString(e) << '\n'; return 1; }
    std::map<int, int> sizes;
    for (int i = 0; i < n; ++i) ++sizes[label[i]];
    for (const auto& [k, s] : sizes) std::cout << k << ": " << s << " at " << std::fixed << std::setprecision(1) << std::round(c->centre[k].x) << ", " << std::round(c->centre[k].y) << '\n';
    cudaFree(p); cudaFree(label);
}
