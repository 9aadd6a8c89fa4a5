// finds: stale-value 21
// A matrix comes back by elements in place of bytes: three quarters of what is summed are older than the launch.
#include <cstdio>
#include <numeric>
#include <vector>
#include "check.h"

__global__ void twice(int *m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) m[i] *= 2;
}

int main() {
    const int n = 256;
    std::vector<int> m(n, 1);
    int *d;
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMemcpy(d, m.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    twice<<<n / 64, 64>>>(d, n);
    CHECK(cudaMemcpy(m.data(), d, n, cudaMemcpyDeviceToHost));
    printf("%d\n", std::accumulate(m.begin(), m.end(), 0));
    CHECK(cudaFree(d));
    return 0;
}
