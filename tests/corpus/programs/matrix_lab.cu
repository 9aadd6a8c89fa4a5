// A matrix class as a course wants it: templates, namespaces, asserts, a result that is timed.
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

namespace la {
enum class Layout : uint8_t { RowMajor, ColMajor };

template <typename T, Layout L = Layout::RowMajor>
class Matrix {
    static_assert(std::is_floating_point<T>::value, "numbers only");
    std::size_t rows_ = 0, cols_ = 0;
    std::unique_ptr<T[]> data_;
public:
    using value_type = T;
    Matrix() = default;
    Matrix(std::size_t r, std::size_t c, T v = T{}) : rows_(r), cols_(c), data_(new T[r * c]) { fill(v); }
    Matrix(std::initializer_list<std::initializer_list<T>> rows) : Matrix(rows.size(), rows.begin()->size())
    {
        std::size_t i = 0;
        for (const auto& row : rows) {
            std::size_t j = 0;
            for (T v : row) (*this)(i, j++) = v;
            ++i;
        }
    }
    Matrix(const Matrix& o) : Matrix(o.rows_, o.cols_) { for (std::size_t i = 0; i < size(); ++i) data_[i] = o.data_[i]; }
    Matrix(Matrix&&) noexcept = default;
    Matrix& operator=(Matrix o) noexcept { swap(o); return *this; }
    void swap(Matrix& o) noexcept { std::swap(rows_, o.rows_); std::swap(cols_, o.cols_); std::swap(data_, o.data_); }
    void fill(T v) { for (std::size_t i = 0; i < size(); ++i) data_[i] = v; }
    T& operator()(std::size_t i, std::size_t j) { assert(i < rows_ && j < cols_); return data_[index(i, j)]; }
    const T& operator()(std::size_t i, std::size_t j) const { assert(i < rows_ && j < cols_); return data_[index(i, j)]; }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    std::size_t size() const noexcept { return rows_ * cols_; }
    T* data() noexcept { return data_.get(); }
    const T* data() const noexcept { return data_.get(); }
    Matrix& operator+=(const Matrix& o)
    {
        if (o.rows_ != rows_ || o.cols_ != cols_) throw std::invalid_argument("shapes differ");
        for (std::size_t i = 0; i < size(); ++i) data_[i] += o.data_[i];
        return *this;
    }
    friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
    friend std::ostream& operator<<(std::ostream& os, const Matrix& m)
    {
        for (std::size_t i = 0; i < m.rows_; ++i) {
            for (std::size_t j = 0; j < m.cols_; ++j) os << (j ? " " : "") << m(i, j);
            os << '\n';
        }
        return os;
    }
private:
    constexpr std::size_t index(std::size_t i, std::size_t j) const { return L == Layout::RowMajor ? i * cols_ + j : j * rows_ + i; }
};

template <typename T> __global__ void multiply(const T* a, const T* b, T* c, int m, int k, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || j >= n) return;
    T s = 0;
    for (int p = 0; p < k; ++p) s += a[i * k + p] * b[p * n + j];
    c[i * n + j] = s;
}

template <typename T> Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b)
{
    if (a.cols() != b.rows()) throw std::invalid_argument("inner sizes differ");
    Matrix<T> c(a.rows(), b.cols());
    T *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(T));
    cudaMalloc(&db, b.size() * sizeof(T));
    cudaMalloc(&dc, c.size() * sizeof(T));
    cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice);
    dim3 block(8, 8);
    dim3 grid(static_cast<unsigned>((b.cols() + 7) / 8), static_cast<unsigned>((a.rows() + 7) / 8));
    multiply<<<grid, block>>>(da, db, dc, static_cast<int>(a.rows()), static_cast<int>(a.cols()), static_cast<int>(b.cols()));
    cudaMemcpy(c.data(), dc, c.size() * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return c;
}
}

template <typename F, typename... Args> auto timed(F&& f, Args&&... args)
{
    auto begin = std::chrono::steady_clock::now();
    auto result = std::forward<F>(f)(std::forward<Args>(args)...);
    std::chrono::duration<double> d = std::chrono::steady_clock::now() - begin;
    return std::make_tuple(std::move(result), d.count());
}

int main()
{
    using M = la::Matrix<float>;
    M a{{1, 2, 3}, {4, 5, 6}}, b{{1, 0}, {0, 1}, {2, 2}};
    M c = a * b;
    std::cout << c << c + c;
    try {
        M d = a * a;
    } catch (const std::invalid_argument& e) {
        std::cout << "refused: " << e.what() << '\n';
    }
    auto [sum, seconds] = timed([](const M& m) { float s = 0; for (std::size_t i = 0; i < m.rows(); ++i) for (std::size_t j = 0; j < m.cols(); ++j) s += m(i, j); return s; }, c);
    std::cout << sum << ' ' << (seconds >= 0.0) << '\n';
    la::Matrix<double, la::Layout::ColMajor> col(2, 2, 0.25);
    col(1, 0) = -1;
    std::cout << col << col.data()[1] << ' ' << std::is_same<M::value_type, float>::value << '\n';
    auto p = std::make_shared<M>(2, 2, 7.0f);
    std::shared_ptr<M> q = p;
    std::cout << (*q)(1, 1) << ' ' << p.use_count() << '\n';
    return 0;
}
