// Matrix operations of a whole warp. Which lane holds which element of a fragment is not specified: a fragment is opaque, but for
// element-wise work over x[0 .. num_elements).

namespace nvcuda { namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; }

template <class T> struct __stored { typedef T type; };
template <> struct __stored<precision::tf32> { typedef float type; };

template <class Use, int M, int N, int K> struct __extent;
template <int M, int N, int K> struct __extent<matrix_a, M, N, K> { static constexpr int value = M * K / 32; };
template <int M, int N, int K> struct __extent<matrix_b, M, N, K> { static constexpr int value = K * N / 32; };
template <int M, int N, int K> struct __extent<accumulator, M, N, K> { static constexpr int value = M * N / 32; };

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    typedef typename __stored<T>::type element_type;
    static constexpr int num_elements = __extent<Use, M, N, K>::value;
    element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
__device__ void fill_fragment(fragment<Use, M, N, K, T, Layout>& target, const typename __stored<T>::type& value);
template <class Use, int M, int N, int K, class T, class Layout>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& target, const typename __stored<T>::type* source, unsigned stride);
template <int M, int N, int K, class T>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T>& target, const T* source, unsigned stride, layout_t layout);
template <int M, int N, int K, class T>
__device__ void store_matrix_sync(T* target, const fragment<accumulator, M, N, K, T>& source, unsigned stride, layout_t layout);
template <int M, int N, int K, class A, class B, class C, class D, class LayoutA, class LayoutB>
__device__ void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                         const fragment<matrix_b, M, N, K, B, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c,
                         bool saturate = false);
__device__ inline float __float_to_tf32(float value) {
    return __uint_as_float((__float_as_uint(value) + 0x1000u) & 0xffffe000u);
}
} }
