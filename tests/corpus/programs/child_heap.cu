// Curves as fine as they bend: each thread allocates room for its points with cudaMalloc, a child fills it, a last kernel frees it.
#include <cstdio>
#include "check.h"

const int CURVES = 6, MOST = 40;

struct Curve {
    float begin, middle, end;
    float* points;
    int count;
};

__global__ void draw(Curve* curve)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= curve->count)
        return;
    float t = i / 32.0f;
    curve->points[i] = curve->begin * (1 - t) + curve->end * t + curve->middle * t;
}

__global__ void plan(Curve* curves, int* failed)
{
    int c = threadIdx.x;
    if (c >= CURVES)
        return;
    Curve& mine = curves[c];
    float bend = fabsf(mine.begin + mine.end - 2 * mine.middle);
    mine.count = min((int)(bend * 4) + 2, MOST);
    if (cudaMalloc((void**)&mine.points, mine.count * sizeof(float)) != cudaSuccess) {
        atomicAdd(failed, 1);
        return;
    }
    draw<<<(mine.count + 31) / 32, 32>>>(&mine);
}

__global__ void collect(Curve* curves, float* sums)
{
    int c = threadIdx.x;
    if (c >= CURVES)
        return;
    float sum = 0;
    for (int i = 0; i < curves[c].count; ++i)
        sum += curves[c].points[i];
    sums[c] = sum;
    cudaFree(curves[c].points);
}

int main()
{
    Curve host[CURVES];
    for (int c = 0; c < CURVES; ++c)
        host[c] = {float(c), float(2 * c), float(8 - c), NULL, 0};
    Curve* curves;
    float* sums;
    int *failed, count;
    CHECK(cudaMalloc(&curves, sizeof(host)));
    CHECK(cudaMalloc(&sums, CURVES * sizeof(float)));
    CHECK(cudaMalloc(&failed, sizeof(int)));
    CHECK(cudaMemset(failed, 0, sizeof(int)));
    CHECK(cudaMemcpy(curves, host, sizeof(host), cudaMemcpyHostToDevice));
    plan<<<1, 32>>>(curves, failed);
    CHECK(cudaGetLastError());
    collect<<<1, 32>>>(curves, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    float results[CURVES];
    CHECK(cudaMemcpy(results, sums, sizeof(results), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(host, curves, sizeof(host), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&count, failed, sizeof(int), cudaMemcpyDeviceToHost));
    for (int c = 0; c < CURVES; ++c)
        printf("curve %d: %d points, sum %g\n", c, host[c].count, results[c]);
    printf("%d failed\n", count);
    CHECK(cudaFree(curves));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(failed));
    return 0;
}
