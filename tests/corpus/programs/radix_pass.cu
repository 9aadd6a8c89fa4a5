// A radix sort of eight bits, one bit a pass: flags, a scan on the host, a scatter.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void flags(const unsigned *in, int *zero, int bit, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) zero[i] = !(in[i] >> bit & 1);
}

__global__ void scatter(const unsigned *in, unsigned *out, const int *before, int bit, int zeros, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int place = in[i] >> bit & 1 ? zeros + i - before[i] : before[i];
    out[place] = in[i];
}

int main() {
    const int n = 90, block = 32, grid = (n + block - 1) / block;
    std::vector<unsigned> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 37u % 251u;
    std::vector<unsigned> expected = values;
    std::sort(expected.begin(), expected.end());
    unsigned *a, *b;
    int *counts;
    cudaMalloc(&a, n * sizeof(unsigned));
    cudaMalloc(&b, n * sizeof(unsigned));
    cudaMalloc(&counts, n * sizeof(int));
    cudaMemcpy(a, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    std::vector<int> zero(n);
    for (int bit = 0; bit < 8; ++bit) {
        flags<<<grid, block>>>(a, counts, bit, n);
        cudaMemcpy(zero.data(), counts, n * sizeof(int), cudaMemcpyDeviceToHost);
        int zeros = 0;
        for (int i = 0; i < n; ++i) {
            int mine = zero[i];
            zero[i] = zeros;
            zeros += mine;
        }
        cudaMemcpy(counts, zero.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        scatter<<<grid, block>>>(a, b, counts, bit, zeros, n);
        std::swap(a, b);
    }
    cudaMemcpy(values.data(), a, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    printf("%s: %u %u %u\n", values == expected ? "sorted" : "wrong", values[0], values[n / 2], values[n - 1]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(counts);
}
