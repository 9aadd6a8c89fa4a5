// finds: launch-failed 31
// Launches by a macro that asks for errors, of the host and of kernels alike.
#include <cstdio>
#include "check.h"

#define LAUNCH(kernel, grid, block, ...)                                        \
    do {                                                                        \
        kernel<<<grid, block>>>(__VA_ARGS__);                                   \
        cudaError_t launched = cudaGetLastError();                              \
        if (launched != cudaSuccess)                                            \
            printf("%s: %s\n", #kernel, cudaGetErrorString(launched));          \
    } while (0)
#define BLOCKS(n, size) (((n) + (size) - 1) / (size))
#define EACH(n) <<<BLOCKS(n, 32), 32>>>

__global__ void twice(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= 2;
}

__global__ void rows(int* data, int width)
{
    int* mine = data + threadIdx.x * width;
    if (threadIdx.x % 2 == 0) {
        LAUNCH(twice, BLOCKS(width, 32), 32, mine, width);
    } else {
        twice EACH(width)(mine, width);
    }
    LAUNCH(twice, 1, 5000, mine, width);
}

int main()
{
    const int height = 2, width = 50;
    int host[height * width], *data;
    for (int i = 0; i < height * width; ++i)
        host[i] = i;
    CHECK(cudaMalloc(&data, sizeof(host)));
    CHECK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    LAUNCH(rows, 1, height, data, width);
    CHECK(cudaDeviceSynchronize());
    LAUNCH(twice, BLOCKS(height * width, 64), 64, data, height * width);
    CHECK(cudaMemcpy(host, data, sizeof(host), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < height * width; ++i)
        wrong += host[i] != 4 * i;
    printf("%d wrong\n", wrong);
    CHECK(cudaFree(data));
    return 0;
}
