#include <cstdio>
#include <cstdlib>

__global__ void triple(int* p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 3;
}

int main() {
    const int parts = 4, each = 100;
    int* h;
    cudaMallocHost(&h, parts * each * sizeof(int));
    for (int i = 0; i < parts * each; ++i) h[i] = i;
    int* d;
    cudaMalloc(&d, parts * each * sizeof(int));
    cudaStream_t streams[parts];
    for (int s = 0; s < parts; ++s) cudaStreamCreate(&streams[s]);
    for (int s = 0; s < parts; ++s) {
        int at = s * each;
        cudaMemcpyAsync(d + at, h + at, each * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
        triple<<<2, 64, 0, streams[s]>>>(d + at, each);
        cudaMemcpyAsync(h + at, d + at, each * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
    }
    for (cudaStream_t s : streams) {
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    int wrong = 0;
    for (int i = 0; i < parts * each; ++i) wrong += h[i] != 3 * i;
    printf("%d wrong, last %d\n", wrong, h[parts * each - 1]);
    cudaFree(d);
    cudaFreeHost(h);
    return wrong;
}
