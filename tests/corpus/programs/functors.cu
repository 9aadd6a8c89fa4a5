// A map, a reduction and a filter as templates that take what they compute as an object: functors and a device function by its template.
#include <cassert>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <typename T> struct Square {
    __host__ __device__ T operator()(T x) const { return x * x; }
};
template <typename T> struct Scale {
    T by;
    __host__ __device__ explicit Scale(T factor) : by(factor) {}
    __host__ __device__ T operator()(T x) const { return by * x; }
};
template <class F, class G> struct Then {
    F first;
    G second;
    template <class T> __host__ __device__ T operator()(T x) const { return second(first(x)); }
};
template <class F, class G> Then<F, G> then(F f, G g) { return {f, g}; }
struct Plus {
    static constexpr int identity = 0;
    template <class T> __device__ __host__ T operator()(const T& a, const T& b) const { return a + b; }
};
struct Larger {
    static constexpr int identity = -2147483647;
    template <class T> __device__ __host__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};

template <typename In, typename Out, typename F> __global__ void map(const In* in, Out* out, int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = f(in[i]);
}

template <int THREADS, typename T, typename Op> __global__ void reduce(const T* in, T* out, int n, Op op)
{
    __shared__ T part[THREADS];
    T mine = Op::identity;
    for (int i = threadIdx.x; i < n; i += THREADS)
        mine = op(mine, in[i]);
    part[threadIdx.x] = mine;
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

template <class T> class Buffer {
  public:
    explicit Buffer(size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
    Buffer(const std::vector<T>& from) : Buffer(from.size()) { cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice); }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    operator T*() { return data_; }
    std::vector<T> host() const
    {
        std::vector<T> made(count_);
        cudaMemcpy(made.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return made;
    }

  private:
    T* data_ = nullptr;
    size_t count_;
};

int main()
{
    std::vector<int> numbers;
    for (int i = 0; i < 300; ++i)
        numbers.push_back((i * 37 + 11) % 101 - 50);
    Buffer<int> in(numbers), out(numbers.size()), one(1);
    auto f = then(Square<int>(), Scale<int>(3));
    map<<<2, 64>>>((int*)in, (int*)out, (int)numbers.size(), f);
    std::vector<int> got = out.host();
    for (size_t i = 0; i < got.size(); ++i)
        assert(got[i] == f(numbers[i]));
    reduce<128><<<1, 128>>>((int*)out, (int*)one, (int)numbers.size(), Plus{});
    printf("sum %d\n", one.host().front());
    reduce<64><<<1, 64>>>((int*)in, (int*)one, (int)numbers.size(), Larger{});
    printf("largest %d\n", one.host().at(0));
    Buffer<double> halves(numbers.size());
    map<int, double><<<3, 32>>>(in, halves, (int)numbers.size(), Scale<double>(0.5));
    for (double half : halves.host())
        if (half > 24.5)
            printf("%.2f ", half);
    printf("\n");
}
