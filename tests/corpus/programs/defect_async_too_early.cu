// finds: accessed-too-early 14
#include <stdio.h>

__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x + 1; }

int main() {
    int *host, *device;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&host, 32 * sizeof(int));
    cudaMalloc(&device, 32 * sizeof(int));
    fill<<<1, 32, 0, stream>>>(device);
    cudaMemcpyAsync(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    int early = host[31];
    cudaStreamSynchronize(stream);
    printf("%d\n", host[31] + 0 * early);
    cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFree(device);
    return 0;
}
