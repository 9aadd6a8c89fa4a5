#include <cstdio>

__global__ void work(float* p) { p[threadIdx.x] = p[threadIdx.x] * 2 + 1; }

int main() {
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    float* d;
    cudaMalloc(&d, 256 * sizeof(float));
    cudaMemset(d, 0, 256 * sizeof(float));
    cudaEventRecord(start);
    for (int i = 0; i < 3; ++i) work<<<1, 256>>>(d);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    printf("%s\n", ms > 0 && ms < 10000 ? "took a while" : "took no time");
    float h[256];
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%.1f %.1f\n", h[0], h[255]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d);
    return 0;
}
