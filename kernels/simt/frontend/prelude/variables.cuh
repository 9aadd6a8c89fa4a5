// The built-in variables, and what is written in terms of the known functions.

struct dim3 {
    unsigned x, y, z;
    constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// A math function of an integer computes in double, and one of mixed types in the wider.
#define __TILESCOPE_INTEGER(name) \
    template <class T> __device__ std::enable_if_t<__is_integral(T), double> name(T x) { return name(static_cast<double>(x)); }
__TILESCOPE_INTEGER(sqrt) __TILESCOPE_INTEGER(rsqrt) __TILESCOPE_INTEGER(exp) __TILESCOPE_INTEGER(log) __TILESCOPE_INTEGER(log2)
__TILESCOPE_INTEGER(log10) __TILESCOPE_INTEGER(sin) __TILESCOPE_INTEGER(cos) __TILESCOPE_INTEGER(tan) __TILESCOPE_INTEGER(floor)
__TILESCOPE_INTEGER(ceil) __TILESCOPE_INTEGER(fabs) __TILESCOPE_INTEGER(tanh) __TILESCOPE_INTEGER(round)
#undef __TILESCOPE_INTEGER
#define __TILESCOPE_MIXED(name) \
    template <class T, class U> \
    __device__ std::enable_if_t<__is_arithmetic(T) && __is_arithmetic(U) && !std::is_same_v<T, U>, double> name(T x, U y) { \
        return name(static_cast<double>(x), static_cast<double>(y)); \
    } \
    template <class T> __device__ std::enable_if_t<__is_integral(T), double> name(T x, T y) { \
        return name(static_cast<double>(x), static_cast<double>(y)); \
    }
__TILESCOPE_MIXED(pow) __TILESCOPE_MIXED(fmin) __TILESCOPE_MIXED(fmax) __TILESCOPE_MIXED(fmod) __TILESCOPE_MIXED(atan2)
#undef __TILESCOPE_MIXED

namespace std {
using ::sqrt; using ::exp; using ::exp2; using ::log; using ::log2; using ::log10; using ::pow; using ::sin; using ::cos; using ::tan;
using ::tanh; using ::floor; using ::ceil; using ::round; using ::trunc; using ::fabs; using ::abs; using ::fmin; using ::fmax;
using ::fma; using ::fmod; using ::min; using ::max; using ::isnan; using ::isinf; using ::isfinite; using ::printf;
template <class T> __host__ __device__ void swap(T& a, T& b) { T c = std::move(a); a = std::move(b); b = std::move(c); }
}

// A GPU has no wider copy for what may lie anywhere: byte by byte.
inline __host__ __device__ void* memcpy(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(to)[i] = static_cast<const unsigned char*>(from)[i];
    return to;
}
inline __host__ __device__ void* memset(void* to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(value);
    return to;
}
namespace std { using ::memcpy; using ::memset; }
#define __builtin_memcpy(to, from, bytes) memcpy(to, from, bytes)
#define __builtin_memset(to, value, bytes) memset(to, value, bytes)

// What compilers call bits and floating-point functions by.
inline __device__ int __ones(unsigned long long x) { return __popcll(x); }
inline __host__ int __ones(unsigned long long x) { int n = 0; for (; x; x &= x - 1) n = n + 1; return n; }
inline __device__ int __leading(unsigned x) { return __clz(static_cast<int>(x)); }
inline __host__ int __leading(unsigned x) { int n = 0; for (unsigned bit = 1u << 31; bit && !(x & bit); bit >>= 1) n = n + 1; return n; }
inline __device__ int __leading_ll(unsigned long long x) { return __clzll(static_cast<long long>(x)); }
inline __host__ int __leading_ll(unsigned long long x) { int n = 0; for (unsigned long long bit = 1ull << 63; bit && !(x & bit); bit >>= 1) n = n + 1; return n; }
inline __device__ int __first_one(unsigned long long x) { return __ffsll(static_cast<long long>(x)); }
inline __host__ int __first_one(unsigned long long x) { int n = 1; if (!x) return 0; for (; !(x & 1); x >>= 1) n = n + 1; return n; }
#define __builtin_popcount(x) __ones(static_cast<unsigned>(x))
#define __builtin_popcountl(x) __ones(x)
#define __builtin_popcountll(x) __ones(x)
#define __builtin_parity(x) (__ones(static_cast<unsigned>(x)) & 1)
#define __builtin_clz(x) __leading(x)
#define __builtin_clzll(x) __leading_ll(x)
#define __builtin_clzl(x) __leading_ll(x)
#define __builtin_ffs(x) __first_one(static_cast<unsigned>(x))
#define __builtin_ffsll(x) __first_one(x)
#define __builtin_ctz(x) (__first_one(static_cast<unsigned>(x)) - 1)
#define __builtin_ctzll(x) (__first_one(x) - 1)
#define __builtin_abs(x) abs(x)
#define __builtin_fabsf(x) fabsf(x)
#define __builtin_fabs(x) fabs(x)
#define __builtin_sqrtf(x) sqrtf(x)
#define __builtin_sqrt(x) sqrt(x)
#define __builtin_fmaf(x, y, z) fmaf(x, y, z)
#define __builtin_fma(x, y, z) fma(x, y, z)
#define __builtin_trap() __trap()

// Minima and maxima with their types in their names.
inline __device__ unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline __device__ unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline __device__ long long llmin(long long a, long long b) { return min(a, b); }
inline __device__ long long llmax(long long a, long long b) { return max(a, b); }
inline __device__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline __device__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Of the device's heap.
__host__ __device__ void* malloc(size_t);
__host__ __device__ void free(void*);

// Where a block is in its cluster, the cluster's barrier, and other blocks' shared memory.
#define __TILESCOPE_PLACE(name, what) \
    inline __device__ dim3 name() { \
        dim3 r; \
        asm volatile("mov.u32 %0, %%" what ".x;\nmov.u32 %1, %%" what ".y;\nmov.u32 %2, %%" what ".z;" : "=r"(r.x), "=r"(r.y), "=r"(r.z)); \
        return r; \
    }
__TILESCOPE_PLACE(__clusterDim, "cluster_nctaid") __TILESCOPE_PLACE(__clusterRelativeBlockIdx, "cluster_ctaid")
__TILESCOPE_PLACE(__clusterIdx, "clusterid") __TILESCOPE_PLACE(__clusterGridDimInClusters, "nclusterid")
#undef __TILESCOPE_PLACE
inline __device__ unsigned __clusterRelativeBlockRank() { unsigned r; asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r)); return r; }
inline __device__ unsigned __clusterSizeInBlocks() { unsigned r; asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r)); return r; }
inline __device__ void __cluster_barrier_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
inline __device__ void __cluster_barrier_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
inline __device__ void __cluster_barrier_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
inline __device__ void __threadfence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }
inline __device__ void* __cluster_map_shared_rank(const void* address, unsigned rank) {
    unsigned long long r;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"(address), "r"(rank));
    return (void*)r;
}
inline __device__ unsigned __cluster_query_shared_rank(const void* address) {
    unsigned r;
    asm volatile("getctarank.u64 %0, %1;" : "=r"(r) : "l"(address));
    return r;
}
