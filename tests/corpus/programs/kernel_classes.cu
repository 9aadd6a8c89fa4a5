// Kernels behind virtual functions: a chain of owned objects, functors, maps and tuples.
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#include <functional>
#include <algorithm>
#include <memory>
#include <numeric>
#include <iostream>
#include <iomanip>
#include <tuple>
#include <unordered_map>
#include <set>

class Kernel1D {
public:
    Kernel1D(std::string name) : name_(std::move(name)) { ++count_; }
    virtual ~Kernel1D() { --count_; }
    virtual void apply(float* d, int n) const = 0;
    virtual double flops(int n) const { return n; }
    const std::string& name() const { return name_; }
    static int alive() { return count_; }
protected:
    std::string name_;
private:
    static int count_;
};
int Kernel1D::count_ = 0;

__global__ void add_kernel(float* d, float v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) d[i] += v; }
__global__ void poly_kernel(float* d, const float* c, int deg, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = d[i], r = c[deg];
    for (int k = deg - 1; k >= 0; --k) r = r * x + c[k];
    d[i] = r;
}
template <class Op> __global__ void map_kernel(float* d, int n, Op op) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) d[i] = op(d[i]); }

struct Add final : Kernel1D {
    float v;
    explicit Add(float v) : Kernel1D("add"), v(v) {}
    void apply(float* d, int n) const override { add_kernel<<<(n + 63) / 64, 64>>>(d, v, n); }
};
class Poly : public Kernel1D {
    std::vector<float> c;
    float* dc = nullptr;
public:
    Poly(std::initializer_list<float> l) : Kernel1D("poly" + std::to_string(l.size() - 1)), c(l) {
        cudaMalloc(&dc, c.size() * sizeof(float));
        cudaMemcpy(dc, &c[0], c.size() * sizeof(float), cudaMemcpyHostToDevice);
    }
    ~Poly() override { cudaFree(dc); }
    void apply(float* d, int n) const override { poly_kernel<<<(n + 63) / 64, 64>>>(d, dc, static_cast<int>(c.size()) - 1, n); }
    double flops(int n) const override { return 2.0 * n * (c.size() - 1); }
};
struct Clamp { float lo, hi; __device__ float operator()(float x) const { return fminf(fmaxf(x, lo), hi); } };
struct Square { __host__ __device__ float operator()(float x) const { return x * x; } };
template <class Op> struct Map : Kernel1D {
    Op op;
    Map(const char* n, Op op) : Kernel1D(n), op(op) {}
    void apply(float* d, int n) const override { map_kernel<<<(n + 63) / 64, 64>>>(d, n, op); }
};

int main()
{
    const int n = 200;
    std::vector<float> h(n);
    std::iota(h.begin(), h.end(), -100.f);
    float* d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    {
        std::vector<std::unique_ptr<Kernel1D>> chain;
        chain.push_back(std::make_unique<Add>(0.5f));
        chain.push_back(std::make_unique<Map<Clamp>>("clamp", Clamp{-2.f, 3.f}));
        chain.emplace_back(new Poly{1.f, 0.f, -2.f, 0.5f});
        chain.push_back(std::make_unique<Map<Square>>("square", Square()));
        std::map<std::string, double> cost;
        for (auto& k : chain) { k->apply(d, n); cost[k->name()] += k->flops(n); }
        for (auto it = cost.cbegin(); it != cost.cend(); ++it) printf("%-8s %8.1f\n", it->first.c_str(), it->second);
        printf("%d alive\n", Kernel1D::alive());
    }
    printf("%d alive\n", Kernel1D::alive());
    cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::set<float> distinct(h.begin(), h.end());
    std::unordered_map<int, int> buckets;
    for (float v : h) buckets[static_cast<int>(v)]++;
    std::cout << distinct.size() << " distinct, smallest " << *distinct.begin() << ", largest " << *distinct.rbegin() << "\n";
    std::vector<std::pair<int, int>> sorted(buckets.begin(), buckets.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
    for (auto [value, times] : sorted) std::cout << std::setw(6) << value << " x" << std::setfill('0') << std::setw(3) << times << std::setfill(' ') << '\n';
    std::function<double(double)> f = [total = std::accumulate(h.begin(), h.end(), 0.0)](double x) { return total / x; };
    std::cout << std::fixed << std::setprecision(4) << f(n) << std::endl;
    auto t = std::make_tuple(1, 2.5, std::string("three"));
    auto& [i, x, s] = t;
    i += 41;
    std::cout << std::get<0>(t) << ' ' << x << ' ' << s << ' ' << std::tuple_size<decltype(t)>::value << std::tuple_size_v<std::pair<int, int>> << '\n';
    cudaFree(d);
}
