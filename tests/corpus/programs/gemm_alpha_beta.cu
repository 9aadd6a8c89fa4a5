// General matrix products with alpha and beta, naive and tiled; each launch is a lambda that is passed on with std::forward.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#define CUDA_CHECK(call)                                                         \
    do {                                                                         \
        const cudaError_t err__ = (call);                                        \
        if (err__ != cudaSuccess) {                                              \
            std::cerr << __FILE__ << ":" << __LINE__ << " " << #call << ": "     \
                      << cudaGetErrorName(err__) << " (" << cudaGetErrorString(err__) << ")" << std::endl; \
            std::exit(EXIT_FAILURE);                                             \
        }                                                                        \
    } while (false)

template <typename T>
__global__ void gemm_naive(T alpha, const T* __restrict__ A, const T* __restrict__ B, T beta, T* __restrict__ C, int M, int N, int K)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    T acc{};
    for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

template <typename T, int TILE = 16>
__global__ void gemm_tiled(T alpha, const T* __restrict__ A, const T* __restrict__ B, T beta, T* __restrict__ C, int M, int N, int K)
{
    __shared__ T As[TILE][TILE];
    __shared__ T Bs[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    T acc = static_cast<T>(0);
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        const int a_col = t * TILE + tx, b_row = t * TILE + ty;
        As[ty][tx] = (row < M && a_col < K) ? A[row * K + a_col] : T(0);
        Bs[ty][tx] = (b_row < K && col < N) ? B[b_row * N + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t count) : count_(count) { CUDA_CHECK(cudaMalloc(&ptr_, count * sizeof(T))); }
    ~DeviceBuffer() { if (ptr_) cudaFree(ptr_); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    DeviceBuffer(DeviceBuffer&& other) noexcept : ptr_(std::exchange(other.ptr_, nullptr)), count_(other.count_) {}
    void upload(const std::vector<T>& host) { CUDA_CHECK(cudaMemcpy(ptr_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    [[nodiscard]] std::vector<T> download() const {
        std::vector<T> out(count_);
        CUDA_CHECK(cudaMemcpy(out.data(), ptr_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
    operator T*() { return ptr_; }
    T* get() const noexcept { return ptr_; }
private:
    T* ptr_ = nullptr;
    std::size_t count_;
};

struct Result { std::string name; double max_error; bool ok; };

template <typename T, typename F>
Result run(const std::string& name, const std::vector<T>& reference, DeviceBuffer<T>& C, const std::vector<T>& initial, F&& launch)
{
    C.upload(initial);
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start));
    std::forward<F>(launch)();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float ms = 0.f;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (ms < 0) std::cout << "clock runs backwards\n";
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    const auto got = C.download();
    double worst = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) worst = std::max(worst, static_cast<double>(std::abs(got[i] - reference[i])));
    return {name, worst, worst < 1e-3};
}

int main(int argc, char** argv)
{
    int M = 50, N = 37, K = 41;
    if (argc == 4) { M = std::stoi(argv[1]); N = std::stoi(argv[2]); K = std::stoi(argv[3]); }
    std::mt19937 gen(2024u);
    std::uniform_int_distribution<int> dist(-4, 4);
    auto filled = [&](std::size_t n) { std::vector<float> v(n); std::generate(v.begin(), v.end(), [&] { return static_cast<float>(dist(gen)); }); return v; };
    const auto A = filled(M * K), B = filled(K * N), C0 = filled(M * N);
    constexpr float alpha = 0.5f, beta = 2.0f;
    const auto t0 = std::chrono::high_resolution_clock::now();
    std::vector<float> ref(C0);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float s = 0;
            for (int k = 0; k < K; ++k) s += A[i * K + k] * B[k * N + j];
            ref[i * N + j] = alpha * s + beta * C0[i * N + j];
        }
    const std::chrono::duration<double, std::milli> cpu = std::chrono::high_resolution_clock::now() - t0;
    DeviceBuffer<float> dA(A.size()), dB(B.size());
    DeviceBuffer<float> dC = DeviceBuffer<float>(C0.size());
    dA.upload(A);
    dB.upload(B);
    const dim3 block(16, 16), grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    std::vector<Result> results;
    results.push_back(run<float>("naive", ref, dC, C0, [&] { gemm_naive<<<grid, block>>>(alpha, dA.get(), dB.get(), beta, dC.get(), M, N, K); }));
    results.emplace_back(run<float>("tiled<16>", ref, dC, C0, [&] { gemm_tiled<float><<<grid, block>>>(alpha, dA.get(), dB.get(), beta, dC.get(), M, N, K); }));
    const dim3 small(8, 8), grid8((N + 7) / 8, (M + 7) / 8);
    results.push_back(run<float>("tiled<8>", ref, dC, C0, [&] { gemm_tiled<float, 8><<<grid8, small>>>(alpha, dA, dB, beta, dC, M, N, K); }));
    std::cout << std::left << std::setw(12) << "kernel" << std::right << std::setw(12) << "max error" << std::setw(8) << "check" << '\n'
              << std::string(32, '-') << '\n';
    for (const auto& [name, error, ok] : results)
        std::cout << std::left << std::setw(12) << name << std::right << std::setw(12) << std::scientific << std::setprecision(2) << error
                  << std::setw(8) << std::boolalpha << ok << std::defaultfloat << '\n';
    std::cout << (cpu.count() >= 0 ? "timed" : "??") << std::endl;
    return std::all_of(results.begin(), results.end(), [](const Result& r) { return r.ok; }) ? EXIT_SUCCESS : EXIT_FAILURE;
}
