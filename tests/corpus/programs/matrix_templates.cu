// A matrix by template: sizes as non-type parameters, constexpr, if constexpr, variadic templates, type traits, specialization.
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <cuda_runtime.h>

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
template <int N> struct Factorial { static constexpr long value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr long value = 1; };

template <typename T, int R, int C> struct Matrix {
    T cell[R][C];
    static constexpr int rows = R, columns = C;
    __host__ __device__ T &operator()(int r, int c) { return cell[r][c]; }
    __host__ __device__ const T &operator()(int r, int c) const { return cell[r][c]; }
    template <int K> __host__ __device__ Matrix<T, R, K> operator*(const Matrix<T, C, K> &other) const {
        Matrix<T, R, K> product{};
        for (int r = 0; r < R; ++r)
            for (int k = 0; k < K; ++k)
                for (int c = 0; c < C; ++c) product(r, k) += cell[r][c] * other(c, k);
        return product;
    }
};
template <typename T, int N> using Square = Matrix<T, N, N>;

template <typename T> const char *kind() {
    if constexpr (std::is_same_v<T, float>) return "float";
    else if constexpr (std::is_integral_v<T>) return sizeof(T) == 4 ? "int" : "long";
    else return "other";
}

template <typename T, int N> __global__ void powers(const Square<T, N> *in, Square<T, N> *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Square<T, N> m = in[i], sum = m;
        for (int k = 1; k < 3; ++k) sum = sum * m;
        out[i] = sum;
    }
}

template <typename... T> auto sum_of(T... values) { return (values + ... + 0); }
template <typename First> void print(First first) { printf("%g\n", (double)first); }
template <typename First, typename... Rest> void print(First first, Rest... rest) {
    printf("%g ", (double)first);
    print(rest...);
}

template <typename T, int N> void run(int n) {
    typedef Square<T, N> M;
    M *host = new M[n], *in, *out;
    for (int i = 0; i < n; ++i)
        for (int r = 0; r < N; ++r)
            for (int c = 0; c < N; ++c) host[i](r, c) = T((i + r * 2 + c) % 5) - 2;
    cudaMalloc(&in, n * sizeof(M));
    cudaMalloc(&out, n * sizeof(M));
    cudaMemcpy(in, host, n * sizeof(M), cudaMemcpyHostToDevice);
    powers<T, N><<<(n + 63) / 64, 64>>>(in, out, n);
    cudaMemcpy(host, out, n * sizeof(M), cudaMemcpyDeviceToHost);
    T trace = 0;
    for (int i = 0; i < n; ++i)
        for (int r = 0; r < M::rows; ++r) trace += host[i](r, r);
    printf("%s %d: %g\n", kind<T>(), N, (double)trace);
    cudaFree(in);
    cudaFree(out);
    delete[] host;
}

template <typename T> T largest(std::initializer_list<T> values) {
    T best = *values.begin();
    for (T v : values) best = v > best ? v : best;
    return best;
}

int main() {
    static_assert(power(2, 10) == 1024);
    constexpr int tile = power(2, 4);
    int tiles[tile] = {};
    tiles[tile - 1] = Factorial<6>::value;
    printf("%d %d %ld\n", tile, tiles[15], Factorial<12>::value);
    run<float, 2>(100);
    run<int, 3>(70);
    run<float, 4>(10);
    printf("%d %g\n", sum_of(1, 2, 3), (double)sum_of(0.5, 2));
    print(1, 2.5f, 'a');
    printf("%d %g\n", largest({3, 8, 5}), largest({0.5, -1.0}));
    Matrix<int, 2, 3> a = {{{1, 2, 3}, {4, 5, 6}}};
    Matrix<int, 3, 2> b = {{{1, 0}, {0, 1}, {1, 1}}};
    auto c = a * b;
    printf("%d %d %d %d\n", c(0, 0), c(0, 1), c(1, 0), c(1, 1));
    return 0;
}
