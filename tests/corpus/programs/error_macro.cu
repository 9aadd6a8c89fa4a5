// status: 1
#include <stdio.h>
#include <stdlib.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        printf("GPUassert: %s line %d\n", cudaGetErrorString(code), line);
        if (abort) exit(code);
    }
}

__global__ void zero(int *p) { p[threadIdx.x] = 0; }

int main()
{
    int *p = 0;
    gpuErrchk(cudaMalloc(&p, 32 * sizeof(int)));
    zero<<<1, 32>>>(p);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    printf("%s %s\n", cudaGetErrorName(cudaErrorMemoryAllocation), cudaGetErrorString(cudaErrorInvalidConfiguration));
    gpuErrchk(cudaFree(p));
    gpuErrchk(cudaSetDevice(0));
    gpuAssert(cudaSetDevice(99), __FILE__, __LINE__, false);
    printf("again: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("then: %s\n", cudaGetErrorString(cudaGetLastError()));
    gpuErrchk(cudaErrorInvalidValue);
    return 0;
}
