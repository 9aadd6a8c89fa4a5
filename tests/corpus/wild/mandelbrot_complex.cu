// The Mandelbrot set with a complex number class, in a namespace; the host measures with chrono.
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <vector>

namespace fractal {

enum class Colouring : std::uint8_t { Steps, Inside };

template <typename T> struct Complex {
    T re, im;
    __host__ __device__ constexpr Complex(T re = T(0), T im = T(0)) : re(re), im(im) {}
    __host__ __device__ friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
    __host__ __device__ friend Complex operator*(const Complex& a, const Complex& b)
    {
        return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
    __host__ __device__ Complex& operator+=(const Complex& other) { return *this = *this + other; }
    __host__ __device__ T norm() const { return re * re + im * im; }
};

struct View {
    double left, top, step;
    __host__ __device__ Complex<double> at(int column, int row) const { return {left + column * step, top - row * step}; }
};

namespace detail {
template <Colouring C> __device__ inline int colour(int steps, int most)
{
    if constexpr (C == Colouring::Steps) return steps;
    else return steps == most ? 1 : 0;
}
}  // namespace detail

template <Colouring C = Colouring::Steps> __global__ void mandelbrot(int* out, int width, int height, View view, int most)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const auto c = view.at(column, row);
    Complex<double> z;
    int steps = 0;
    while (steps < most && z.norm() <= 4.0) {
        z = z * z;
        z += c;
        ++steps;
    }
    out[row * width + column] = detail::colour<C>(steps, most);
}

}  // namespace fractal

int main()
{
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    thrust::device_vector<int> out(1920 * 1080);
    fractal::mandelbrot<fractal::Colouring::Inside><<<dim3(60, 34), dim3(32, 32)>>>(out.data().get(), 1920, 1080, {-2., 1.2, 0.002}, 256);
    cudaDeviceSynchronize();
    std::cout << std::setprecision(4) << std::chrono::duration<double, std::milli>(clock::now() - begin).count() << " ms\n";
}
