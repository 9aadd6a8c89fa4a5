// What nvcc gives every program before its first line: keywords, built-in variables, small parts of the standard library.
// The vector types and the declarations of the known functions follow this text (declared_functions.py).

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __tilescope_text(...) #__VA_ARGS__
#define __cluster_dims__(...) __attribute__((annotate("cluster " __tilescope_text(__VA_ARGS__))))
#define offsetof(type, member) __builtin_offsetof(type, member)
#define __grid_constant__
#define __device_builtin__
#define __cudart_builtin__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// nvcc takes alignas after __shared__ as well; it is given a number or a type.
template <class T> constexpr unsigned long __tilescope_alignment() { return alignof(T); }
template <unsigned long bytes> constexpr unsigned long __tilescope_alignment() { return bytes; }
#define alignas(...) __attribute__((aligned(__tilescope_alignment<__VA_ARGS__>())))
#define CUDARTAPI
#define CUDART_CB

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef int clock_t;

#define NULL 0
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_EPSILON 1.1920928955078125e-07f
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.2204460492503130808e-16
#define INFINITY (__builtin_huge_valf())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define NAN (__builtin_nanf(""))
#define CUDART_INF_F (__builtin_huge_valf())
#define CUDART_INF (__builtin_huge_val())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_PI_F 3.14159265358979323846f
#define CUDART_PI 3.14159265358979323846
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define assert(...) __assertion(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__)

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::uint8_t;
using ::int16_t;
using ::uint16_t;
using ::int32_t;
using ::uint32_t;
using ::int64_t;
using ::uint64_t;

template <class E> class initializer_list {
    const E* elements;
    size_t count;
public:
    constexpr __host__ __device__ size_t size() const { return count; }
    constexpr __host__ __device__ const E* begin() const { return elements; }
    constexpr __host__ __device__ const E* end() const { return elements + count; }
};

template <class T, T v> struct integral_constant { static constexpr T value = v; typedef T value_type; };
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> constexpr __host__ __device__ remove_reference_t<T>&& move(T&& x) { return static_cast<remove_reference_t<T>&&>(x); }
template <class T> constexpr __host__ __device__ T&& forward(remove_reference_t<T>& x) { return static_cast<T&&>(x); }
#define __TILESCOPE_TRAIT(name) \
    template <class T> struct name : integral_constant<bool, __##name(T)> {}; \
    template <class T> inline constexpr bool name##_v = __##name(T);
__TILESCOPE_TRAIT(is_integral) __TILESCOPE_TRAIT(is_floating_point) __TILESCOPE_TRAIT(is_arithmetic) __TILESCOPE_TRAIT(is_pointer)
__TILESCOPE_TRAIT(is_signed) __TILESCOPE_TRAIT(is_unsigned) __TILESCOPE_TRAIT(is_const) __TILESCOPE_TRAIT(is_void) __TILESCOPE_TRAIT(is_array)
__TILESCOPE_TRAIT(is_class) __TILESCOPE_TRAIT(is_enum) __TILESCOPE_TRAIT(is_reference) __TILESCOPE_TRAIT(is_trivially_copyable)
#undef __TILESCOPE_TRAIT
template <class T, class U> struct is_base_of : integral_constant<bool, __is_base_of(T, U)> {};
template <class T, class U> inline constexpr bool is_base_of_v = __is_base_of(T, U);
template <class T, class U> struct is_convertible : integral_constant<bool, __is_convertible_to(T, U)> {};
template <class T, class U> inline constexpr bool is_convertible_v = __is_convertible_to(T, U);
template <class T> using decay_t = __decay(T);
template <class T> struct decay { typedef __decay(T) type; };
template <class T> using remove_pointer_t = __remove_pointer(T);
template <class T> struct remove_pointer { typedef __remove_pointer(T) type; };
template <class T> using remove_const_t = __remove_const(T);
template <class T> struct remove_const { typedef __remove_const(T) type; };
template <class...> using void_t = void;
template <class T> T&& declval() noexcept;
template <class F, class... A> using invoke_result_t = decltype(declval<F>()(declval<A>()...));
template <class F, class... A> struct invoke_result { typedef invoke_result_t<F, A...> type; };

