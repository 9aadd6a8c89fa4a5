// The mathematics of the C library on the host, and formats of integers with a width.
#include <cmath>
#include <cstdio>
#include <cinttypes>
#include <cstring>
#include <strings.h>
#include <cstdint>
#include <cuda_runtime.h>
int main() {
    double whole; float part = std::modf(-2.75, &whole);
    printf("%g %g %g %d %d\n", whole, part, std::modf(3.0f, &part), std::signbit(-0.0), std::signbit(1.0f));
    printf("%.6f %.6f %.6f %.6f %.6f\n", std::erfc(0.5), std::asinh(1.0), acosh(2.0f), atanh(0.25), std::tgamma(5.0));
    printf("%g %g %g %g\n", std::copysign(2.0, -1.0), fdim(5.0, 3), remainder(7.0, 4.0), std::nearbyint(2.5));
    printf("%ld %lld %ld\n", lrint(2.5), std::llround(-2.5), std::lround(2.4));
    printf("%" PRIx64 " %" PRIX32 " %" PRId64 "\n", UINT64_C(0xdeadbeefcafe), UINT32_C(48879), INT64_C(-5));
    printf("%d %d %d\n", strcasecmp("Hello", "hELLO"), strncasecmp("abcX", "ABCy", 3), strcasecmp("a", "B") < 0);
}
