
// The CUDA runtime. Functions without a body are those of kernels.simt.host.runtime.

#define CUDART_VERSION 13000
struct cudaUUID_t { char bytes[16]; };
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor, multiProcessorCount, integrated, canMapHostMemory, concurrentKernels, ECCEnabled, asyncEngineCount, unifiedAddressing;
    int memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, managedMemory, concurrentManagedAccess, cooperativeLaunch;
    size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    int regsPerMultiprocessor, maxBlocksPerMultiProcessor, clockRate, memoryClockRate, deviceOverlap, computeMode;
};
#define CUDART_CB
#define cudaDevicePropDontCare cudaDeviceProp{}
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
struct cudaMemLocation { cudaMemLocationType type; int id; };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
struct cudaPointerAttributes { cudaMemoryType type; int device; void* devicePointer; void* hostPointer; };
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaCpuDeviceId (-1)

__host__ cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
__host__ unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaMalloc(T**, size_t);
template <class T> __host__ cudaError_t cudaMallocManaged(T**, size_t, unsigned = cudaMemAttachGlobal);
template <class T> __host__ cudaError_t cudaMallocHost(T**, size_t, unsigned = 0);
template <class T> __host__ cudaError_t cudaHostAlloc(T**, size_t, unsigned);
template <class T> __host__ cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t);
template <class T> __host__ cudaError_t cudaMallocPitch(T**, size_t*, size_t, size_t);
__host__ cudaError_t cudaFree(void*);
__host__ cudaError_t cudaFreeAsync(void*, cudaStream_t);
__host__ cudaError_t cudaFreeHost(void*);
__host__ cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
__host__ cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemset(void*, int, size_t);
__host__ cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> __host__ cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T> __host__ cudaError_t cudaGetSymbolAddress(void**, const T&);
__host__ cudaError_t cudaMemGetInfo(size_t*, size_t*);
__host__ cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
__host__ cudaError_t __tilescope_advised(const void*);
inline __host__ cudaError_t cudaMemPrefetchAsync(const void* p, size_t, cudaMemLocation, unsigned, cudaStream_t = 0) { return __tilescope_advised(p); }
inline __host__ cudaError_t cudaMemAdvise(const void* p, size_t, cudaMemoryAdvise, int) { return __tilescope_advised(p); }
inline __host__ cudaError_t cudaMemAdvise(const void* p, size_t, cudaMemoryAdvise, cudaMemLocation) { return __tilescope_advised(p); }
__host__ cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
__host__ cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaMemcpyToSymbolAsync(const T&, const void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaMemcpyFromSymbolAsync(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaGetSymbolSize(size_t* size, const T&) { *size = sizeof(T); return cudaSuccess; }
__host__ cudaError_t cudaHostRegister(void*, size_t, unsigned);
__host__ cudaError_t cudaHostUnregister(void*);
template <class T> __host__ cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) { *device = static_cast<T*>(host); return cudaSuccess; }
__host__ int __tilescope_memory_type(const void*);
inline __host__ cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* found, const void* p) {
    found->type = static_cast<cudaMemoryType>(__tilescope_memory_type(p));
    found->device = found->type == cudaMemoryTypeUnregistered ? -2 : 0;
    found->devicePointer = found->type == cudaMemoryTypeUnregistered ? 0 : const_cast<void*>(p);
    found->hostPointer = found->type == cudaMemoryTypeDevice ? 0 : const_cast<void*>(p);
    return cudaSuccess;
}
// What is asked of a kernel, which is given as its number.
template <class F> __host__ cudaError_t cudaFuncSetAttribute(F*, cudaFuncAttribute, int);
template <class F> __host__ cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache);
template <class F> __host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, F*, int, size_t);
template <class F> __host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*, F*, size_t = 0, int = 0);
template <class F> __host__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, F*);
__host__ cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
inline __host__ cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit asked) {
    *value = asked == cudaLimitStackSize ? 1024 : asked == cudaLimitPrintfFifoSize ? 8 << 20 : 8 << 20;
    return cudaSuccess;
}
inline __host__ cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline __host__ cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline __host__ cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline __host__ cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline __host__ cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline __host__ cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { *device = 0; return cudaSuccess; }
inline __host__ cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { *can = 0; return cudaSuccess; }
inline __host__ cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) { *least = 0; *greatest = -5; return cudaSuccess; }
// Refused in words where they are called.
__host__ cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*)(void*), void*);
__host__ cudaError_t cudaStreamAddCallback(cudaStream_t, void (*)(cudaStream_t, cudaError_t, void*), void*, unsigned);
__host__ cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned);
__host__ cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
__host__ cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
__host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0);
__host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, void*, char*, size_t);
__host__ cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
__host__ cudaError_t cudaGraphDestroy(cudaGraph_t);
__host__ cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
__host__ cudaError_t cudaDeviceSynchronize();
__host__ cudaError_t cudaThreadSynchronize();
__host__ cudaError_t cudaDeviceReset();
inline __host__ cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
__host__ cudaError_t cudaSetDevice(int);
__host__ cudaError_t cudaGetDevice(int*);
__host__ cudaError_t cudaGetDeviceCount(int*);
__host__ cudaError_t __tilescope_device(int);
__host__ void __tilescope_device_name(char*);
__host__ long __tilescope_property(int);
inline __host__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (!p) return cudaErrorInvalidValue;
    cudaError_t found = __tilescope_device(device);
    if (found != cudaSuccess) return found;
    *p = cudaDeviceProp{};
    __tilescope_device_name(p->name);
    p->totalGlobalMem = __tilescope_property(0);
    p->major = __tilescope_property(1);
    p->minor = __tilescope_property(2);
    p->multiProcessorCount = __tilescope_property(3);
    p->l2CacheSize = __tilescope_property(4);
    p->clockRate = __tilescope_property(5);
    p->sharedMemPerMultiprocessor = __tilescope_property(6);
    p->sharedMemPerBlockOptin = __tilescope_property(7);
    p->maxThreadsPerMultiProcessor = __tilescope_property(8);
    p->maxBlocksPerMultiProcessor = __tilescope_property(9);
    p->sharedMemPerBlock = 49152;
    p->regsPerBlock = 65536;
    p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = 1024; p->maxThreadsDim[1] = 1024; p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647; p->maxGridSize[1] = 65535; p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->canMapHostMemory = 1; p->concurrentKernels = 1; p->ECCEnabled = 1; p->asyncEngineCount = 3; p->unifiedAddressing = 1;
    p->managedMemory = 1; p->concurrentManagedAccess = 1; p->cooperativeLaunch = 1; p->deviceOverlap = 1;
    return cudaSuccess;
}
__host__ cudaError_t cudaDriverGetVersion(int*);
__host__ cudaError_t cudaRuntimeGetVersion(int*);
template <class T> __host__ cudaError_t cudaLaunchCooperativeKernel(T*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0);
template <class T> __host__ cudaError_t cudaLaunchKernel(T*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0);
__host__ cudaError_t cudaGetLastError();
__host__ cudaError_t cudaPeekAtLastError();
__host__ const char* cudaGetErrorString(cudaError_t);
__host__ const char* cudaGetErrorName(cudaError_t);
__host__ cudaError_t cudaEventCreate(cudaEvent_t*);
__host__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
__host__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__host__ cudaError_t cudaEventSynchronize(cudaEvent_t);
__host__ cudaError_t cudaEventQuery(cudaEvent_t);
__host__ cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
__host__ cudaError_t cudaEventDestroy(cudaEvent_t);
__host__ cudaError_t cudaStreamCreate(cudaStream_t*);
__host__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
inline __host__ cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int) { return cudaStreamCreateWithFlags(s, flags); }
inline __host__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s = 0, unsigned = 0) { return cudaEventRecord(e, s); }
__host__ cudaError_t cudaStreamSynchronize(cudaStream_t);
__host__ cudaError_t cudaStreamQuery(cudaStream_t);
__host__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
__host__ cudaError_t cudaStreamDestroy(cudaStream_t);

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrWarpSize = 10, cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3, cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7, cudaDevAttrTotalConstantMemory = 9, cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrL2CacheSize = 38, cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrConcurrentKernels = 31, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrManagedMemory = 83,
    cudaDevAttrConcurrentManagedAccess = 89, cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106
};
inline __host__ cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr asked, int device) {
    cudaError_t found = __tilescope_device(device);
    if (found != cudaSuccess) return found;
    switch (asked) {
        case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = 49152; break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrClockRate: *value = __tilescope_property(5); break;
        case cudaDevAttrMultiProcessorCount: *value = __tilescope_property(3); break;
        case cudaDevAttrComputeCapabilityMajor: *value = __tilescope_property(1); break;
        case cudaDevAttrComputeCapabilityMinor: *value = __tilescope_property(2); break;
        case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *value = 1024; break;
        case cudaDevAttrMaxBlockDimZ: *value = 64; break;
        case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
        case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *value = 65535; break;
        case cudaDevAttrTotalConstantMemory: case cudaDevAttrMaxRegistersPerBlock: *value = 65536; break;
        case cudaDevAttrL2CacheSize: *value = __tilescope_property(4); break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = __tilescope_property(8); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = __tilescope_property(9); break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = __tilescope_property(6); break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = __tilescope_property(7); break;
        case cudaDevAttrUnifiedAddressing: case cudaDevAttrConcurrentKernels: case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrCooperativeLaunch: *value = 1; break;
        default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}
// The usual helper, for programs that include it without having it beside them; their own macro takes its place.
#define checkCudaErrors(call) \
    do { \
        cudaError_t __status = (call); \
        if (__status != cudaSuccess) { \
            fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", __FILE__, __LINE__, (int)__status, cudaGetErrorName(__status), #call); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)
inline __host__ int findCudaDevice(int, const char**) { return 0; }
