// Lets g++ compile a CUDA kernel whose threads do not depend on each other: each thread is one call.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __global__
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
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

template <typename Body> static void launch(uint3 grid, uint3 block, Body body)
{
    gridDim = grid;
    blockDim = block;
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
            for (threadIdx.y = 0; threadIdx.y < block.y; ++threadIdx.y)
                for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x)
                    body();
}
