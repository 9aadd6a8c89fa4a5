// A timer as a class around events, a table of runs, errors as an enum class, overloads, default arguments and a kernel chosen by a switch.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

class GpuTimer {
    cudaEvent_t start_{}, stop_{};

  public:
    GpuTimer()
    {
        cudaEventCreate(&start_);
        cudaEventCreate(&stop_);
    }
    ~GpuTimer()
    {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    void start(cudaStream_t stream = 0) { cudaEventRecord(start_, stream); }
    void stop(cudaStream_t stream = 0) { cudaEventRecord(stop_, stream); }
    float elapsed() const
    {
        float ms = 0.0f;
        cudaEventSynchronize(stop_);
        cudaEventElapsedTime(&ms, start_, stop_);
        return ms;
    }
};

enum class Version : std::uint8_t { naive, strided, vectorised };
static std::string to_string(Version v)
{
    switch (v) {
    case Version::naive: return "naive";
    case Version::strided: return "strided";
    default: return "vectorised";
    }
}

template <Version V> __global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if constexpr (V == Version::naive) {
        if (i < n)
            out[i] = in[i];
    } else if constexpr (V == Version::strided) {
        for (; i < n; i += blockDim.x * gridDim.x)
            out[i] = in[i];
    } else {
        for (; i < n / 4; i += blockDim.x * gridDim.x)
            reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
    }
}

static void run(Version v, const float* in, float* out, int n)
{
    const int block = 128;
    switch (v) {
    case Version::naive: copy<Version::naive><<<(n + block - 1) / block, block>>>(in, out, n); break;
    case Version::strided: copy<Version::strided><<<2, block>>>(in, out, n); break;
    case Version::vectorised: copy<Version::vectorised><<<2, block>>>(in, out, n); break;
    }
}

int main()
{
    const int n = 2048;
    std::vector<float> host(n), back(n);
    std::iota(host.begin(), host.end(), 1.0f);
    float *in = nullptr, *out = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&in), n * sizeof *in);
    cudaMalloc(reinterpret_cast<void**>(&out), n * sizeof *out);
    cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice);
    std::vector<std::pair<std::string, bool>> rows;
    for (Version v : {Version::naive, Version::strided, Version::vectorised}) {
        cudaMemset(out, 0, n * sizeof *out);
        GpuTimer timer;
        timer.start();
        run(v, in, out, n);
        timer.stop();
        const bool timed = timer.elapsed() > 0.0f;
        std::fill(back.begin(), back.end(), -1.0f);
        cudaMemcpy(back.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
        rows.emplace_back(to_string(v) + (timed ? "" : " (not timed)"), std::equal(host.begin(), host.end(), back.begin()));
    }
    for (const auto& [name, right] : rows)
        std::cout << std::left << std::setw(12) << name << "|" << std::right << std::setw(6) << std::boolalpha << right << "\n";
    std::array<double, 3> sums{};
    for (std::size_t i = 0; i < back.size(); ++i)
        sums[i % sums.size()] += back[i];
    std::printf("%.0f %.0f %.0f\n", sums[0], sums[1], sums[2]);
    std::cout << std::accumulate(sums.begin(), sums.end(), 0.0) << std::endl;
    cudaFree(in);
    cudaFree(out);
}
