// Blocks relax a line of cells and meet after every step; then a sum over all of them, in one cooperative launch.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void relax(float* a, float* b, float* total, int n, int steps) {
    cg::grid_group grid = cg::this_grid();
    __shared__ float part[64];
    for (int step = 0; step < steps; ++step) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i > 0 ? a[i - 1] : 0, right = i < n - 1 ? a[i + 1] : 0;
            b[i] = 0.5f * a[i] + 0.25f * (left + right);
        }
        grid.sync();
        float* c = a;
        a = b;
        b = c;
    }
    int t = threadIdx.x;
    part[t] = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) part[t] += a[i];
    __syncthreads();
    for (int by = blockDim.x / 2; by > 0; by /= 2) {
        if (t < by) part[t] += part[t + by];
        __syncthreads();
    }
    if (t == 0) total[blockIdx.x] = part[0];
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int k = 1; k < gridDim.x; ++k) total[0] += total[k];
}

int main() {
    const int n = 500;
    int steps = 7, count = n;
    float h[n], *a, *b, *total, sum;
    for (int i = 0; i < n; ++i) h[i] = i % 16;
    cudaMalloc(&a, sizeof(h));
    cudaMalloc(&b, sizeof(h));
    cudaMalloc(&total, 4 * sizeof(float));
    cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
    void* arguments[] = {&a, &b, &total, &count, &steps};
    cudaError_t error = cudaLaunchCooperativeKernel(relax, dim3(4), dim3(64), arguments);
    printf("%s\n", cudaGetErrorString(error));
    cudaMemcpy(&sum, total, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%.3f %.4f %.4f\n", sum, h[0], h[250]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(total);
}
