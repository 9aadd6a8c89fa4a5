// A small network: layers as classes behind a base class, activations as functions, weights from a fixed sequence.
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_TRY(expr)                                                                            \
    if (cudaError_t e = (expr); e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e))

template <typename T> class Buffer {
    T *data_ = nullptr;
    size_t count_ = 0;

public:
    explicit Buffer(size_t count) : count_(count) { CUDA_TRY(cudaMalloc(&data_, count * sizeof(T))); }
    explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
        CUDA_TRY(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { cudaFree(data_); }
    T *get() const { return data_; }
    size_t bytes() const { return count_ * sizeof(T); }
    std::vector<T> host() const {
        std::vector<T> values(count_);
        CUDA_TRY(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }
};

__global__ void dense(const float *in, const float *w, float *out, int inputs, int outputs) {
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= outputs) return;
    float sum = 0;
    for (int i = 0; i < inputs; ++i) sum = sum + w[o * inputs + i] * in[i];
    out[o] = sum;
}
__global__ void relu(float *p, int n) {
    int i = threadIdx.x;
    if (i < n) p[i] = p[i] > 0 ? p[i] : 0;
}

struct Layer {
    virtual ~Layer() = default;
    virtual std::vector<float> forward(const std::vector<float> &in) = 0;
    virtual const char *name() const { return "layer"; }
};

class Dense : public Layer {
    int inputs, outputs;
    std::vector<float> weights;

public:
    Dense(int i, int o, std::function<float(int, int)> weight) : inputs(i), outputs(o) {
        for (int r = 0; r < o; ++r)
            for (int c = 0; c < i; ++c) weights.push_back(weight(r, c));
    }
    std::vector<float> forward(const std::vector<float> &in) override {
        Buffer<float> x(in), w(weights), y(outputs);
        dense<<<(outputs + 31) / 32, 32>>>(x.get(), w.get(), y.get(), inputs, outputs);
        CUDA_TRY(cudaGetLastError());
        return y.host();
    }
    const char *name() const override { return "dense"; }
};

class Relu final : public Layer {
public:
    std::vector<float> forward(const std::vector<float> &in) override {
        Buffer<float> x(in);
        relu<<<1, (unsigned)in.size()>>>(x.get(), (int)in.size());
        return x.host();
    }
};

int main() {
    std::vector<std::unique_ptr<Layer>> net;
    net.push_back(std::make_unique<Dense>(8, 16, [](int r, int c) { return ((r * 3 + c * 5) % 7 - 3) * 0.25f; }));
    net.push_back(std::make_unique<Relu>());
    net.emplace_back(new Dense(16, 4, [](int r, int c) { return (r * c) % 3 ? -0.5f : 0.75f; }));
    std::vector<float> x;
    for (int i = 0; i < 8; ++i) x.push_back(0.5f * i - 1);
    try {
        for (auto &layer : net) {
            x = layer->forward(x);
            std::cout << std::setw(6) << layer->name() << std::fixed << std::setprecision(3);
            for (float v : x) std::cout << ' ' << v;
            std::cout << '\n';
        }
        if (x.size() < 5) throw std::length_error("four outputs");
    } catch (const std::exception &e) {
        std::cout << "caught: " << e.what() << '\n';
    }
    float largest = -INFINITY;
    for (float v : x) largest = std::max(largest, v);
    std::cout << std::scientific << largest << ' ' << std::defaultfloat << largest << std::endl;
    cudaGetLastError();
    return 0;
}
