// An adaptive grid: where a function bends much, a thread launches a finer grid for its cell.
#include <cstdio>
#include "check.h"

const int CELLS = 16, FINE = 32;

__host__ __device__ int height(int x)
{
    int from_peak = x - 300;
    return 40000 / (from_peak * from_peak / 16 + 40);
}

template <int POINTS>
__global__ void refine(const int* begins, int cell, int width, int* sums)
{
    __shared__ int part[POINTS];
    int step = width / POINTS;
    int x = begins[cell] + threadIdx.x * step;
    part[threadIdx.x] = height(x) * step;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < POINTS; ++i)
            sum += part[i];
        sums[cell] = sum;
    }
}

__global__ void integrate(int* begins, int width, int* sums, int* refined)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell >= CELLS)
        return;
    int begin = cell * width;
    begins[cell] = begin;
    int bend = height(begin) - 2 * height(begin + width / 2) + height(begin + width);
    if (bend < -20 || bend > 20) {
        atomicAdd(refined, 1);
        refine<FINE><<<1, FINE>>>(begins, cell, width, sums);
    } else {
        sums[cell] = height(begin + width / 2) * width;
    }
}

int main()
{
    const int width = 64;
    int *begins, *sums, *refined;
    CHECK(cudaMallocManaged(&begins, CELLS * sizeof(int)));
    CHECK(cudaMallocManaged(&sums, CELLS * sizeof(int)));
    CHECK(cudaMallocManaged(&refined, sizeof(int)));
    *refined = 0;
    integrate<<<2, 8>>>(begins, width, sums, refined);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    int total = 0, expected = 0, finer = 0;
    for (int cell = 0; cell < CELLS; ++cell) {
        int begin = cell * width, sum = 0;
        int bend = height(begin) - 2 * height(begin + width / 2) + height(begin + width);
        if (bend < -20 || bend > 20) {
            ++finer;
            for (int i = 0; i < FINE; ++i)
                sum += height(begin + i * (width / FINE)) * (width / FINE);
        } else {
            sum = height(begin + width / 2) * width;
        }
        expected += sum;
        total += sums[cell];
    }
    printf("cells refined: %d of %d\n", *refined, CELLS);
    printf("%s\n", total == expected && *refined == finer ? "as on the host" : "wrong");
    CHECK(cudaFree(begins));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(refined));
    return 0;
}
