// finds: kernel 8
// A guard that lets one thread too many in: the kernel writes behind the array, after a table of hashes has been asked.
#include <cstdio>
#include <unordered_map>
#include <vector>
#include "check.h"

__global__ void set(int *p, int n) { if (threadIdx.x <= n) p[threadIdx.x] = threadIdx.x; }

int main() {
    std::unordered_map<int, int> table = {{1, 10}, {2, 20}};
    int *d;
    CHECK(cudaMalloc(&d, 8 * sizeof(int)));
    set<<<1, 32>>>(d, 8);
    cudaDeviceSynchronize();
    cudaGetLastError();
    std::vector<int> h(8);
    CHECK(cudaMemcpy(h.data(), d, 8 * sizeof(int), cudaMemcpyDeviceToHost));
    auto it = table.find(2);
    printf("%d %d %d\n", it->second, h[7], (int)table.count(3));
    CHECK(cudaFree(d));
    return 0;
}
