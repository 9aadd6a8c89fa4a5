// Chunks through streams: pinned memory, asynchronous copies, an event after each chunk, one stream that waits for the others.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static const char* name_of(cudaError_t e) { return cudaGetErrorString(e); }
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { std::printf("%s -> %s\n", #x, name_of(e_)); std::exit(1); } } while (false)

constexpr int STREAMS = 3, CHUNKS = 7, CHUNK = 256;

__global__ void polynomial(float* data, int n, float a, float b, float c)
{
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const float x = data[i];
        data[i] = fmaf(fmaf(a, x, b), x, c);
    }
}

__global__ void total(const float* data, int n, float* out)
{
    extern __shared__ float part[];
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine += data[i];
    part[threadIdx.x] = mine;
    for (int width = blockDim.x >> 1; width; width >>= 1) {
        __syncthreads();
        if (threadIdx.x < width)
            part[threadIdx.x] += part[threadIdx.x + width];
    }
    if (!threadIdx.x)
        *out = part[0];
}

int main()
{
    const size_t bytes = CHUNKS * CHUNK * sizeof(float);
    float *host, *sums, *device, *device_sum;
    CK(cudaHostAlloc(&host, bytes, cudaHostAllocDefault));
    CK(cudaMallocHost(&sums, sizeof(float)));
    CK(cudaMalloc(&device, bytes));
    CK(cudaMalloc(&device_sum, sizeof(float)));
    for (int i = 0; i < CHUNKS * CHUNK; ++i)
        host[i] = (i % 16) * 0.25f;
    cudaStream_t streams[STREAMS], last;
    cudaEvent_t done[CHUNKS], begin, end;
    for (auto& stream : streams)
        CK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CK(cudaStreamCreate(&last));
    for (auto& event : done)
        CK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CK(cudaEventCreate(&begin));
    CK(cudaEventCreate(&end));
    CK(cudaEventRecord(begin, 0));
    for (int c = 0; c < CHUNKS; ++c) {
        cudaStream_t stream = streams[c % STREAMS];
        float *from = host + c * CHUNK, *to = device + c * CHUNK;
        CK(cudaMemcpyAsync(to, from, CHUNK * sizeof(float), cudaMemcpyHostToDevice, stream));
        polynomial<<<CHUNK / 64, 64, 0, stream>>>(to, CHUNK, 1.0f, -2.0f, 0.5f * c);
        CK(cudaMemcpyAsync(from, to, CHUNK * sizeof(float), cudaMemcpyDeviceToHost, stream));
        CK(cudaEventRecord(done[c], stream));
        CK(cudaStreamWaitEvent(last, done[c], 0));
    }
    total<<<1, 128, 128 * sizeof(float), last>>>(device, CHUNKS * CHUNK, device_sum);
    CK(cudaMemcpyAsync(sums, device_sum, sizeof(float), cudaMemcpyDeviceToHost, last));
    CK(cudaEventRecord(end, last));
    CK(cudaEventSynchronize(end));
    printf("last chunk %s\n", cudaEventQuery(done[CHUNKS - 1]) == cudaSuccess ? "done" : "open");
    float ms = -1;
    CK(cudaEventElapsedTime(&ms, begin, end));
    double expected = 0;
    for (int i = 0; i < CHUNKS * CHUNK; ++i)
        expected += host[i];
    printf("%.3f %.3f %s\n", *sums, expected, ms >= 0 ? "timed" : "not timed");
    for (int c = 0; c < CHUNKS; ++c)
        printf("%6.4f%c", host[c * CHUNK + 13], c + 1 < CHUNKS ? ' ' : '\n');
    for (auto stream : streams) {
        CK(cudaStreamSynchronize(stream));
        CK(cudaStreamDestroy(stream));
    }
    CK(cudaStreamDestroy(last));
    for (auto event : done)
        CK(cudaEventDestroy(event));
    CK(cudaEventDestroy(begin));
    CK(cudaEventDestroy(end));
    CK(cudaFreeHost(host));
    CK(cudaFreeHost(sums));
    CK(cudaFree(device));
    CK(cudaFree(device_sum));
}
