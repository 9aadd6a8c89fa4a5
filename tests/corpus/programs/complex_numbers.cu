// Complex numbers of the C++ library: a recursive Fourier transform and what is printed of them.
#include <complex>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <vector>
#include <cuda_runtime.h>
using cd = std::complex<double>;
static void fft(std::vector<cd>& a, bool inverse) {
    int n = a.size();
    if (n == 1) return;
    std::vector<cd> even(n / 2), odd(n / 2);
    for (int i = 0; i < n / 2; ++i) { even[i] = a[2 * i]; odd[i] = a[2 * i + 1]; }
    fft(even, inverse); fft(odd, inverse);
    cd w(1), step = std::polar(1.0, (inverse ? -2 : 2) * M_PI / n);
    for (int i = 0; i < n / 2; ++i) { a[i] = even[i] + w * odd[i]; a[i + n / 2] = even[i] - w * odd[i]; w *= step; }
}
int main() {
    std::vector<cd> v(8);
    for (int i = 0; i < 8; ++i) v[i] = cd(i, -i / 2.0);
    fft(v, false);
    for (auto& z : v) printf("%.4f %.4f\n", z.real(), z.imag());
    fft(v, true);
    for (auto& z : v) z /= 8;
    printf("%.3f %.3f %.3f\n", std::abs(v[3]), std::arg(v[3]), std::norm(v[3]));
    std::complex<float> f(3, 4);
    std::cout << f << ' ' << std::abs(f) << ' ' << f * 2.0f << ' ' << 1.0f / f << ' ' << std::conj(f) << ' ' << -f << '\n';
    cd z(1, 2); z *= cd(0, 1); z = z + 1.0; z.real(5);
    std::cout << std::fixed << std::setprecision(2) << z << ' ' << (z == cd(5, 1)) << ' ' << std::exp(cd(0, M_PI)) << '\n';
    int it = 0;
    for (cd c(-0.5, 0.5), w; it < 100 && std::norm(w) < 4; ++it) w = w * w + c;
    std::cout << it << '\n';
}
