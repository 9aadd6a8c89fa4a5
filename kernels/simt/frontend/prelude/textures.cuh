// Textures and surfaces of one and of two dimensions. An object is here all that the unit for textures knows of it; arrays lie row by row.
// Coordinates between texels have 8 bits behind the point, and so have the shares of the texels: bit by bit what an H200 gives.

enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
struct cudaTextureObject_t {
    const unsigned char* data;
    int width, height, pitch, bytes;
    int scale;
    int normalized, linear, mode_x, mode_y;
    cudaTextureObject_t() = default;
    __host__ __device__ cudaTextureObject_t(int)
        : data(0), width(0), height(0), pitch(0), bytes(0), scale(0), normalized(0), linear(0), mode_x(0), mode_y(0) {}
};
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
struct cudaSurfaceObject_t {
    unsigned char* data;
    int width, height, pitch, bytes;
    cudaSurfaceObject_t() = default;
    __host__ __device__ cudaSurfaceObject_t(int) : data(0), width(0), height(0), pitch(0), bytes(0) {}
};

// The texel that a coordinate means, -1 where it is none: beyond the border all is 0.
inline __device__ int __texel(int i, int count, int mode) {
    if (mode == cudaAddressModeBorder) return i >= 0 && i < count ? i : -1;
    if (mode == cudaAddressModeClamp) return i < 0 ? 0 : i < count ? i : count - 1;
    int period = mode == cudaAddressModeWrap ? count : 2 * count;
    i = (i % period + period) % period;
    return i < count ? i : period - 1 - i;
}
inline __device__ float __scaled(int value, int scale) {
    float found = (float)value / (float)(scale < 0 ? -scale : scale);
    return found < -1.0f ? -1.0f : found;
}
template <class T> __device__ T __texture(const cudaTextureObject_t& t, int x, int y) {
    x = __texel(x, t.width, t.mode_x);
    y = __texel(y, t.height, t.mode_y);
    if (x < 0 || y < 0) return T{};
    const unsigned char* place = t.data + (long long)y * t.pitch + (long long)x * t.bytes;
    if constexpr (std::is_same_v<T, float>) {
        if (t.scale == 255) return __scaled(*place, 255);
        if (t.scale == -127) return __scaled(*reinterpret_cast<const signed char*>(place), -127);
        if (t.scale == 65535) return __scaled(*reinterpret_cast<const unsigned short*>(place), 65535);
        if (t.scale == -32767) return __scaled(*reinterpret_cast<const short*>(place), -32767);
    }
    if constexpr (std::is_same_v<T, float4>) {
        if (t.scale == 255) {
            uchar4 found = *reinterpret_cast<const uchar4*>(place);
            return make_float4(__scaled(found.x, 255), __scaled(found.y, 255), __scaled(found.z, 255), __scaled(found.w, 255));
        }
    }
    return *reinterpret_cast<const T*>(place);
}
// What lies between four texels, in 256ths of each: added up as it is, and rounded once.
struct __Shares { int first, second, third, fourth; };
inline __device__ float __mixed(float a, float b, float c, float d, const __Shares& of) {
    return (float)((of.first * (double)a + of.second * (double)b + of.third * (double)c + of.fourth * (double)d) / 256.0);
}
inline __device__ float2 __mixed(float2 a, float2 b, float2 c, float2 d, const __Shares& of) {
    return make_float2(__mixed(a.x, b.x, c.x, d.x, of), __mixed(a.y, b.y, c.y, d.y, of));
}
inline __device__ float4 __mixed(float4 a, float4 b, float4 c, float4 d, const __Shares& of) {
    return make_float4(
        __mixed(a.x, b.x, c.x, d.x, of), __mixed(a.y, b.y, c.y, d.y, of), __mixed(a.z, b.z, c.z, d.z, of), __mixed(a.w, b.w, c.w, d.w, of));
}
template <class T> inline constexpr bool __mixes = std::is_same_v<T, float> || std::is_same_v<T, float2> || std::is_same_v<T, float4>;
inline __device__ int __in_256ths(float part) { return (int)floorf(part * 256.0f + 0.5f); }

