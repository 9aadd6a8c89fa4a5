#pragma once
// Where a thread stands, for kernels over images.
#include <cuda_runtime.h>

struct Pixel {
    int x, y;
    __device__ __forceinline__ bool inside(int width, int height) const { return x < width && y < height; }
};

__device__ __forceinline__ Pixel this_pixel()
{
    return {.x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), .y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y)};
}

template <typename T> __device__ __forceinline__ T clamped(const T* image, int x, int y, int width, int height)
{
    x = min(max(x, 0), width - 1);
    y = min(max(y, 0), height - 1);
    return image[y * width + x];
}
