// A sum by cooperative groups: a tile's reduction is a template of the group's type.
#include <cooperative_groups.h>
#include <cstdio>
using namespace cooperative_groups;

template <typename Group> __device__ int reduce_sum(Group g, int* temp, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync(); // wait for all threads to store
        if (lane < i) val += temp[lane + i];
        g.sync(); // wait for all threads to load
    }
    return val;
}

__device__ int thread_sum(int* input, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 in = ((int4*)input)[i];
        sum += in.x + in.y + in.z + in.w;
    }
    return sum;
}

__global__ void sum_kernel_block(int* sum, int* input, int n)
{
    int my_sum = thread_sum(input, n);
    extern __shared__ int temp[];
    auto g = this_thread_block();
    int block_sum = reduce_sum(g, temp, my_sum);
    if (g.thread_rank() == 0) atomicAdd(sum, block_sum);
}

template <int tile_sz> __device__ int reduce_sum_tile_shfl(thread_block_tile<tile_sz> g, int val)
{
    for (int i = g.size() / 2; i > 0; i /= 2)
        val += g.shfl_down(val, i);
    return val; // only thread 0 returns the full sum
}

template <int tile_sz> __global__ void sum_kernel_tile_shfl(int* sum, int* input, int n)
{
    int my_sum = thread_sum(input, n);
    auto tile = tiled_partition<tile_sz>(this_thread_block());
    int tile_sum = reduce_sum_tile_shfl<tile_sz>(tile, my_sum);
    if (tile.thread_rank() == 0) atomicAdd(sum, tile_sum);
}

int main()
{
    int n = 1 << 24, blockSize = 256, nBlocks = (n + blockSize - 1) / blockSize;
    int sharedBytes = blockSize * sizeof(int);
    int *sum, *data;
    cudaMallocManaged(&sum, sizeof(int));
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) data[i] = 1;
    cudaMemset(sum, 0, sizeof(int));
    sum_kernel_block<<<nBlocks, blockSize, sharedBytes>>>(sum, data, n);
    sum_kernel_tile_shfl<16><<<nBlocks, blockSize>>>(sum, data, n);
    cudaDeviceSynchronize();
    printf("%d\n", *sum);
}
