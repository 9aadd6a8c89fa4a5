// The CUDA runtime as kernels have it as well: errors, streams, and launches.

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
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)

__device__ void __tilescope_configuration(dim3, dim3, size_t = 0, cudaStream_t = 0);
__device__ int __tilescope_last_error(bool);
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
inline __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = reinterpret_cast<cudaStream_t>(__tilescope_stream());
    return cudaSuccess;
}
inline __device__ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
