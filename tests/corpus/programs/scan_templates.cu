// finds: out-of-memory 69
// Scans by a template of an operator, block by block and recursive; errors of the runtime are thrown, and one is provoked at the end.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <stdexcept>
#include <string>
#include <sstream>
#include <type_traits>
#include <cuda_runtime.h>
class CudaError : public std::runtime_error {
    cudaError_t code_;
public:
    CudaError(cudaError_t code, const char* file, int line) : std::runtime_error(describe(code, file, line)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }
private:
    static std::string describe(cudaError_t c, const char* f, int l) { std::ostringstream os; os << std::string(f).substr(std::string(f).find_last_of("/\\") + 1) << ':' << l << ": " << cudaGetErrorString(c); return os.str(); }
};
inline void check(cudaError_t e, const char* f, int l) { if (e != cudaSuccess) throw CudaError(e, f, l); }
#define CUDA(...) check((__VA_ARGS__), __FILE__, __LINE__)
template <typename T> struct Plus { static constexpr T identity = T(0); __device__ __host__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct Max { static constexpr T identity = std::is_same<T, int>::value ? T(-2147483647 - 1) : T(-1e30); __device__ __host__ T operator()(T a, T b) const { return a > b ? a : b; } };
template <typename T, template <typename> class Op, int B>
__global__ void block_scan(const T* in, T* out, T* sums, int n) {
    __shared__ T s[2][B];
    int t = threadIdx.x, i = blockIdx.x * B + t, cur = 0;
    Op<T> op;
    s[0][t] = i < n ? in[i] : Op<T>::identity;
    __syncthreads();
    for (int o = 1; o < B; o <<= 1, cur ^= 1) {
        s[cur ^ 1][t] = t >= o ? op(s[cur][t - o], s[cur][t]) : s[cur][t];
        __syncthreads();
    }
    if (i < n) out[i] = s[cur][t];
    if (t == B - 1 && sums) sums[blockIdx.x] = s[cur][t];
}
template <typename T, template <typename> class Op> __global__ void add_sums(T* out, const T* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] = Op<T>()(sums[blockIdx.x - 1], out[i]);
}
template <typename T, template <typename> class Op> void scan(const T* in, T* out, int n) {
    constexpr int B = 32;
    const int blocks = (n + B - 1) / B;
    if (blocks == 1) { block_scan<T, Op, B><<<1, B>>>(in, out, nullptr, n); return; }
    T* sums; CUDA(cudaMalloc(&sums, blocks * sizeof(T)));
    block_scan<T, Op, B><<<blocks, B>>>(in, out, sums, n);
    CUDA(cudaGetLastError());
    scan<T, Op>(sums, sums, blocks);
    add_sums<T, Op><<<blocks, B>>>(out, sums, n);
    CUDA(cudaFree(sums));
}
template <typename T, template <typename> class Op> bool test(int n) {
    std::vector<T> h(n), want(n), got(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<T>((i * 37) % 101 - 50);
    std::partial_sum(h.begin(), h.end(), want.begin(), Op<T>());
    T *a, *b;
    CUDA(cudaMalloc(&a, n * sizeof(T))); CUDA(cudaMalloc(&b, n * sizeof(T)));
    CUDA(cudaMemcpy(a, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    scan<T, Op>(a, b, n);
    CUDA(cudaMemcpy(got.data(), b, n * sizeof(T), cudaMemcpyDeviceToHost));
    CUDA(cudaFree(a)); CUDA(cudaFree(b));
    return got == want;
}
int main(int argc, char** argv) {
    try {
        for (int n : {1, 31, 32, 33, 1000, 2049}) printf("%5d %s %s %s\n", n, test<int, Plus>(n) ? "ok" : "WRONG", test<int, Max>(n) ? "ok" : "WRONG", test<double, Plus>(n) ? "ok" : "WRONG");
        void* p = nullptr;
        CUDA(cudaMalloc(&p, 1ull << 50));
    } catch (const CudaError& e) {
        printf("%s (%d)\n", e.what(), static_cast<int>(e.code()));
        return e.code() == cudaErrorMemoryAllocation ? 0 : 1;
    } catch (...) { puts("something else"); return 2; }
    return 3;
}
