#include <cstdio>
#include <cstdint>
#include <climits>
#include <cmath>
__managed__ int shared_counter = 4;
__device__ unsigned long long table[2] = {1ull, 18446744073709551615ull};
__global__ void bump(int by) { if (threadIdx.x == 0) shared_counter += by; }
struct V { double x, y; V operator+(const V& o) const { return V{x + o.x, y + o.y}; } V& operator+=(const V& o) { x += o.x; y += o.y; return *this; } };
V make(double a) { V v = {a, 2 * a}; return v; }
template <class F> void each(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
int counter() { static int n = 10; return n++; }
const double LIMITS[] = {1.5, 2.5};
double scale = sqrt(16.0);
struct Grid { int w = 3, h = 4; int area() const; };
int Grid::area() const { return w * h; }
namespace deep { int value = 7; int get() { return value; } }
enum class Mode { A, B = 4 };
int main() {
  unsigned u = 4000000000u; switch (u) { case 4000000000u: printf("big\n"); break; default: printf("no\n"); }
  uint64_t w = ULLONG_MAX; printf("%llu %d\n", (unsigned long long)w, (int)(w >> 60));
  float inf = INFINITY; printf("%f %f %d\n", inf, -inf, std::isnan(inf - inf));
  bump<<<1, 32>>>(3); cudaDeviceSynchronize(); printf("%d\n", shared_counter);
  V s = make(1) + make(2); s += make(0.5); printf("%g %g\n", s.x, s.y);
  int sum = 0; each(5, [&](int i) { sum += i * i; }); printf("%d\n", sum);
  counter(); counter(); printf("%d %g %g\n", counter(), scale, LIMITS[1]);
  Grid g; printf("%d %d %d\n", g.area(), deep::get(), (int)Mode::B);
  auto square = [](double x) { return x * x; }; printf("%g\n", square(1.5));
  int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*row)[3] = a; printf("%d\n", row[1][2]);
  char buf[8] = "abc"; buf[3] = 'd'; buf[4] = 0; printf("%s %zu\n", buf, sizeof(buf));
  long long big = 1LL << 40; printf("%lld %d\n", big, (int)big);
  bool b = 5; b += 3; printf("%d %d\n", b, !b);
  int* p = new int(5); int* q = new int[3](); printf("%d %d\n", *p, q[2]); delete p; delete[] q;
  const char* t = u > 5 ? "yes" : "no"; printf("%s %c\n", t, t[1]);
  for (int i = 0, j = 10; i < j; i += 3, --j) printf("%d-%d ", i, j); printf("\n");
  uintptr_t addr = (uintptr_t)p; printf("%d\n", (int)(addr % 16));


  return 0;
}
