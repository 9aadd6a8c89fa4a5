// Rounds of a reduction, each of which launches the next behind itself: a tail launch begins when all before it is done.
#include <cstdio>
#include "check.h"

__global__ void add_neighbours(int* data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int half = (count + 1) / 2;
    if (i < count / 2)
        data[i] += data[i + half];
}

__global__ void round_of(int* data, int count, int* rounds)
{
    if (count == 1) {
        printf("sum %d\n", data[0]);
        return;
    }
    ++*rounds;
    int half = (count + 1) / 2;
    add_neighbours<<<(half + 31) / 32, 32>>>(data, count);
    round_of<<<1, 1, 0, cudaStreamTailLaunch>>>(data, half, rounds);
}

__global__ void countdown(int* left)
{
    if (--*left > 0)
        countdown<<<1, 1, 0, cudaStreamTailLaunch>>>(left);
}

int main()
{
    const int n = 1000;
    int host[n];
    for (int i = 0; i < n; ++i)
        host[i] = i + 1;
    int *data, *rounds;
    CHECK(cudaMalloc(&data, sizeof(host)));
    CHECK(cudaMalloc(&rounds, sizeof(int)));
    CHECK(cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(rounds, 0, sizeof(int)));
    round_of<<<1, 1>>>(data, n, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int count;
    CHECK(cudaMemcpy(&count, rounds, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d rounds\n", count);

    count = 60;  // more than 24: tail launches are not within each other
    CHECK(cudaMemcpy(rounds, &count, sizeof(int), cudaMemcpyHostToDevice));
    countdown<<<1, 1>>>(rounds);
    CHECK(cudaMemcpy(&count, rounds, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d left\n", count);
    CHECK(cudaFree(data));
    CHECK(cudaFree(rounds));
    return 0;
}
