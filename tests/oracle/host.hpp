// Lets g++ compile a CUDA kernel: each thread is one call, on a stack of its own from where it can wait for the others.
#pragma once
#include <algorithm>
#include <math.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

#define __global__
#define __shared__ static
#define __device__
#define __forceinline__ inline
#define __restrict__
#define __constant__ static const

struct uint3 { unsigned x, y, z; };
static uint3 threadIdx, blockIdx, blockDim, gridDim;

struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) int4 { int x, y, z, w; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(8) float2 { float x, y; };
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }

template <typename To, typename From> static inline To same_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
static inline unsigned __float_as_uint(float value) { return same_bits<unsigned>(value); }
static inline long long __double_as_longlong(double value) { return same_bits<long long>(value); }
static inline float __uint_as_float(unsigned value) { return same_bits<float>(value); }
static inline int __popc(unsigned value) { return __builtin_popcount(value); }
static inline int __clz(int value) { return value ? __builtin_clz(value) : 32; }
static inline int __ffs(int value) { return __builtin_ffs(value); }
static inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
static inline int __mulhi(int a, int b) { return (long long)a * b >> 32; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
template <typename T> static inline T reversed(T value)
{
    T found = 0;
    for (unsigned i = 0; i < 8 * sizeof value; ++i)
        found |= (value >> i & 1) << (8 * sizeof value - 1 - i);
    return found;
}
static inline unsigned __brev(unsigned value) { return reversed(value); }
static inline unsigned long long __brevll(unsigned long long value) { return reversed(value); }
template <typename T> static inline T __ldg(const T* at) { return *at; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

// ---- threads that wait for each other: all threads of a block reach each place where they meet

struct Fiber { ucontext_t context; uint3 thread; bool ended; unsigned long long brought; };
static const int MOST_THREADS = 64;
static Fiber fibers[MOST_THREADS];
static char stacks[MOST_THREADS][1 << 18];
static ucontext_t scheduler;
static int running, threads;

static void meet() { swapcontext(&fibers[running].context, &scheduler); }
static void __syncthreads() { meet(); }
static void __syncwarp(unsigned = ~0u) { meet(); }

template <typename T> static T of_thread(T own, int number)
{
    memcpy(&fibers[running].brought, &own, sizeof own);
    meet();
    memcpy(&own, &fibers[number].brought, sizeof own);
    meet();
    return own;
}
template <typename T> static T of_lane(T own, int within, int width)
{
    return of_thread(own, within < 0 || within >= width ? running : running / width * width + within);
}
template <typename T> static T __shfl_sync(unsigned, T own, int from, int width = 32) { return of_lane(own, from & (width - 1), width); }
template <typename T> static T __shfl_up_sync(unsigned, T own, int by, int width = 32) { return of_lane(own, running % width - by, width); }
template <typename T> static T __shfl_down_sync(unsigned, T own, int by, int width = 32) { return of_lane(own, running % width + by, width); }
template <typename T> static T __shfl_xor_sync(unsigned, T own, int by, int width = 32) { return of_lane(own, running % width ^ by, width); }

static unsigned long long votes(bool own, int width)
{
    fibers[running].brought = own;
    meet();
    unsigned long long all = 0;
    for (int i = 0; i < width; ++i)
        all |= fibers[running / width * width + i].brought << i;
    meet();
    return all;
}
static unsigned __ballot_sync(unsigned, int own) { return votes(own, 32); }
static int __any_sync(unsigned, int own) { return votes(own, 32) != 0; }
static int __all_sync(unsigned, int own) { return votes(own, 32) == 0xffffffff; }
static int __syncthreads_count(int own) { return __builtin_popcountll(votes(own, MOST_THREADS)); }
static int __syncthreads_or(int own) { return votes(own, MOST_THREADS) != 0; }
static int __syncthreads_and(int own) { return votes(own, MOST_THREADS) == ~0ull; }

template <typename T, typename Change> static T atomically(T* at, Change change)
{
    T old = *at;
    *at = change(old);
    return old;
}
template <typename T> static T atomicAdd(T* at, T by) { return atomically(at, [=](T old) { return old + by; }); }
template <typename T> static T atomicSub(T* at, T by) { return atomically(at, [=](T old) { return old - by; }); }
template <typename T> static T atomicMin(T* at, T by) { return atomically(at, [=](T old) { return std::min(old, by); }); }
template <typename T> static T atomicMax(T* at, T by) { return atomically(at, [=](T old) { return std::max(old, by); }); }
template <typename T> static T atomicAnd(T* at, T by) { return atomically(at, [=](T old) { return old & by; }); }
template <typename T> static T atomicOr(T* at, T by) { return atomically(at, [=](T old) { return old | by; }); }
template <typename T> static T atomicXor(T* at, T by) { return atomically(at, [=](T old) { return old ^ by; }); }
template <typename T> static T atomicExch(T* at, T by) { return atomically(at, [=](T) { return by; }); }
template <typename T> static T atomicCAS(T* at, T is, T by) { return atomically(at, [=](T old) { return old == is ? by : old; }); }
static unsigned atomicInc(unsigned* at, unsigned most) { return atomically(at, [=](unsigned old) { return old >= most ? 0 : old + 1; }); }

namespace cooperative_groups {
struct thread_block {
    void sync() const { meet(); }
    unsigned thread_rank() const { return running; }
    unsigned size() const { return threads; }
};
template <int N> struct thread_block_tile {
    void sync() const { meet(); }
    unsigned thread_rank() const { return running % N; }
    unsigned size() const { return N; }
    unsigned meta_group_rank() const { return running / N; }
    template <typename T> T shfl(T own, int from) const { return __shfl_sync(~0u, own, from, N); }
    template <typename T> T shfl_up(T own, int by) const { return __shfl_up_sync(~0u, own, by, N); }
    template <typename T> T shfl_down(T own, int by) const { return __shfl_down_sync(~0u, own, by, N); }
    template <typename T> T shfl_xor(T own, int by) const { return __shfl_xor_sync(~0u, own, by, N); }
    int any(int own) const { return votes(own, N) != 0; }
    int all(int own) const { return votes(own, N) == (1ull << N) - 1; }
    unsigned ballot(int own) const { return votes(own, N); }
};
static thread_block this_thread_block() { return {}; }
template <int N> static thread_block_tile<N> tiled_partition(thread_block) { return {}; }
}

template <typename Body> static void launch(uint3 grid, uint3 block, Body body)
{
    static Body* kernel;
    kernel = &body;
    gridDim = grid;
    blockDim = block;
    threads = block.x;
    for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
        for (int i = 0; i < threads; ++i) {
            getcontext(&fibers[i].context);
            fibers[i].context.uc_stack.ss_sp = stacks[i];
            fibers[i].context.uc_stack.ss_size = sizeof stacks[i];
            fibers[i].context.uc_link = &scheduler;
            makecontext(&fibers[i].context, [] { (*kernel)(); fibers[running].ended = true; }, 0);
            fibers[i].thread = {unsigned(i), 0, 0};
            fibers[i].ended = false;
        }
        for (bool going = true; going;) {
            going = false;
            for (running = 0; running < threads; ++running) {
                if (fibers[running].ended)
                    continue;
                threadIdx = fibers[running].thread;
                swapcontext(&scheduler, &fibers[running].context);
                going |= !fibers[running].ended;
            }
        }
    }
}
