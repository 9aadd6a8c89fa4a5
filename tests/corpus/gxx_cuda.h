// CUDA for a host compiler, to have another word on what the programs of this corpus print: each thread of a block is a thread, blocks run
// one after the other, memory is one. Nothing is checked.
#pragma once
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __inline__ inline
#define __forceinline__ inline
#define __launch_bounds__(...)
struct uint3 { unsigned x, y, z; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
inline thread_local uint3 threadIdx;
inline thread_local uint3 blockIdx;
inline dim3 blockDim, gridDim;
inline std::mutex one_at_a_time;
struct Barrier {
    std::mutex mutex;
    std::condition_variable changed;
    int waiting = 0, round = 0, count = 0;
    void wait() {
        std::unique_lock<std::mutex> lock(mutex);
        int mine = round;
        if (++waiting == count) { waiting = 0; ++round; changed.notify_all(); }
        else changed.wait(lock, [&] { return round != mine; });
    }
    void leave() {
        std::unique_lock<std::mutex> lock(mutex);
        if (--count == waiting && count) { waiting = 0; ++round; changed.notify_all(); }
    }
};
inline Barrier barrier;
inline void __syncthreads() { barrier.wait(); }
template <class T> T atomicAdd(T* p, T v) { std::lock_guard<std::mutex> g(one_at_a_time); T old = *p; *p += v; return old; }
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
template <class T> T __ldg(const T* p) { return *p; }
template <class T> T atomicMin(T* p, T v) { std::lock_guard<std::mutex> g(one_at_a_time); T old = *p; if (v < old) *p = v; return old; }
template <class T> T atomicCAS(T* p, T is, T v) { std::lock_guard<std::mutex> g(one_at_a_time); T old = *p; if (old == is) *p = v; return old; }
constexpr int warpSize = 32;
template <class T> inline T exchanged[1024];
template <class T> T from_lane(T v, int at) {
    unsigned t = threadIdx.x;
    exchanged<T>[t] = v;
    barrier.wait();
    T found = at >= 0 && at < 32 ? exchanged<T>[t - t % 32 + at] : v;
    barrier.wait();
    return found;
}
template <class T> T __shfl_down_sync(unsigned, T v, int by) { return from_lane(v, threadIdx.x % 32 + by); }
template <class T> T __shfl_up_sync(unsigned, T v, int by) { return from_lane(v, threadIdx.x % 32 - by); }

enum cudaError_t {
    cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration = 9, cudaErrorInvalidDevice = 101,
    cudaErrorIllegalAddress = 700
};
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef void* cudaStream_t;
typedef int cudaEvent_t;
inline cudaError_t last;
inline std::string printed;
struct Shape {
    dim3 grid, block;
    Shape(dim3 g, dim3 b, size_t = 0, cudaStream_t = nullptr) : grid(g), block(b) {}
};
inline void launch(Shape s, const std::function<void()>& kernel) {
    if (s.block.x * s.block.y * s.block.z > 1024 || !s.grid.x || !s.grid.y) { last = cudaErrorInvalidConfiguration; return; }
    gridDim = s.grid;
    blockDim = s.block;
    for (unsigned z = 0; z < s.grid.z; ++z) for (unsigned y = 0; y < s.grid.y; ++y) for (unsigned x = 0; x < s.grid.x; ++x) {
        barrier.count = s.block.x * s.block.y * s.block.z;
        std::vector<std::thread> threads;
        for (unsigned k = 0; k < s.block.z; ++k) for (unsigned j = 0; j < s.block.y; ++j) for (unsigned i = 0; i < s.block.x; ++i)
            threads.emplace_back([=, &kernel] { blockIdx = {x, y, z}; threadIdx = {i, j, k}; kernel(); barrier.leave(); });
        for (std::thread& t : threads) t.join();
    }
}
// The blocks of a cooperative launch go on one after the other from one barrier of the grid to the next.
inline std::mutex turns;
inline std::condition_variable turned;
inline unsigned turn;
inline thread_local unsigned mine;
namespace cooperative_groups {
struct grid_group {
    unsigned long long size() const { return gridDim.x * blockDim.x; }
    unsigned long long thread_rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
    void sync() const { barrier.wait(); pass(); await(); }
    static void pass() {
        std::lock_guard<std::mutex> lock(turns);
        mine += gridDim.x;
        if (!threadIdx.x) { ++turn; turned.notify_all(); }
    }
    static void await() {
        std::unique_lock<std::mutex> lock(turns);
        turned.wait(lock, [] { return turn == mine; });
    }
};
inline grid_group this_grid() { return {}; }
}
template <class... A, size_t... I> void given(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
    kernel(*(A*)arguments[I]...);
}
template <class... A> cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(A...), dim3 grid, dim3 block, void** arguments, size_t = 0, cudaStream_t = nullptr) {
    gridDim = grid;
    blockDim = block;
    barrier.count = block.x;
    turn = 0;
    std::vector<std::thread> threads;
    for (unsigned b = 0; b < grid.x; ++b) for (unsigned t = 0; t < block.x; ++t)
        threads.emplace_back([=] {
            blockIdx = {mine = b, 0, 0};
            threadIdx = {t, 0, 0};
            cooperative_groups::grid_group::await();
            given(kernel, arguments, std::index_sequence_for<A...>{});
            barrier.wait();
            cooperative_groups::grid_group::pass();
        });
    for (std::thread& t : threads) t.join();
    return cudaSuccess;
}
template <class T> cudaError_t cudaMalloc(T** p, size_t n) { *p = (T*)calloc(1, n + 1); return cudaSuccess; }
template <class T> cudaError_t cudaMallocManaged(T** p, size_t n) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaMallocHost(T** p, size_t n) { return cudaMalloc(p, n); }
inline cudaError_t cudaFree(void* p) { free(p); return cudaSuccess; }
inline cudaError_t cudaFreeHost(void* p) { free(p); return cudaSuccess; }
inline cudaError_t cudaMemcpy(void* a, const void* b, size_t n, cudaMemcpyKind) { memcpy(a, b, n); return cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void* a, const void* b, size_t n, cudaMemcpyKind, cudaStream_t) { memcpy(a, b, n); return cudaSuccess; }
inline cudaError_t cudaMemset(void* a, int v, size_t n) { memset(a, v, n); return cudaSuccess; }
template <class T> cudaError_t cudaMemcpyToSymbol(T& s, const void* b, size_t n, size_t o = 0) { memcpy((char*)&s + o, b, n); return cudaSuccess; }
template <class T> cudaError_t cudaMemcpyFromSymbol(void* a, T& s, size_t n, size_t o = 0) { memcpy(a, (char*)&s + o, n); return cudaSuccess; }
enum { cudaHostAllocDefault, cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
template <class T> cudaError_t cudaHostAlloc(T** p, size_t n, unsigned) { return cudaMalloc(p, n); }
template <class T> cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t rows) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * rows);
}
inline cudaError_t cudaMemcpy2D(void* a, size_t to, const void* b, size_t from, size_t width, size_t rows, cudaMemcpyKind) {
    for (size_t row = 0; row < rows; ++row) memcpy((char*)a + row * to, (const char*)b + row * from, width);
    return cudaSuccess;
}
inline cudaError_t cudaMemset2D(void* a, size_t pitch, int v, size_t width, size_t rows) {
    for (size_t row = 0; row < rows; ++row) memset((char*)a + row * pitch, v, width);
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { *s = nullptr; return cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned) { return cudaSuccess; }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { cudaError_t e = last; last = cudaSuccess; return e; }
inline cudaError_t cudaPeekAtLastError() { return last; }
inline cudaError_t cudaSetDevice(int d) { return d ? last = cudaErrorInvalidDevice : cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t e) {
    return e == cudaSuccess ? "no error" : e == 1 ? "invalid argument" : e == 9 ? "invalid configuration argument" : e == 101 ? "invalid device ordinal" : "?";
}
inline const char* cudaGetErrorName(cudaError_t e) { return e == cudaSuccess ? "cudaSuccess" : e == 2 ? "cudaErrorMemoryAllocation" : "?"; }
inline cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* p, cudaEvent_t, cudaEvent_t) { *p = 1; return cudaSuccess; }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaStreamCreate(cudaStream_t* s) { *s = nullptr; return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
