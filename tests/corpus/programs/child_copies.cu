// Jacobi steps driven by the device: it clears, steps and copies back in one stream, and a tail launch does so again.
#include <cstdio>
#include <cstring>
#include "check.h"

const int N = 70, STEPS = 4;

__global__ void step(const float* from, float* to, int* changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= N - 1)
        return;
    to[i] = (from[i - 1] + from[i + 1]) * 0.5f;
    if (to[i] != from[i])
        atomicAdd(changed, 1);
}

__global__ void drive(float* now, float* next, int* changed, int* history, int round)
{
    if (cudaMemsetAsync(changed, 0, sizeof(int), 0) != cudaSuccess)
        printf("no fill\n");
    step<<<(N + 31) / 32, 32>>>(now, next, changed);
    cudaMemcpyAsync(now + 1, next + 1, (N - 2) * sizeof(float), cudaMemcpyDeviceToDevice, 0);
    cudaError_t error = cudaMemcpyAsync(&history[round], changed, sizeof(int), cudaMemcpyDeviceToDevice, 0);
    if (error != cudaSuccess)
        printf("no copy: %s\n", cudaGetErrorString(error));
    if (round + 1 < STEPS)
        drive<<<1, 1, 0, cudaStreamTailLaunch>>>(now, next, changed, history, round + 1);
}

int main()
{
    float host[N] = {0}, other[N] = {0};
    host[0] = other[0] = 64;
    host[N / 2] = 8;
    float *now, *next;
    int *changed, *history, steps[STEPS];
    CHECK(cudaMalloc(&now, sizeof(host)));
    CHECK(cudaMalloc(&next, sizeof(host)));
    CHECK(cudaMalloc(&changed, sizeof(int)));
    CHECK(cudaMalloc(&history, sizeof(steps)));
    CHECK(cudaMemcpy(now, host, sizeof(host), cudaMemcpyHostToDevice));
    drive<<<1, 1>>>(now, next, changed, history, 0);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    float result[N];
    CHECK(cudaMemcpy(result, now, sizeof(result), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(steps, history, sizeof(steps), cudaMemcpyDeviceToHost));

    for (int round = 0; round < STEPS; ++round) {
        for (int i = 1; i < N - 1; ++i)
            other[i] = (host[i - 1] + host[i + 1]) * 0.5f;
        memcpy(host, other, sizeof(host));
    }
    for (int round = 0; round < STEPS; ++round)
        printf("step %d changed %d\n", round, steps[round]);
    printf("%g %g %g: %s\n", result[1], result[2], result[N / 2], memcmp(host, result, sizeof(host)) == 0 ? "as on the host" : "wrong");
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    CHECK(cudaFree(changed));
    CHECK(cudaFree(history));
    return 0;
}
