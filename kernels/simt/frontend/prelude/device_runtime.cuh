// The CUDA runtime as kernels have it as well: errors, streams, events, memory, and launches. What a kernel copies or fills in a stream is a
// launch of a kernel of this text.

enum cudaError {
    cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21, cudaErrorLaunchMaxDepthExceeded = 65, cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98, cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701, cudaErrorAssert = 710, cudaErrorLaunchFailure = 719, cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventWaitDefault 0
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)

__device__ void __tilescope_configuration(dim3, dim3, size_t = 0, cudaStream_t = 0);
__device__ int __tilescope_last_error(bool);
__device__ void __tilescope_fail(int);
__device__ unsigned long long __tilescope_stream();
inline __device__ cudaError_t cudaGetLastError() { return static_cast<cudaError_t>(__tilescope_last_error(true)); }
inline __device__ cudaError_t cudaPeekAtLastError() { return static_cast<cudaError_t>(__tilescope_last_error(false)); }
inline __device__ const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "cudaSuccess";
        case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
        case cudaErrorMemoryAllocation: return "cudaErrorMemoryAllocation";
        case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
        case cudaErrorInvalidDevicePointer: return "cudaErrorInvalidDevicePointer";
        case cudaErrorLaunchMaxDepthExceeded: return "cudaErrorLaunchMaxDepthExceeded";
        case cudaErrorLaunchPendingCountExceeded: return "cudaErrorLaunchPendingCountExceeded";
        case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
        case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
        case cudaErrorNotReady: return "cudaErrorNotReady";
        case cudaErrorLaunchOutOfResources: return "cudaErrorLaunchOutOfResources";
        case cudaErrorNotSupported: return "cudaErrorNotSupported";
        default: return "unrecognized error code";
    }
}
inline __device__ const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorMemoryAllocation: return "out of memory";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInvalidDevicePointer: return "invalid device pointer";
        case cudaErrorLaunchMaxDepthExceeded: return "launch would exceed maximum depth of nested launches";
        case cudaErrorLaunchPendingCountExceeded: return "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount";
        case cudaErrorInvalidDeviceFunction: return "invalid device function";
        case cudaErrorInvalidResourceHandle: return "invalid resource handle";
        case cudaErrorNotReady: return "device not ready";
        case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
        case cudaErrorNotSupported: return "operation not supported";
        default: return "unrecognized error code";
    }
}
inline __device__ cudaError_t __tilescope_failed(cudaError_t error) { __tilescope_fail(error); return error; }
inline __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = reinterpret_cast<cudaStream_t>(__tilescope_stream());
    return cudaSuccess;
}
inline __device__ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

__device__ unsigned long long __tilescope_event();
__device__ void __tilescope_record(unsigned long long, unsigned long long);
__device__ void __tilescope_wait(unsigned long long, unsigned long long);
inline __device__ bool __tilescope_named(cudaStream_t stream) { return stream != cudaStreamTailLaunch && stream != cudaStreamFireAndForget; }
inline __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (!(flags & cudaEventDisableTiming)) return __tilescope_failed(cudaErrorInvalidValue);
    *event = reinterpret_cast<cudaEvent_t>(__tilescope_event());
    return cudaSuccess;
}
inline __device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
    if (!__tilescope_named(stream)) return __tilescope_failed(cudaErrorInvalidValue);
    __tilescope_record(reinterpret_cast<unsigned long long>(event), reinterpret_cast<unsigned long long>(stream));
    return cudaSuccess;
}
inline __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    if (!__tilescope_named(stream)) return __tilescope_failed(cudaErrorInvalidValue);
    __tilescope_wait(reinterpret_cast<unsigned long long>(stream), reinterpret_cast<unsigned long long>(event));
    return cudaSuccess;
}
inline __device__ cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline __device__ cudaError_t cudaGetDevice(int* device) { *device = 0; return cudaSuccess; }
inline __device__ cudaError_t cudaGetDeviceCount(int* count) { *count = 1; return cudaSuccess; }
inline __device__ cudaError_t cudaRuntimeGetVersion(int* version) { *version = 6000; return cudaSuccess; }  // so a GPU has it

template <class T> inline __device__ cudaError_t cudaMalloc(T** made, size_t bytes) {
    if (bytes == 0) return __tilescope_failed(cudaErrorInvalidValue);
    T* found = static_cast<T*>(malloc(bytes));
    if (found == nullptr) return __tilescope_failed(cudaErrorMemoryAllocation);
    *made = found;
    return cudaSuccess;
}
inline __device__ cudaError_t cudaFree(void* p) { free(p); return cudaSuccess; }

#define __TILESCOPE_KERNEL __attribute__((device)) __attribute__((annotate("tilescope kernel")))
#define __TILESCOPE_LAUNCH(bytes, stream, first) \
    (__tilescope_configuration(dim3(static_cast<unsigned>(((bytes) + 1023) / 1024)), dim3(256), 0, stream), first)
inline __TILESCOPE_KERNEL void __device_memcpy(char* to, const char* from, size_t bytes, bool words) {
    size_t i = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (words) {
        if (i < bytes) *reinterpret_cast<int*>(to + i) = *reinterpret_cast<const int*>(from + i);
    } else {
        for (size_t end = i + 4; i < end && i < bytes; ++i) to[i] = from[i];
    }
}
inline __TILESCOPE_KERNEL void __device_memset(char* to, int value, size_t bytes, bool words) {
    size_t i = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
    if (words) {
        if (i < bytes) *reinterpret_cast<int*>(to + i) = (value & 255) * 0x01010101;
    } else {
        for (size_t end = i + 4; i < end && i < bytes; ++i) to[i] = static_cast<char>(value);
    }
}
inline __device__ cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0) {
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return __tilescope_failed(cudaErrorInvalidMemcpyDirection);
    if (bytes == 0) return cudaSuccess;
    bool words = (reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes) % 4 == 0;
    __device_memcpy(__TILESCOPE_LAUNCH(bytes, stream, static_cast<char*>(to)), static_cast<const char*>(from), bytes, words);
    return cudaSuccess;
}
inline __device__ cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0) {
    if (bytes == 0) return cudaSuccess;
    bool words = (reinterpret_cast<size_t>(to) | bytes) % 4 == 0;
    __device_memset(__TILESCOPE_LAUNCH(bytes, stream, static_cast<char*>(to)), value, bytes, words);
    return cudaSuccess;
}
