// Statistics of rows with cooperative groups: reduce with plus, less and greater, tiles of 16, a scan by shuffles, a vote.
#include <climits>
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "check.h"

namespace cg = cooperative_groups;

struct Summary {
    int least, largest, sum, positive;
    unsigned bits;
};

__device__ int inclusive_scan(const cg::thread_block_tile<16>& tile, int x)
{
    for (int d = 1; d < tile.num_threads(); d *= 2) {
        int below = tile.shfl_up(x, d);
        if (tile.thread_rank() >= d)
            x += below;
    }
    return x;
}

__global__ void summarise(const int* data, int rows, int width, Summary* out, int* running)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int row = block.group_index().x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= rows)
        return;
    int least = INT_MAX, largest = INT_MIN, sum = 0, positive = 0, carry = 0;
    unsigned bits = 0;
    for (int begin = 0; begin < width; begin += tile.size()) {
        int i = begin + tile.thread_rank();
        int x = i < width ? data[row * width + i] : 0;
        positive += __popc(tile.ballot(i < width && x > 0));
        if (i < width) {
            least = min(least, x);
            largest = max(largest, x);
            bits |= 1u << (x & 31);
        }
        int scanned = carry + inclusive_scan(tile, x);
        if (i < width)
            running[row * width + i] = scanned;
        carry = tile.shfl(scanned, tile.size() - 1);
        sum += x;
    }
    Summary s;
    s.least = cg::reduce(tile, least, cg::less<int>());
    s.largest = cg::reduce(tile, largest, cg::greater<int>());
    s.sum = cg::reduce(tile, sum, cg::plus<int>());
    s.bits = cg::reduce(tile, bits, cg::bit_or<unsigned>());
    s.positive = positive;
    if (tile.thread_rank() == 0)
        out[row] = s;
}

int main()
{
    const int rows = 7, width = 37;
    std::vector<int> host(rows * width), scans(rows * width);
    unsigned state = 12345;
    for (int& x : host) {
        state = state * 1664525u + 1013904223u;
        x = static_cast<int>(state >> 24) - 128;
    }
    int *data, *running;
    Summary* out;
    CHECK(cudaMalloc(&data, host.size() * sizeof(int)));
    CHECK(cudaMalloc(&running, host.size() * sizeof(int)));
    CHECK(cudaMalloc(&out, rows * sizeof(Summary)));
    CHECK(cudaMemcpy(data, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
    summarise<<<(rows + 3) / 4, 64>>>(data, rows, width, out, running);
    CHECK(cudaGetLastError());
    std::vector<Summary> found(rows);
    CHECK(cudaMemcpy(found.data(), out, rows * sizeof(Summary), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(scans.data(), running, scans.size() * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        int sum = 0;
        for (int i = 0; i < width; ++i) {
            sum += host[r * width + i];
            wrong += scans[r * width + i] != sum;
        }
        wrong += sum != found[r].sum;
        printf("row %d: %4d to %4d, sum %5d, %d positive, %08x\n", r, found[r].least, found[r].largest, found[r].sum,
               found[r].positive, found[r].bits);
    }
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(data));
    CHECK(cudaFree(running));
    CHECK(cudaFree(out));
    return wrong;
}
