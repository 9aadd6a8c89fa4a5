
// Complex numbers of the C++ library.

namespace std {
template <class T> struct complex {
    typedef T value_type;
    T re, im;
    __host__ constexpr complex(T real = T(), T imaginary = T()) : re(real), im(imaginary) {}
    template <class U> __host__ constexpr complex(const complex<U>& z) : re(static_cast<T>(z.real())), im(static_cast<T>(z.imag())) {}
    __host__ constexpr T real() const { return re; }
    __host__ constexpr T imag() const { return im; }
    __host__ void real(T v) { re = v; }
    __host__ void imag(T v) { im = v; }
    __host__ complex& operator+=(const complex& z) { re += z.re; im += z.im; return *this; }
    __host__ complex& operator-=(const complex& z) { re -= z.re; im -= z.im; return *this; }
    __host__ complex& operator*=(const complex& z) {
        T real = re * z.re - im * z.im;
        im = re * z.im + im * z.re;
        re = real;
        return *this;
    }
    __host__ complex& operator/=(const complex& z) {
        T size = z.re * z.re + z.im * z.im, real = (re * z.re + im * z.im) / size;
        im = (im * z.re - re * z.im) / size;
        re = real;
        return *this;
    }
    __host__ complex& operator+=(T v) { re += v; return *this; }
    __host__ complex& operator-=(T v) { re -= v; return *this; }
    __host__ complex& operator*=(T v) { re *= v; im *= v; return *this; }
    __host__ complex& operator/=(T v) { re /= v; im /= v; return *this; }
    __host__ complex operator-() const { return complex(-re, -im); }
    __host__ complex operator+() const { return *this; }
    __host__ bool operator==(const complex& z) const { return re == z.re && im == z.im; }
    __host__ bool operator!=(const complex& z) const { return !(*this == z); }
    __host__ friend complex operator+(complex a, const complex& b) { return a += b; }
    __host__ friend complex operator-(complex a, const complex& b) { return a -= b; }
    __host__ friend complex operator*(complex a, const complex& b) { return a *= b; }
    __host__ friend complex operator/(complex a, const complex& b) { return a /= b; }
    __host__ friend complex operator+(complex a, T b) { return a += b; }
    __host__ friend complex operator-(complex a, T b) { return a -= b; }
    __host__ friend complex operator*(complex a, T b) { return a *= b; }
    __host__ friend complex operator/(complex a, T b) { return a /= b; }
    __host__ friend complex operator+(T a, const complex& b) { return complex(a + b.re, b.im); }
    __host__ friend complex operator-(T a, const complex& b) { return complex(a - b.re, -b.im); }
    __host__ friend complex operator*(T a, const complex& b) { return complex(a * b.re, a * b.im); }
    __host__ friend complex operator/(T a, const complex& b) { return complex(a) /= b; }
};
template <class T> __host__ T real(const complex<T>& z) { return z.real(); }
template <class T> __host__ T imag(const complex<T>& z) { return z.imag(); }
template <class T> __host__ T abs(const complex<T>& z) { return hypot(z.real(), z.imag()); }
template <class T> __host__ T arg(const complex<T>& z) { return atan2(z.imag(), z.real()); }
template <class T> __host__ T norm(const complex<T>& z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> __host__ complex<T> conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
template <class T> __host__ complex<T> polar(T size, T angle = T()) { return complex<T>(size * cos(angle), size * sin(angle)); }
template <class T> __host__ complex<T> exp(const complex<T>& z) { return polar<T>(exp(z.real()), z.imag()); }
template <class T> __host__ ostream& operator<<(ostream& to, const complex<T>& z) {
    return to << '(' << z.real() << ',' << z.imag() << ')';
}
inline namespace literals {
inline __host__ complex<double> operator""i(long double v) { return complex<double>(0.0, static_cast<double>(v)); }
inline __host__ complex<double> operator""i(unsigned long long v) { return complex<double>(0.0, static_cast<double>(v)); }
}
namespace complex_literals { using namespace literals; }
}
