// Layers normalised four values at a time, with the operators of helper_math.h written out, and templates instantiated by the host.
#include <cuda_runtime.h>
#include "cutil_math.h"

inline __host__ __device__ float4 make_float4(float s) { return make_float4(s, s, s, s); }
inline __host__ __device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ float4 operator-(float4 a, float b) { return make_float4(a.x - b, a.y - b, a.z - b, a.w - b); }
inline __host__ __device__ float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
inline __host__ __device__ float4 operator*(float4 a, float b) { return make_float4(a.x * b, a.y * b, a.z * b, a.w * b); }
inline __host__ __device__ void operator+=(float4& a, float4 b) { a = a + b; }
inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ float sum(float4 a) { return (a.x + a.y) + (a.z + a.w); }

template <int THREADS> __device__ float block_sum(float value)
{
    static_assert(THREADS % 32 == 0, "whole warps");
    __shared__ float parts[THREADS / 32];
    auto across = [](float v, int width = 32) {
#pragma unroll
        for (int offset = width / 2; offset; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
        return v;
    };
    value = across(value);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (float part : parts) value += part;
    __syncthreads();
    return value;
}

template <typename Vec, int THREADS>
__global__ void __launch_bounds__(THREADS) layernorm(const Vec* __restrict__ in, const Vec* __restrict__ gamma, Vec* __restrict__ out,
                                                     int vectors, float eps = 1e-5f)
{
    in += blockIdx.x * vectors, out += blockIdx.x * vectors;
    Vec total = make_float4(0.0f);
    for (int i = threadIdx.x; i < vectors; i += THREADS) total += in[i];
    const float mean = block_sum<THREADS>(sum(total)) / (4 * vectors);
    float squares = 0;
    for (int i = threadIdx.x; i < vectors; i += THREADS) {
        const Vec d = in[i] - mean;
        squares += dot(d, d);
    }
    const float scale = rsqrtf(block_sum<THREADS>(squares) / (4 * vectors) + eps);
    for (int i = threadIdx.x; i < vectors; i += THREADS) out[i] = (in[i] - mean) * scale * gamma[i];
}

template <typename T> void launch(const T* in, const T* gamma, T* out, int rows, int columns)
{
    auto* kernel = columns > 1024 ? &layernorm<float4, 256> : &layernorm<float4, 64>;
    kernel<<<rows, columns > 1024 ? 256 : 64>>>((const float4*)in, (const float4*)gamma, (float4*)out, columns / 4, 1e-5f);
}
template void launch<float>(const float*, const float*, float*, int, int);
