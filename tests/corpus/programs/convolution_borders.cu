// Convolution in one dimension with two borders: templates with if at compile time, constant memory, std::array and the algorithms.
#include <iostream>
#include <vector>
#include <array>
#include <numeric>
#include <algorithm>
#include <cassert>
#include <iomanip>
#include <iterator>
constexpr int R = 3;
constexpr std::array<int, 5> sizes{16, 17, 31, 40, 64};
template <int N> constexpr int factorial() { if constexpr (N <= 1) return 1; else return N * factorial<N - 1>(); }
static_assert(factorial<5>() == 120);
__constant__ float d_filter[2 * R + 1];
__device__ int d_ops;
template <int RADIUS, bool CLAMP>
__global__ void conv1d(const float* __restrict__ in, float* __restrict__ out, int n)
{
    extern __shared__ float s[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    auto at = [=](int k) { return CLAMP ? in[min(max(k, 0), n - 1)] : (k >= 0 && k < n ? in[k] : 0.0f); };
    s[l] = at(i);
    if (threadIdx.x < RADIUS) { s[threadIdx.x] = at(i - RADIUS); s[l + blockDim.x] = at(i + (int)blockDim.x); }
    __syncthreads();
    if (i >= n) return;
    float acc = 0.0f;
    #pragma unroll
    for (int k = -RADIUS; k <= RADIUS; ++k) acc += s[l + k] * d_filter[k + RADIUS];
    out[i] = acc;
    atomicAdd(&d_ops, 2 * RADIUS + 1);
}
enum class Border { Zero, Clamp };
const char* to_string(Border b) { switch (b) { case Border::Zero: return "zero"; case Border::Clamp: return "clamp"; } return "?"; }
class Timer {
    cudaEvent_t a{}, b{};
public:
    Timer() { cudaEventCreate(&a); cudaEventCreate(&b); }
    ~Timer() { cudaEventDestroy(a); cudaEventDestroy(b); }
    void start(cudaStream_t s = 0) { cudaEventRecord(a, s); }
    float stop(cudaStream_t s = 0) { cudaEventRecord(b, s); cudaEventSynchronize(b); float ms{}; cudaEventElapsedTime(&ms, a, b); return ms; }
};
int main()
{
    std::array<float, 2 * R + 1> filter;
    std::iota(filter.begin(), filter.end(), 1.0f);
    const float total = std::accumulate(filter.begin(), filter.end(), 0.0f);
    std::transform(filter.cbegin(), filter.cend(), filter.begin(), [total](float f) { return f / total; });
    cudaMemcpyToSymbol(d_filter, filter.data(), sizeof(filter));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    Timer timer;
    int wrong = 0;
    for (const auto n : sizes) {
        std::vector<float> in(n), out(n, -1.f), want(n);
        std::generate(in.begin(), in.end(), [k = 0]() mutable { return float(k++ * 7 % 11); });
        float *di, *dout;
        cudaMalloc(reinterpret_cast<void**>(&di), n * sizeof(float));
        cudaMalloc(reinterpret_cast<void**>(&dout), n * sizeof(float));
        cudaMemcpyAsync(di, in.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
        for (Border b : {Border::Zero, Border::Clamp}) {
            constexpr int T = 16;
            const size_t shared = (T + 2 * R) * sizeof(float);
            timer.start(stream);
            if (b == Border::Zero) conv1d<R, false><<<(n + T - 1) / T, T, shared, stream>>>(di, dout, n);
            else conv1d<R, true><<<(n + T - 1) / T, T, shared, stream>>>(di, dout, n);
            if (timer.stop(stream) < 0) return 3;
            cudaMemcpyAsync(out.data(), dout, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
            cudaStreamSynchronize(stream);
            for (int i = 0; i < n; ++i) {
                float acc = 0;
                for (int k = -R; k <= R; ++k) {
                    int j = i + k;
                    float v = b == Border::Clamp ? in[std::clamp(j, 0, n - 1)] : (j < 0 || j >= n) ? 0.f : in[j];
                    acc += v * filter[k + R];
                }
                want[i] = acc;
            }
            bool ok = std::equal(out.begin(), out.end(), want.begin(), [](float x, float y) { return std::abs(x - y) < 1e-4f; });
            wrong += !ok;
            auto [lo, hi] = std::minmax_element(out.begin(), out.end());
            std::cout << std::setw(3) << n << std::setw(7) << to_string(b) << std::fixed << std::setprecision(3) << std::setw(8) << *lo << std::setw(8) << *hi
                      << " at " << std::distance(out.begin(), hi) << (ok ? " ok" : " WRONG") << "\n";
        }
        cudaFree(di), cudaFree(dout);
    }
    int ops = 0;
    cudaMemcpyFromSymbol(&ops, d_ops, sizeof(int));
    std::cout << ops << " multiply-adds\n";
    std::vector<int> evens;
    std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(evens), [](int v) { return v % 2 == 0; });
    std::copy(evens.begin(), evens.end(), std::ostream_iterator<int>(std::cout, ","));
    std::cout << std::endl;
    cudaStreamDestroy(stream);
    return wrong;
}
