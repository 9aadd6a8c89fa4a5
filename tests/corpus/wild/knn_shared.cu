// The nearest of many points for each query: tiles of points in dynamic shared memory, cast to the type of the template.
#include <limits>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <fmt/core.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = true)
{
    if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); }
}

template <typename T> struct SharedMemory {
    __device__ inline operator T*()
    {
        extern __shared__ int __smem[];
        return (T*)__smem;
    }
};

template <typename T, int DIM> struct Point {
    T at[DIM];
    __device__ T distance(const Point& other) const
    {
        T total{};
#pragma unroll
        for (int d = 0; d < DIM; ++d) total += (at[d] - other.at[d]) * (at[d] - other.at[d]);
        return total;
    }
};

template <typename T, int DIM>
__global__ void nearest(const Point<T, DIM>* queries, int n_queries, const Point<T, DIM>* points, int n_points, int* best_index, T* best)
{
    Point<T, DIM>* tile = SharedMemory<Point<T, DIM>>();
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = q < n_queries;
    Point<T, DIM> query = {};
    if (valid) query = queries[q];
    T smallest = std::numeric_limits<T>::max();
    int index = -1;
    for (int base = 0; base < n_points; base += blockDim.x) {
        const int count = min(static_cast<int>(blockDim.x), n_points - base);
        if (static_cast<int>(threadIdx.x) < count) tile[threadIdx.x] = points[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; valid && i < count; i++) {
            if (const T d = query.distance(tile[i]); d < smallest) {
                smallest = d;
                index = base + i;
            }
        }
        __syncthreads();
    }
    if (valid) best_index[q] = index, best[q] = smallest;
}

template <typename T> int run(size_t bytes)
{
    const auto kernel = nearest<T, 3>;
    gpuErrchk(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    void* args[] = {nullptr};
    gpuErrchk(cudaLaunchKernel((const void*)kernel, dim3(1), dim3(128), args, bytes, 0));
    return fmt::print("{}\n", bytes), 0;
}

int main() { return run<float>(128 * sizeof(Point<float, 3>)) + run<double>(49152); }
