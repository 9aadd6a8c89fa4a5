// 256 bins: a histogram a block in shared memory, four values a load; then one kernel adds the blocks' histograms up.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>

typedef unsigned int uint;
typedef unsigned char uchar;

#define HISTOGRAM256_BIN_COUNT 256
#define UINT_BITS 32

inline __device__ void addByte(uint* s_Hist, uint data) { atomicAdd(s_Hist + data, 1); }

inline __device__ void addWord(uint* s_Hist, uint data)
{
    addByte(s_Hist, (data >> 0) & 0xFFU);
    addByte(s_Hist, (data >> 8) & 0xFFU);
    addByte(s_Hist, (data >> 16) & 0xFFU);
    addByte(s_Hist, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(uint* d_PartialHistograms, const uint* d_Data, uint dataCount)
{
    __shared__ uint s_Hist[HISTOGRAM256_BIN_COUNT];
    for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += blockDim.x)
        s_Hist[bin] = 0;
    __syncthreads();

    for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < dataCount; pos += blockDim.x * gridDim.x)
        addWord(s_Hist, d_Data[pos]);
    __syncthreads();

    for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += blockDim.x)
        d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = s_Hist[bin];
}

#define MERGE_THREADBLOCK_SIZE 64

__global__ void mergeHistogram256Kernel(uint* d_Histogram, uint* d_PartialHistograms, uint histogramCount)
{
    uint sum = 0;
    for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE)
        sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];

    __shared__ uint data[MERGE_THREADBLOCK_SIZE];
    data[threadIdx.x] = sum;
    for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride)
            data[threadIdx.x] += data[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        d_Histogram[blockIdx.x] = data[0];
}

int main()
{
    const size_t bytes = 1 << 20;
    uint *d_Data, *d_Partial, *d_Histogram;
    cudaMalloc((void**)&d_Data, bytes);
    cudaMalloc((void**)&d_Partial, 240 * HISTOGRAM256_BIN_COUNT * sizeof(uint));
    cudaMalloc((void**)&d_Histogram, HISTOGRAM256_BIN_COUNT * sizeof(uint));
    uint8_t* data = static_cast<uint8_t*>(malloc(bytes));
    std::generate(data, data + bytes, [] { return static_cast<uint8_t>(rand() % 256); });
    cudaMemcpy(d_Data, data, bytes, cudaMemcpyHostToDevice);
    histogram256Kernel<<<240, 192>>>(d_Partial, d_Data, (uint)(bytes / sizeof(uint)));
    mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(d_Histogram, d_Partial, 240);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
