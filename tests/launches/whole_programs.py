"""Whole programs, as a student opens them."""

from __future__ import annotations

TWO_LAUNCHES = """#include <cstdio>
__global__ void fill(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
__global__ void twice(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
int main()
{
    int n = 100, last, *p;
    cudaMalloc(&p, n * sizeof(int));
    fill<<<4, 32>>>(p, n);
    twice<<<2, 64>>>(p, n);
    cudaMemcpy(&last, p + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    printf("last: %d\\n", last);
    return 0;
}
"""
SIZE_IN_ARGUMENTS = """#include <cstdlib>
__global__ void fill(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = i; }
int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0, *p;
    if (n < 1) return 2;
    cudaMalloc(&p, n * sizeof(int));
    fill<<<(n + 31) / 32, 32>>>(p, n);
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
"""