template <class T> __device__ T tex1Dfetch(cudaTextureObject_t t, int i) { return __texture<T>(t, i, 0); }
template <class T> __device__ T tex2D(cudaTextureObject_t t, float x, float y) {
    if (t.normalized) { x *= t.width; y *= t.height; }
    if constexpr (__mixes<T>) {
        if (t.linear) {
            float left = floorf(x - 0.5f), top = floorf(y - 0.5f);
            int across = __in_256ths(x - 0.5f - left), down = __in_256ths(y - 0.5f - top), both = (across * down + 128) / 256;
            int i = (int)left, j = (int)top;
            __Shares of{256 - across - down + both, across - both, down - both, both};
            return __mixed(__texture<T>(t, i, j), __texture<T>(t, i + 1, j), __texture<T>(t, i, j + 1), __texture<T>(t, i + 1, j + 1), of);
        }
    }
    return __texture<T>(t, (int)floorf(x), (int)floorf(y));
}
template <class T> __device__ T tex1D(cudaTextureObject_t t, float x) {
    if (t.normalized) x *= t.width;
    if constexpr (__mixes<T>) {
        if (t.linear) {
            float left = floorf(x - 0.5f);
            int across = __in_256ths(x - 0.5f - left);
            T first = __texture<T>(t, (int)left, 0), second = __texture<T>(t, (int)left + 1, 0);
            return __mixed(first, second, first, first, __Shares{256 - across, across, 0, 0});
        }
    }
    return __texture<T>(t, (int)floorf(x), 0);
}
template <class T> __device__ void tex1Dfetch(T* into, cudaTextureObject_t t, int i) { *into = tex1Dfetch<T>(t, i); }
template <class T> __device__ void tex1D(T* into, cudaTextureObject_t t, float x) { *into = tex1D<T>(t, x); }
template <class T> __device__ void tex2D(T* into, cudaTextureObject_t t, float x, float y) { *into = tex2D<T>(t, x, y); }

// Where an element of a surface lies whose bytes begin at x; null beyond the border, which a trap lets nobody access.
template <class T> __device__ T* __surface(const cudaSurfaceObject_t& s, int x, int y, cudaSurfaceBoundaryMode mode) {
    int last = s.width * s.bytes - (int)sizeof(T);
    if (mode == cudaBoundaryModeClamp) {
        x = x < 0 ? 0 : x > last ? last : x;
        y = y < 0 ? 0 : y >= s.height ? s.height - 1 : y;
    }
    if (x < 0 || x > last || y < 0 || y >= s.height) return 0;
    return reinterpret_cast<T*>(s.data + (long long)y * s.pitch + x);
}
template <class T> __device__ T surf2Dread(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    T* surface = __surface<T>(s, x, y, mode);
    if (!surface && mode != cudaBoundaryModeTrap) return T{};
    return *surface;
}
template <class T>
__device__ void surf2Dread(T* into, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *into = surf2Dread<T>(s, x, y, mode);
}
template <class T>
__device__ void surf2Dwrite(T value, cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    T* surface = __surface<T>(s, x, y, mode);
    if (surface || mode == cudaBoundaryModeTrap) *surface = value;
}
template <class T> __device__ T surf1Dread(cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return surf2Dread<T>(s, x, 0, mode);
}
template <class T>
__device__ void surf1Dread(T* into, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *into = surf2Dread<T>(s, x, 0, mode);
}
template <class T>
__device__ void surf1Dwrite(T value, cudaSurfaceObject_t s, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    surf2Dwrite(value, s, x, 0, mode);
}

// Declared without a body, to be refused where they are called.
#define __TILESCOPE_TEXTURE(name) template <class T = float, class... Arguments> __device__ T name(Arguments...);
__TILESCOPE_TEXTURE(tex1DLayered) __TILESCOPE_TEXTURE(tex2DLod) __TILESCOPE_TEXTURE(tex2DLayered) __TILESCOPE_TEXTURE(tex2Dgather)
__TILESCOPE_TEXTURE(tex3D) __TILESCOPE_TEXTURE(surf2DLayeredread) __TILESCOPE_TEXTURE(surf2DLayeredwrite) __TILESCOPE_TEXTURE(surf3Dread)
__TILESCOPE_TEXTURE(surf3Dwrite)
#undef __TILESCOPE_TEXTURE
