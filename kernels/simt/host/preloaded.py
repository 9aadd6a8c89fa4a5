"""All that executing a program needs, imported and used once: a process that is copied from one that has imported this begins at once."""

from __future__ import annotations

import contextlib
import gc
import threading

from kernels.simt.host.execution import execute
from kernels.simt.host.result import Limits, ProgramJob

TEXT = """#include <cstdio>
#include <cstdlib>
#include <cmath>
__global__ void product(const float* A, float* C, int n) {
    __shared__ float tile[8][8];
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n / 8; ++t) {
        tile[threadIdx.y][threadIdx.x] = A[row * n + t * 8 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 8; ++k) sum += tile[threadIdx.y][k] * tile[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) C[row * n + col] = sum;
}
int main() {
    const int n = 16;
    float* host = (float*)malloc(n * n * sizeof(float));
    for (int i = 0; i < n * n; ++i) host[i] = (float)(rand() % 10);
    float *A, *C;
    if (cudaMalloc(&A, n * n * sizeof(float)) != cudaSuccess || cudaMalloc(&C, n * n * sizeof(float)) != cudaSuccess) return 1;
    cudaMemcpy(A, host, n * n * sizeof(float), cudaMemcpyHostToDevice);
    product<<<dim3(2, 2), dim3(8, 8)>>>(A, C, n);
    printf("%s %.3f\\n", cudaGetErrorString(cudaGetLastError()), fabs(host[0]));
    cudaMemcpy(host, C, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(A); cudaFree(C); free(host);
    return 0;
}
"""


def use() -> None:
    """Execute a program: the preludes are then compiled, the compilers loaded and set up. No thread of it is left."""
    before = set(threading.enumerate())
    execute(ProgramJob(TEXT, limits=Limits(seconds=60.0)), lambda _stream, _data: None, lambda _progress: None)
    for thread in set(threading.enumerate()) - before:
        thread.join(1.0)  # that of a program that was stopped, as on a machine with much other work, never ends
    gc.collect()  # its memory


with contextlib.suppress(Exception):  # what fails here fails in the program, too, and is told there
    use()
