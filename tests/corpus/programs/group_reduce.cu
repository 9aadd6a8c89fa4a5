// Sums with cooperative groups: tiles of 32 by shuffles, cg::reduce, a leader that adds; the largest and the smallest on the way.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <climits>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ int by_shuffles(const cg::thread_block_tile<32>& tile, int value)
{
    for (int offset = tile.size() / 2; offset > 0; offset /= 2)
        value += tile.shfl_down(value, offset);
    return value;
}

__global__ void sums(const int* data, int n, int* out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<8>(tile);
    int value = 0, least = INT_MAX;
    for (unsigned i = block.group_index().x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size()) {
        value += data[i];
        least = min(least, data[i]);
    }
    int warp = by_shuffles(tile, value);
    if (tile.thread_rank() == 0)
        atomicAdd(&out[0], warp);
    int eight = cg::reduce(quarter, value, cg::plus<int>());
    if (quarter.thread_rank() == 0)
        atomicAdd(&out[1], eight);
    least = cg::reduce(tile, least, cg::less<int>());
    int most = cg::reduce(tile, value, cg::greater<int>());
    block.sync();
    if (tile.meta_group_rank() == 0 && tile.thread_rank() == 0) {
        atomicMin(&out[2], least);
        atomicMax(&out[3], most);
    }
    unsigned odd = tile.ballot(value & 1);
    if (block.thread_rank() % 32 == 0)
        atomicAdd(&out[4], __popc(odd));
    if (tile.any(value > 1000000) || !tile.all(value < 1000000))
        out[5] = 1;
}

int main()
{
    const int n = 1000;
    int host[n], sum = 0, results[6] = {0, 0, INT_MAX, INT_MIN, 0, 0};
    for (int i = 0; i < n; i++)
        sum += host[i] = (i * 7919) % 613 - 200;
    int *data, *out;
    cudaMalloc(&data, sizeof(host));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(out, results, sizeof(results), cudaMemcpyHostToDevice);
    sums<<<2, 128>>>(data, n, out);
    cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost);
    printf("%d %d %d | %d %d | %d %d\n", sum, results[0], results[1], results[2], results[3], results[4], results[5]);
    cudaFree(data);
    cudaFree(out);
    return sum == results[0] && sum == results[1] ? 0 : 1;
}
