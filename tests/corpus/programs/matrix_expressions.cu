// A matrix class with operators whose products run on the device: copy and move, operator(), friends, a namespace, static members.
#include <cuda_runtime.h>
#include <initializer_list>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace linear {
namespace detail {
template <typename T> __global__ void product(const T* a, const T* b, T* c, unsigned rows, unsigned inner, unsigned columns)
{
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns) {
        T sum = T();
        for (unsigned k = 0; k < inner; ++k)
            sum += a[row * inner + k] * b[k * columns + column];
        c[row * columns + column] = sum;
    }
}
} // namespace detail

template <typename T> class Matrix {
  public:
    using value_type = T;
    static int copies, launches;
    Matrix(unsigned rows, unsigned columns) : rows_(rows), columns_(columns) { cudaMallocManaged(&data_, bytes()); zero(); }
    Matrix(std::initializer_list<std::initializer_list<T>> values) : Matrix(values.size(), values.begin()->size())
    {
        unsigned row = 0;
        for (const auto& line : values) {
            unsigned column = 0;
            for (const T& value : line)
                (*this)(row, column++) = value;
            ++row;
        }
    }
    Matrix(const Matrix& other) : Matrix(other.rows_, other.columns_)
    {
        ++copies;
        for (unsigned i = 0; i < rows_ * columns_; ++i)
            data_[i] = other.data_[i];
    }
    Matrix(Matrix&& other) noexcept : data_(std::exchange(other.data_, nullptr)), rows_(other.rows_), columns_(other.columns_) {}
    Matrix& operator=(Matrix other)
    {
        swap(*this, other);
        return *this;
    }
    ~Matrix() { cudaFree(data_); }
    T& operator()(unsigned row, unsigned column) { return data_[row * columns_ + column]; }
    const T& operator()(unsigned row, unsigned column) const { return data_[row * columns_ + column]; }
    Matrix& operator+=(const Matrix& other)
    {
        for (unsigned i = 0; i < rows_ * columns_; ++i)
            data_[i] += other.data_[i];
        return *this;
    }
    friend Matrix operator+(Matrix left, const Matrix& right) { return left += right; }
    friend Matrix operator*(const Matrix& a, const Matrix& b)
    {
        if (a.columns_ != b.rows_)
            throw std::invalid_argument("shapes do not fit");
        Matrix c(a.rows_, b.columns_);
        const dim3 block(4, 4), grid((c.columns_ + 3) / 4, (c.rows_ + 3) / 4);
        detail::product<T><<<grid, block>>>(a.data_, b.data_, c.data_, a.rows_, a.columns_, b.columns_);
        cudaDeviceSynchronize();
        ++launches;
        return c;
    }
    friend void swap(Matrix& a, Matrix& b) noexcept
    {
        std::swap(a.data_, b.data_);
        std::swap(a.rows_, b.rows_);
        std::swap(a.columns_, b.columns_);
    }
    friend std::ostream& operator<<(std::ostream& out, const Matrix& m)
    {
        for (unsigned row = 0; row < m.rows_; ++row)
            for (unsigned column = 0; column < m.columns_; ++column)
                out << m(row, column) << (column + 1 < m.columns_ ? '\t' : '\n');
        return out;
    }

  private:
    std::size_t bytes() const { return sizeof(T) * rows_ * columns_; }
    void zero() { cudaMemset(data_, 0, bytes()); cudaDeviceSynchronize(); }
    T* data_ = nullptr;
    unsigned rows_, columns_;
};
template <typename T> int Matrix<T>::copies = 0;
template <typename T> int Matrix<T>::launches = 0;

template <typename T> Matrix<T> power(Matrix<T> base, int exponent)
{
    Matrix<T> result = base;
    while (--exponent > 0)
        result = result * base;
    return result;
}
} // namespace linear

using linear::Matrix;

int main()
{
    Matrix<long long> fibonacci{{1, 1}, {1, 0}};
    std::cout << power(fibonacci, 40);
    Matrix<float> a{{1, 2, 3}, {4, 5, 6}}, b{{1, 0}, {0, 1}, {0.5f, -0.5f}};
    auto c = a * b + Matrix<float>{{10, 20}, {30, 40}};
    std::cout << c;
    try {
        std::cout << a * a;
    } catch (const std::invalid_argument& error) {
        std::cout << error.what() << std::endl;
    }
    std::cout << Matrix<long long>::launches << ' ' << Matrix<float>::launches << ' ' << Matrix<float>::copies << std::endl;
}
