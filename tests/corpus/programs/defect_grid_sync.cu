// finds: launch-failed 19, launch-failed 22, leak 16
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void turn(int* data) {
    cg::grid_group grid = cg::this_grid();
    int mine = data[grid.size() - 1 - grid.thread_rank()];
    grid.sync();
    data[grid.thread_rank()] = mine;
}

int main() {
    int* d;
    cudaMalloc(&d, 8192 * 64 * sizeof(int));
    cudaMemset(d, 0, 8192 * 64 * sizeof(int));
    void* arguments[] = {&d};
    cudaError_t error = cudaLaunchCooperativeKernel((void*)turn, dim3(8192), dim3(64), arguments);
    printf("%s\n", cudaGetErrorString(error));
    cudaGetLastError();
    turn<<<4, 64>>>(d);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(d);
}
