// y = a x + y by hand, beside the vendor's: a C interface, error macros, events for the time.
#include <stdio.h>
#include <stdlib.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_timer.h>

#define CUBLAS_CHECK(call) \
    do { \
        cublasStatus_t status_ = call; \
        if (status_ != CUBLAS_STATUS_SUCCESS) { fprintf(stderr, "%s:%d cublas %d\n", __FILE__, __LINE__, status_); exit(-1); } \
    } while (0)

extern "C" {
__global__ void saxpy(size_t n, const float a, const float *__restrict__ x, float *__restrict__ y)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = fmaf(a, x[i], y[i]);
}

void saxpy_gpu(size_t n, float a, const float *x, float *y, cudaStream_t stream)
{
    saxpy<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(n, a, x, y);
}
}

int main(int argc, char **argv)
{
    int dev = findCudaDevice(argc, (const char **)argv);
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
    cublasHandle_t handle;
    CUBLAS_CHECK(cublasCreate(&handle));
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    float *x, *y, ms = 0.f, alpha = 2.f;
    checkCudaErrors(cudaMallocManaged(&x, sizeof(*x) << 20));
    cudaEventRecord(start);
    saxpy_gpu(1 << 20, alpha, x, y, 0);
    CUBLAS_CHECK(cublasSaxpy(handle, 1 << 20, &alpha, x, 1, y, 1));
    cudaEventElapsedTime(&ms, start, stop);
    printf("%s: %.3f ms\n", prop.name, ms);
    return cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
