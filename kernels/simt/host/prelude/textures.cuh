
// Texture and surface objects, and their arrays: their rows lie one after the other.

enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
struct cudaArray { void* data; size_t width, height, pitch; cudaChannelFormatDesc format; unsigned flags; };
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
struct __of_array { cudaArray_t array; };
struct __of_linear { void* devPtr; cudaChannelFormatDesc desc; size_t sizeInBytes; };
struct __of_pitch { void* devPtr; cudaChannelFormatDesc desc; size_t width, height, pitchInBytes; };
union __resource { __of_array array; __of_linear linear; __of_pitch pitch2D; };
struct cudaResourceDesc { cudaResourceType resType; __resource res; };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;
#define cudaArrayDefault 0
#define cudaArraySurfaceLoadStore 2

template <class T> struct __channels { typedef T scalar; static constexpr int count = 1; };
#define __TILESCOPE_CHANNELS(name, type) \
    template <> struct __channels<name##1> { typedef type scalar; static constexpr int count = 1; }; \
    template <> struct __channels<name##2> { typedef type scalar; static constexpr int count = 2; }; \
    template <> struct __channels<name##4> { typedef type scalar; static constexpr int count = 4; };
__TILESCOPE_CHANNELS(float, float) __TILESCOPE_CHANNELS(int, int) __TILESCOPE_CHANNELS(uint, unsigned) __TILESCOPE_CHANNELS(short, short)
__TILESCOPE_CHANNELS(ushort, unsigned short) __TILESCOPE_CHANNELS(char, signed char) __TILESCOPE_CHANNELS(uchar, unsigned char)
#undef __TILESCOPE_CHANNELS
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return cudaChannelFormatDesc{x, y, z, w, f};
}
template <class T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef typename __channels<T>::scalar S;
    int bits = 8 * sizeof(S), count = __channels<T>::count;
    cudaChannelFormatKind kind = std::is_same_v<S, float> ? cudaChannelFormatKindFloat : S(-1) < S(0) ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    return cudaChannelFormatDesc{bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}