template <class T> struct numeric_limits;
template <class T, T least, T most> struct __integer_limits {
    static constexpr bool is_integer = true;
    static constexpr __host__ __device__ T min() { return least; }
    static constexpr __host__ __device__ T lowest() { return least; }
    static constexpr __host__ __device__ T max() { return most; }
};
template <> struct numeric_limits<signed char> : __integer_limits<signed char, SCHAR_MIN, SCHAR_MAX> {};
template <> struct numeric_limits<unsigned char> : __integer_limits<unsigned char, 0, UCHAR_MAX> {};
template <> struct numeric_limits<short> : __integer_limits<short, SHRT_MIN, SHRT_MAX> {};
template <> struct numeric_limits<unsigned short> : __integer_limits<unsigned short, 0, USHRT_MAX> {};
template <> struct numeric_limits<int> : __integer_limits<int, INT_MIN, INT_MAX> {};
template <> struct numeric_limits<unsigned> : __integer_limits<unsigned, 0, UINT_MAX> {};
template <> struct numeric_limits<long> : __integer_limits<long, LONG_MIN, LONG_MAX> {};
template <> struct numeric_limits<unsigned long> : __integer_limits<unsigned long, 0, ULONG_MAX> {};
template <> struct numeric_limits<long long> : __integer_limits<long long, LLONG_MIN, LLONG_MAX> {};
template <> struct numeric_limits<unsigned long long> : __integer_limits<unsigned long long, 0, ULLONG_MAX> {};
template <> struct numeric_limits<float> {
    static constexpr bool is_integer = false;
    static constexpr __host__ __device__ float min() { return FLT_MIN; }
    static constexpr __host__ __device__ float lowest() { return -FLT_MAX; }
    static constexpr __host__ __device__ float max() { return FLT_MAX; }
    static constexpr __host__ __device__ float epsilon() { return FLT_EPSILON; }
    static constexpr __host__ __device__ float infinity() { return __builtin_huge_valf(); }
};
template <> struct numeric_limits<double> {
    static constexpr bool is_integer = false;
    static constexpr __host__ __device__ double min() { return DBL_MIN; }
    static constexpr __host__ __device__ double lowest() { return -DBL_MAX; }
    static constexpr __host__ __device__ double max() { return DBL_MAX; }
    static constexpr __host__ __device__ double epsilon() { return DBL_EPSILON; }
    static constexpr __host__ __device__ double infinity() { return __builtin_huge_val(); }
};
}

// Addresses as PTX counts them in a memory of its own.
__device__ inline size_t __cvta_generic_to_global(const void* p) { return (size_t)p; }
__device__ inline void* __cvta_global_to_generic(size_t address) { return (void*)address; }
__device__ inline size_t __cvta_generic_to_constant(const void* p) { return (size_t)p; }
__device__ inline unsigned __isShared(const void* p) { return (size_t)p >> 52 == 1; }

// Tensor maps: what cp.async.bulk.tensor reads them as. The bits are ours: NVIDIA does not tell its own.
typedef enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
typedef uint64_t cuuint64_t;
typedef uint32_t cuuint32_t;
typedef enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B } CUtensorMapInterleave;
typedef enum {
    CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA } CUtensorMapFloatOOBfill;
typedef struct __attribute__((aligned(64))) CUtensorMap_st {
    void* address;
    uint64_t kinds, size[5], stride[4], box[5];
} CUtensorMap;
inline __host__ __device__ CUresult cuTensorMapEncodeTiled(
    CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
    const cuuint32_t* box, const cuuint32_t* element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill)
{
    if (rank < 1 || rank > 5 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
        return CUDA_ERROR_INVALID_VALUE;
    map->address = address;
    map->kinds = rank | (uint64_t)type << 8 | (uint64_t)swizzle << 16;
    for (cuuint32_t i = 0; i < 5; ++i) {
        if (i < rank && (box[i] < 1 || box[i] > 256 || element_strides[i] != 1)) return CUDA_ERROR_INVALID_VALUE;
        map->size[i] = i < rank ? sizes[i] : 0;
        map->box[i] = i < rank ? box[i] : 0;
    }
    for (cuuint32_t i = 0; i < 4; ++i) {
        if (i + 1 < rank && strides[i] % 16) return CUDA_ERROR_INVALID_VALUE;
        map->stride[i] = i + 1 < rank ? strides[i] : 0;
    }
    return CUDA_SUCCESS;
}
