// Every way of checking an error that a semester's reports had.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { printf("Error at line %d\n", __LINE__); return EXIT_FAILURE; } } while (0)

template <typename T> void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, static_cast<unsigned int>(result), cudaGetErrorName(result), func);
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) lastError(msg, __FILE__, __LINE__)
inline void lastError(const char *message, const char *, const int)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) printf("%s: (%d) %s\n", message, static_cast<int>(err), cudaGetErrorString(err));
}

#ifdef DEBUG
#define LOG(...) printf(__VA_ARGS__)
#else
#define LOG(fmt, ...) printf("[log] " fmt "\n", ##__VA_ARGS__)
#endif
#define STR_(x) #x
#define STR(x) STR_(x)
#define CONCAT(a, b) a##b
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define N 64

struct CudaError : public std::runtime_error {
    CudaError(cudaError_t e, const std::string& where) : std::runtime_error(where + ": " + cudaGetErrorString(e)), code(e) {}
    cudaError_t code;
};
#define THROW(call) do { cudaError_t e = (call); if (e != cudaSuccess) throw CudaError(e, #call); } while (false)

__global__ void square(int *x)
{
    int i = threadIdx.x;
    x[i] = x[i] * x[i];
}

int main(void)
{
    int host[N], *CONCAT(dev, ice);
    for (int i = 0; i < N; i++) host[i] = i;
    gpuErrchk(cudaMalloc(&device, sizeof host));
    CUDA_CALL(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    square<<<1, N>>>(device);
    getLastCudaError("square");
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    LOG("N is " STR(N));
    LOG("%d and %d", host[5], MAX(host[7], host[8]));
    gpuAssert(cudaErrorInvalidValue, "here", 1, false);
    try {
        THROW(cudaSetDevice(99));
    } catch (const CudaError &e) {
        printf("caught %d: %s\n", static_cast<int>(e.code), e.what());
    }
    getLastCudaError("after");
    checkCudaErrors(cudaFree(device));
    printf("%s\n", __func__);
    return EXIT_SUCCESS;
}