inline __host__ cudaError_t cudaMallocArray(cudaArray_t* made, const cudaChannelFormatDesc* format, size_t width, size_t height = 0, unsigned flags = 0) {
    if (flags & ~cudaArraySurfaceLoadStore) return cudaErrorInvalidValue;
    size_t bytes = (format->x + format->y + format->z + format->w) / 8, pitch = (width * bytes + 63) / 64 * 64;
    void* data = 0;
    cudaError_t found = cudaMalloc(&data, pitch * (height ? height : 1));
    if (found != cudaSuccess) return found;
    *made = static_cast<cudaArray_t>(__tilescope_kept(sizeof(cudaArray)));
    **made = cudaArray{data, width, height ? height : 1, pitch, *format, flags};
    return cudaSuccess;
}
inline __host__ cudaError_t cudaFreeArray(cudaArray_t a) {
    if (!a) return cudaSuccess;
    cudaError_t found = cudaFree(a->data);
    __tilescope_drop(a);
    return found;
}
inline __host__ cudaError_t cudaMemcpy2DToArray(
    cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2D(static_cast<char*>(to->data) + y * to->pitch + x, to->pitch, from, pitch, width, height, kind);
}
inline __host__ cudaError_t cudaMemcpy2DFromArray(
    void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2D(to, pitch, static_cast<char*>(from->data) + y * from->pitch + x, from->pitch, width, height, kind);
}
inline __host__ cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
    size_t row = to->width * ((to->format.x + to->format.y + to->format.z + to->format.w) / 8);
    if (x || y || bytes % row) return cudaErrorInvalidValue;
    return cudaMemcpy2D(to->data, to->pitch, from, row, row, bytes / row, kind);
}
inline __host__ cudaError_t cudaCreateTextureObject(
    cudaTextureObject_t* made, const cudaResourceDesc* from, const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    cudaTextureObject_t t(0);
    cudaChannelFormatDesc format = from->res.linear.desc;
    if (view || !made || !how) return cudaErrorInvalidValue;
    if (from->resType == cudaResourceTypeArray) {
        cudaArray_t a = from->res.array.array;
        format = a->format;
        t.data = static_cast<const unsigned char*>(a->data);
        t.width = a->width; t.height = a->height; t.pitch = a->pitch;
    } else if (from->resType == cudaResourceTypeLinear) {
        t.data = static_cast<const unsigned char*>(from->res.linear.devPtr);
        t.height = 1;
    } else if (from->resType == cudaResourceTypePitch2D) {
        format = from->res.pitch2D.desc;
        t.data = static_cast<const unsigned char*>(from->res.pitch2D.devPtr);
        t.width = from->res.pitch2D.width; t.height = from->res.pitch2D.height; t.pitch = from->res.pitch2D.pitchInBytes;
    } else return cudaErrorNotSupported;
    t.bytes = (format.x + format.y + format.z + format.w) / 8;
    if (t.bytes == 0) return cudaErrorInvalidValue;
    if (from->resType == cudaResourceTypeLinear) t.width = from->res.linear.sizeInBytes / t.bytes;
    t.normalized = how->normalizedCoords != 0;
    t.linear = how->filterMode == cudaFilterModeLinear && from->resType != cudaResourceTypeLinear;
    if (how->readMode == cudaReadModeNormalizedFloat && format.f != cudaChannelFormatKindFloat && format.x <= 16)
        t.scale = format.f == cudaChannelFormatKindUnsigned ? (1 << format.x) - 1 : -((1 << (format.x - 1)) - 1);
    if (t.linear && t.scale == 0 && format.f != cudaChannelFormatKindFloat) return cudaErrorInvalidValue;
    t.mode_x = how->addressMode[0];
    t.mode_y = how->addressMode[1];
    if (from->resType == cudaResourceTypeLinear) { t.mode_x = cudaAddressModeBorder; t.mode_y = cudaAddressModeBorder; }
    else if (!t.normalized) {
        if (t.mode_x != cudaAddressModeBorder) t.mode_x = cudaAddressModeClamp;
        if (t.mode_y != cudaAddressModeBorder) t.mode_y = cudaAddressModeClamp;
    }
    *made = t;
    return cudaSuccess;
}
inline __host__ cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }
inline __host__ cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* made, const cudaResourceDesc* from) {
    if (!made || from->resType != cudaResourceTypeArray || !(from->res.array.array->flags & cudaArraySurfaceLoadStore)) return cudaErrorInvalidValue;
    cudaArray_t a = from->res.array.array;
    made->data = static_cast<unsigned char*>(a->data);
    made->width = a->width; made->height = a->height; made->pitch = a->pitch;
    made->bytes = (a->format.x + a->format.y + a->format.z + a->format.w) / 8;
    return cudaSuccess;
}
inline __host__ cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }

// Boxes of memory: planes of rows, each of which takes a pitch. A box is copied plane by plane, whole ones at once.
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
inline __host__ cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return cudaExtent{w, h, d}; }
inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t x, size_t y) { return cudaPitchedPtr{p, pitch, x, y}; }
inline __host__ cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent e) {
    made->xsize = e.width;
    made->ysize = e.height;
    return cudaMallocPitch(&made->ptr, &made->pitch, e.width, e.height * e.depth);
}
inline __host__ cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e) {
    if (e.height == p.ysize) return cudaMemset2D(p.ptr, p.pitch, value, e.width, e.height * e.depth);
    for (size_t z = 0; z < e.depth; ++z) {
        cudaError_t found = cudaMemset2D(static_cast<char*>(p.ptr) + z * p.ysize * p.pitch, p.pitch, value, e.width, e.height);
        if (found != cudaSuccess) return found;
    }
    return cudaSuccess;
}
inline __host__ char* __plane(cudaPitchedPtr p, cudaPos at, size_t z) {
    return static_cast<char*>(p.ptr) + ((at.z + z) * p.ysize + at.y) * p.pitch + at.x;
}
inline __host__ cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    if (p->srcArray || p->dstArray) return cudaErrorNotSupported;
    cudaExtent e = p->extent;
    size_t at_once = e.height == p->srcPtr.ysize && e.height == p->dstPtr.ysize ? e.depth : 1;
    for (size_t z = 0; z < e.depth; z += at_once) {
        char *to = __plane(p->dstPtr, p->dstPos, z), *from = __plane(p->srcPtr, p->srcPos, z);
        cudaError_t found = cudaMemcpy2D(to, p->dstPtr.pitch, from, p->srcPtr.pitch, e.width, e.height * at_once, p->kind);
        if (found != cudaSuccess) return found;
    }
    return cudaSuccess;
}
