// Device memory that frees itself: unique_ptr with cudaFree as its deleter in three ways, a class that can be moved, shared owners.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>
#include "check.h"

struct CudaFree {
    void operator()(void* p) const noexcept
    {
        ++count;
        cudaFree(p);
    }
    static int count;
};
int CudaFree::count = 0;

template <typename T> using DevicePtr = std::unique_ptr<T[], CudaFree>;

template <typename T>
DevicePtr<T> make_device(size_t n)
{
    T* raw = nullptr;
    CHECK(cudaMalloc(&raw, n * sizeof(T)));
    return DevicePtr<T>(raw);
}

template <typename T>
class Buffer {
public:
    explicit Buffer(const std::vector<T>& from) : size_(from.size()), data_(make_device<T>(from.size()))
    {
        CHECK(cudaMemcpy(data_.get(), from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    Buffer(Buffer&&) = default;
    Buffer& operator=(Buffer&&) = default;
    T* get() const { return data_.get(); }
    size_t size() const { return size_; }
    std::vector<T> host() const
    {
        std::vector<T> out(size_);
        CHECK(cudaMemcpy(out.data(), data_.get(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    size_t size_;
    DevicePtr<T> data_;
};

template <size_t N> struct Weights { int values[N]; };

template <size_t N>
__global__ void filter(const int* in, int* out, int n, Weights<N> weights)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (size_t k = 0; k < N; ++k) {
        int at = i + static_cast<int>(k) - static_cast<int>(N / 2);
        sum += at >= 0 && at < n ? in[at] * weights.values[k] : 0;
    }
    out[i] = sum;
}

template <size_t N>
Buffer<int> filtered(const Buffer<int>& in, const std::array<int, N>& weights)
{
    Weights<N> given;
    std::copy(weights.begin(), weights.end(), given.values);
    Buffer<int> out{std::vector<int>(in.size())};
    int n = static_cast<int>(in.size());
    filter<<<(n + 63) / 64, 64>>>(in.get(), out.get(), n, given);
    CHECK(cudaGetLastError());
    return out;
}

int main()
{
    std::vector<int> numbers(100);
    std::iota(numbers.begin(), numbers.end(), 1);
    Buffer<int> data(numbers);
    for (int round = 0; round < 3; ++round)
        data = filtered(data, std::array<int, 3>{1, 0, -1});
    Buffer<int> last = filtered<5>(data, {1, 2, 3, 2, 1});
    std::vector<int> result = last.host();
    printf("%d %d %d, sum %d\n", result[0], result[50], result[99], std::accumulate(result.begin(), result.end(), 0));

    int* raw;
    CHECK(cudaMalloc(&raw, 64));
    std::unique_ptr<int, decltype(&cudaFree)> by_function(raw, &cudaFree);
    CHECK(cudaMalloc(&raw, 64));
    auto freeing = [](int* p) {
        printf("freed by a lambda\n");
        cudaFree(p);
    };
    std::unique_ptr<int, decltype(freeing)> by_lambda(raw, freeing);
    CHECK(cudaMalloc(&raw, 64));
    std::shared_ptr<int> first(raw, CudaFree()), second = first;
    std::weak_ptr<int> watcher = first;
    first.reset();
    printf("%d frees, %ld owners\n", CudaFree::count, watcher.use_count());
    second = nullptr;
    printf("%d frees, %s\n", CudaFree::count, watcher.expired() ? "gone" : "there");
    std::vector<DevicePtr<float>> many;
    for (int i = 0; i < 4; ++i)
        many.push_back(make_device<float>(8 << i));
    many.erase(many.begin() + 1);
    printf("%d frees\n", CudaFree::count);
    std::swap(many[0], many[2]);
    many.clear();
    printf("%d frees at the end\n", CudaFree::count);
    return 0;
}
