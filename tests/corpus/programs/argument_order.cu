// In which order the arguments of a call are evaluated: those of functions and constructors from the last to the first, those in braces from the first.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
#include <algorithm>
#include <iostream>
#include <cuda_runtime.h>
struct V { int x, y, z; V(int a, int b, int c) : x(a), y(b), z(c) {} };
struct P { int x, y; };
static int k;
static int next() { return ++k; }
static std::string name() { return std::string(1, static_cast<char>('a' + k++)); }
static void show(const std::string& a, const std::string& b, int c) { printf("%s %s %d\n", a.c_str(), b.c_str(), c); }
static V made() { return V(next(), next(), next()); }
static V braces() { return {next(), next(), next()}; }
int main()
{
    V a(next(), next(), next()), b{next(), next(), next()}, c = V(next(), next(), next());
    printf("%d %d %d, %d %d %d, %d %d %d\n", a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
    V d = made(), e = braces(), *f = new V(next(), next(), next());
    printf("%d %d %d, %d %d %d, %d %d %d\n", d.x, d.y, d.z, e.x, e.y, e.z, f->x, f->y, f->z);
    delete f;
    float3 g = make_float3(next(), next(), next());
    P h = {next(), next()};
    std::pair<int, int> i(next(), next());
    auto j = std::make_pair(next(), next());
    printf("%g %g %g, %d %d, %d %d, %d %d\n", g.x, g.y, g.z, h.x, h.y, i.first, i.second, j.first, j.second);
    printf("%d %d %d\n", next(), next(), std::max(next(), 2));
    k = 0;
    show(name(), name(), next());
    std::vector<P> ps; ps.push_back({next(), next()});
    std::vector<V> vs; vs.emplace_back(next(), next(), next()); vs.push_back(V(next(), next(), next()));
    std::cout << ps[0].x << ' ' << ps[0].y << ' ' << vs[0].x << ' ' << vs[0].z << ' ' << vs[1].x << ' ' << next() << ' ' << next() << '\n';
    srand(7);
    V r(rand() % 10, rand() % 10, rand() % 10);
    printf("%d %d %d\n", r.x, r.y, r.z);
    auto l = [](int u, int v) { return u * 10 + v; };
    k = 0;
    printf("%d\n", l(next(), next()));
    int arr[3] = {next(), next(), next()};
    printf("%d%d%d %d\n", arr[0], arr[1], arr[2], next() * 2 - next());
}
