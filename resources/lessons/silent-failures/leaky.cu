// Ten rounds, each with an array of its own on the device.
//
//   round 0   cudaMalloc
//   round 1   cudaMalloc
//   ...
//   at the end, one cudaFree

#include <cstdio>

__global__ void fill(float* x, float value)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main()
{
    size_t bytes = 1024 * sizeof(float);
    float* d_x = nullptr;
    float first;

    for (int round = 0; round < 10; ++round) {
        cudaMalloc(&d_x, bytes);
        fill<<<4, 256>>>(d_x, round);
        cudaMemcpy(&first, d_x, sizeof first,
                   cudaMemcpyDeviceToHost);
        printf("round %d: %g\n", round, first);
    }

    cudaFree(d_x);
    return 0;
}
