// The sum of many numbers by a tree in shared memory, and how often each of 64 values is met. Given: how many, and how often.
#include <iostream>
#include <vector>
#define BINS 64

__global__ void reduce(const int* data, long long* sums, int n) {
    __shared__ long long partial[256];
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += data[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void histogram(const int* data, unsigned* bins, int n) {
    __shared__ unsigned mine[BINS];
    if (threadIdx.x < BINS) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[data[i] % BINS], 1u);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20, times = argc > 2 ? atoi(argv[2]) : 2, blocks = 512;
    std::vector<int> data(n);
    std::vector<long long> sums(blocks);
    std::vector<unsigned> bins(BINS), counted(BINS);
    long long expected = 0;
    for (int i = 0; i < n; i++) {
        data[i] = rand() % 1000;
        expected += data[i];
        counted[data[i] % BINS] += times;
    }
    int* ddata;
    long long* dsums;
    unsigned* dbins;
    cudaMalloc(&ddata, n * sizeof(int));
    cudaMalloc(&dsums, blocks * sizeof(long long));
    cudaMalloc(&dbins, BINS * sizeof(unsigned));
    cudaMemset(dbins, 0, BINS * sizeof(unsigned));
    cudaMemcpy(ddata, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (int t = 0; t < times; t++) {
        reduce<<<blocks, 256>>>(ddata, dsums, n);
        histogram<<<blocks, 256>>>(ddata, dbins, n);
    }
    cudaMemcpy(sums.data(), dsums, blocks * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(bins.data(), dbins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (long long each : sums) sum += each;
    std::cout << "sum " << sum << (sum == expected ? " right" : " WRONG") << ", bins " << (bins == counted ? "right" : "WRONG") << std::endl;
    cudaFree(ddata);
    cudaFree(dsums);
    cudaFree(dbins);
    return sum != expected || bins != counted;
}
