// Compaction of an array: a scan of warps by shuffles, of blocks by shared memory, of the grid by a second launch; checked with std::copy_if.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <iterator>
#include <vector>

#define FULL 0xffffffffu
static constexpr int THREADS = 128;

__device__ inline int lane_id() { return threadIdx.x & (warpSize - 1); }

__device__ int warp_inclusive(int value)
{
#pragma unroll
    for (int by = 1; by < 32; by <<= 1) {
        int other = __shfl_up_sync(FULL, value, by);
        if (lane_id() >= by)
            value += other;
    }
    return value;
}

__device__ int block_exclusive(int value, int& total)
{
    __shared__ int warps[THREADS / 32];
    int inclusive = warp_inclusive(value);
    if (lane_id() == 31)
        warps[threadIdx.x / 32] = inclusive;
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < THREADS / 32; ++w) {
        if (w < threadIdx.x / 32)
            before += warps[w];
        all += warps[w];
    }
    total = all;
    return before + inclusive - value;
}

__global__ void count(const int* in, int n, int* counts)
{
    int i = blockIdx.x * THREADS + threadIdx.x, total;
    block_exclusive(i < n && in[i] % 3 == 0, total);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = total;
}

__global__ void write(const int* in, int n, const int* first, int* out)
{
    int i = blockIdx.x * THREADS + threadIdx.x, total;
    bool keep = i < n && in[i] % 3 == 0;
    int at = block_exclusive(keep, total);
    if (keep)
        out[first[blockIdx.x] + at] = in[i];
}

int main()
{
    const int n = 777, blocks = (n + THREADS - 1) / THREADS;
    std::vector<int> in(n), counts(blocks), first(blocks + 1), expected;
    for (int i = 0; i < n; ++i)
        in[i] = i * i % 1009;
    int *d_in, *d_counts, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_counts, blocks * sizeof(int));
    cudaMemcpy(d_in, &in[0], n * sizeof(int), cudaMemcpyHostToDevice);
    count<<<blocks, THREADS>>>(d_in, n, d_counts);
    cudaMemcpy(&counts[0], d_counts, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; ++b)
        first[b + 1] = first[b] + counts[b];
    cudaMalloc(&d_out, first.back() * sizeof(int));
    cudaMemcpy(d_counts, first.data(), blocks * sizeof(int), cudaMemcpyHostToDevice);
    write<<<blocks, THREADS>>>(d_in, n, d_counts, d_out);
    std::vector<int> out(first.back());
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](int x) { return x % 3 == 0; });
    printf("%zu of %d, %s\n", out.size(), n, out == expected ? "equal" : "different");
    std::sort(out.begin(), out.end(), std::greater<int>());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    for (size_t i = 0; i < out.size(); i += 25)
        printf("%d ", out[i]);
    printf("\n");
    cudaFree(d_in);
    cudaFree(d_counts);
    cudaFree(d_out);
}
