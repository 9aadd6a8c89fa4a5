// Parts of an array through several streams: owners of what CUDA gives, moved; a callback that captures `this`; optional, move, RAII.
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "check.h"

__global__ void work(float *p, int n, float add) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = p[i] * 2.0f + add;
}

class Stream {
    cudaStream_t handle = nullptr;

public:
    Stream() { CHECK(cudaStreamCreate(&handle)); }
    Stream(Stream &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    Stream &operator=(Stream &&other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    Stream(const Stream &) = delete;
    ~Stream() {
        if (handle) cudaStreamDestroy(handle);
    }
    operator cudaStream_t() const { return handle; }
};

struct CudaFree {
    void operator()(void *p) const { cudaFree(p); }
};
template <typename T> using DevicePtr = std::unique_ptr<T, CudaFree>;
template <typename T> DevicePtr<T> device_array(size_t n) {
    T *p = nullptr;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    return DevicePtr<T>(p);
}

struct Progress {
    std::string name;
    int done = 0;
    std::vector<std::function<void(const std::string &)>> listeners;
    void on_change(std::function<void(const std::string &)> f) { listeners.push_back(std::move(f)); }
    void step() {
        ++done;
        auto tell = [this](int total) {
            for (auto &f : listeners) f(name + " " + std::to_string(total));
        };
        tell(done);
    }
};

std::optional<int> position(const std::vector<float> &v, float wanted) {
    for (size_t i = 0; i < v.size(); ++i)
        if (v[i] == wanted) return static_cast<int>(i);
    return std::nullopt;
}

int main() {
    const int parts = 3, size = 200;
    std::vector<float> values(parts * size);
    std::iota(values.begin(), values.end(), 0.0f);
    std::vector<Stream> streams;
    for (int i = 0; i < parts; ++i) streams.push_back(Stream());
    auto device = device_array<float>(values.size());
    Progress progress{"part"};
    int told = 0;
    progress.on_change([&told](const std::string &text) {
        ++told;
        printf("%s\n", text.c_str());
    });
    progress.on_change([](const std::string &) {});
    float *pinned = nullptr;
    CHECK(cudaMallocHost(&pinned, values.size() * sizeof(float)));
    std::copy(values.begin(), values.end(), pinned);
    for (int i = 0; i < parts; ++i) {
        float *part = device.get() + i * size;
        CHECK(cudaMemcpyAsync(part, pinned + i * size, size * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
        work<<<2, 64, 0, streams[i]>>>(part, size, float(i));
        CHECK(cudaMemcpyAsync(pinned + i * size, part, size * sizeof(float), cudaMemcpyDeviceToHost, streams[i]));
    }
    for (auto &s : streams) {
        CHECK(cudaStreamSynchronize(s));
        progress.step();
    }
    values.assign(pinned, pinned + values.size());
    CHECK(cudaFreeHost(pinned));
    printf("%.0f %.0f %.0f, told %d\n", values[1], values[size], values.back(), told);
    if (auto at = position(values, 402.0f)) printf("found at %d\n", *at);
    printf("%d\n", position(values, -1.0f).value_or(-1));
    Stream spare = std::move(streams.back());
    streams.pop_back();
    CHECK(cudaStreamSynchronize(spare));
    printf("%d\n", (int)streams.size());
    return 0;
}
