// arguments: 4000
// Pi from points that the host's rand chose; the device counts those within the circle.
#include <stdio.h>
#include <stdlib.h>

__global__ void inside(const int *x, const int *y, int n, unsigned *hits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (long long)x[i] * x[i] + (long long)y[i] * y[i] <= 32767LL * 32767LL) atomicAdd(hits, 1u);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(int);
    int *x = (int *)malloc(bytes), *y = (int *)malloc(bytes), *dx, *dy;
    unsigned *dhits, hits = 0;
    srand(42);
    for (int i = 0; i < n; ++i) {
        x[i] = rand() % 32768;
        y[i] = rand() % 32768;
    }
    cudaMalloc((void **)&dx, bytes);
    cudaMalloc((void **)&dy, bytes);
    cudaMalloc((void **)&dhits, sizeof hits);
    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
    cudaMemset(dhits, 0, sizeof hits);
    inside<<<(n + 127) / 128, 128>>>(dx, dy, n, dhits);
    cudaMemcpy(&hits, dhits, sizeof hits, cudaMemcpyDeviceToHost);
    printf("%u of %d: %.4f\n", hits, n, 4.0 * hits / n);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dhits);
    free(x);
    free(y);
    return 0;
}
