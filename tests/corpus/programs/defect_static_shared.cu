// finds: launch-failed 16
#include <cstdio>

__global__ void large(int* out)
{
    __shared__ int all[20000];
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[31 - threadIdx.x];
}

int main()
{
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    large<<<1, 32>>>(out);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(out);
    cudaEvent_t events[2];
    for (cudaEvent_t& each : events) {
        cudaEventCreateWithFlags(&each, cudaEventDisableTiming);
        cudaEventRecord(each);
    }
    float ms = 0;
    printf("%s\n", cudaGetErrorString(cudaEventElapsedTime(&ms, events[0], events[1])));
    for (cudaEvent_t each : events) cudaEventDestroy(each);
    return 0;
}
