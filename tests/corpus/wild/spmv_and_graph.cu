// Sparse matrix times vector with a warp a row, and one level of a breadth-first search with a queue.
#include <cuda_runtime.h>
#include <vector>
#include <limits.h>

template <typename index_t, typename value_t> struct csr_matrix {
    index_t rows;
    const index_t* offsets;
    const index_t* columns;
    const value_t* values;
};

__global__ void spmv_vector(const int num_rows, const int* ptr, const int* indices, const float* data, const float* x, float* y)
{
    int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    int warp_id = thread_id / 32;
    int lane = thread_id & (32 - 1);
    int row = warp_id;
    if (row < num_rows) {
        float sum = 0;
        for (int jj = ptr[row] + lane; jj < ptr[row + 1]; jj += 32)
            sum += data[jj] * x[indices[jj]];
        sum += __shfl_down_sync(0xFFFFFFFF, sum, 16);
        sum += __shfl_down_sync(0xFFFFFFFF, sum, 8);
        sum += __shfl_down_sync(0xFFFFFFFF, sum, 4);
        sum += __shfl_down_sync(0xFFFFFFFF, sum, 2);
        sum += __shfl_down_sync(0xFFFFFFFF, sum, 1);
        if (lane == 0)
            y[row] = sum;
    }
}

__global__ void bfs_level(const int* offsets, const int* edges, int* distance, const int* frontier, int frontier_size, int* next,
                          int* next_size, int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size)
        return;
    int node = frontier[i];
    for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
        int neighbour = edges[e];
        if (atomicCAS(&distance[neighbour], INT_MAX, level) == INT_MAX) {
            int position = atomicAdd(next_size, 1);
            next[position] = neighbour;
        }
    }
}

int main()
{
    std::vector<int> offsets = {0, 2, 3, 4}, columns = {0, 1, 1, 2};
    int* device;
    if (cudaMalloc(&device, offsets.size() * sizeof(int)) != cudaSuccess)
        return 1;
    spmv_vector<<<1, 96>>>(3, device, device, nullptr, nullptr, nullptr);
    return cudaDeviceSynchronize();
}
