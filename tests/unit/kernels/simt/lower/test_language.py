"""C++ as kernels are written in it: each construct is executed, and its value compared with what the language says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.launches.simt_launch import launch, result

PAIR = "struct P { float x, y; };"
THREADS = np.arange(32, dtype=np.float32)

# what is stored in out[threadIdx.x] (t), after which statements, with what before the kernel, and its value
LOOPS = [
    ("s", "float v[4] = {1, 2, 3, 4}; float s = 0; for (float x : v) s += x;", "", 10),
    ("v[3]", "float v[4] = {1, 2, 3, 4}; for (float& x : v) x *= 2;", "", 8),
    ("s", "int v[3] = {1, 2, 3}; int s = 0; for (auto x : v) { if (x == 2) continue; s += x; }", "", 4),
    ("s", "double s = 0; float v[2] = {0.5f, 2}; for (const double x : v) s += x;", "", 2.5),
    ("s", "float v[2][2] = {{1, 2}, {3, 4}}; float s = 0; for (auto& row : v) for (float x : row) s = 2 * s + x;", "", 26),
    ("s", "__shared__ float v[32]; v[t] = t; __syncthreads(); float s = 0; for (const auto& x : v) s += x;", "", 496),
    ("s", "float s = 0; for (int d : {-1, 0, 5}) s += d;", "", 4),
    ("s", "float s = 0; for (int d : {t, 2 * t, 1}) s += d;", "", 3 * THREADS + 1),
    ("s", "P v[2] = {{1, 2}, {3, 4}}; float s = 0; for (const auto& [x, y] : v) s += x * y;", PAIR, 14),
    ("s", "P v[2] = {{1, 2}, {3, 4}}; float s = 0; for (P p : v) s += p.y;", PAIR, 6),
    ("s", "float s = 0; for (float x : table) s += x;", "__constant__ float table[3] = {1, 2, 4};", 7),
    ("s", "float s = 0;\n#pragma unroll\nfor (float x : {1.f, 2.f}) s += x;", "", 3),
    ("s", "float s = 0;\n#pragma unroll 4\nfor (int i = 0; i < 8; ++i) s += i;", "", 28),
    ("s", "constexpr int U = 4; float s = 0;\n#pragma unroll (U * 2)\nfor (int i = 0; i < 8; ++i) s += i;", "", 28),
    ("s", "float s = 0; if (int m = t * 2; m > 3) s = m;", "", np.where(THREADS > 1, 2 * THREADS, 0)),
    ("s", "float s = 0; switch (int q = t % 3; q) { case 0: s = 1; break; default: s = q * 10; }", "", np.array([1, 10,
     20])[np.arange(32) % 3]),
    ("s", "float s = 0; switch (int q = t % 3) { case 0: s = 1; break; default: s = q * 10; }", "", np.array([1, 10,
     20])[np.arange(32) % 3]),
]  # fmt: skip
BINDINGS = [
    ("x + 10 * y", "P p{1, 2}; auto [x, y] = p; p.x = 7;", PAIR, 21),
    ("p.x + y", "P p{1, 2}; auto& [x, y] = p; x = 5;", PAIR, 7),
    ("x + y", "auto [x, y] = f(t);", PAIR + "__device__ P f(float v) { return {v, v + 1}; }", 2 * THREADS + 1),
    ("x - y", "float v[2] = {4, 1}; auto [x, y] = v; v[0] = 0;", "", 3),
    ("y[1] + x", "float v[2][2] = {{4, 1}, {2, 3}}; auto& [x_, y] = v; float x = x_[0];", "", 7),
    ("x - y", "const float2 v = make_float2(1, 2); const auto [x, y] = v;", "", -1),
    ("s[t].x + y", "__shared__ P s[32]; auto& [x, y] = s[t]; x = 1; y = 2;", PAIR, 3),
    ("q.x + 10 * q.y", "P p{.x = 1, .y = 2}; P q = {.y = p.y};", PAIR, 20),
    ("q.p.y + q.n", "Q q{.p = {.y = 3}, .n = 2};", PAIR + "struct Q { P p; int n; };", 5),
    ("q.x + q.y", "D q{.y = 1};", "struct D { float x = 4; float y = 5; };", 5),
]
LAMBDAS = [
    ("f(t)", "auto f = [](float x) { return x * 2; };", "", 2 * THREADS),
    ("s", "float s = 0; auto f = [&](float x) { s += x; }; f(1); f(t);", "", THREADS + 1),
    ("f(1)", "float s = 3; auto f = [=](float x) { return s + x; }; s = 100;", "", 4),
    ("f(1)", "float s = 3; int n = t; auto f = [s, &n](float x) { return s + x + n; }; s = 100; n = 5;", "", 9),
    ("f(1)", "int n = t; auto f = [q = n * 2](float x) { return q + x; }; n = 0;", "", 2 * THREADS + 1),
    ("10 * f() + c", "int c = 0; auto f = [c]() mutable { return ++c; }; f();", "", 20),
    ("s", "float s = [&] { if (t > 3) return 1.f; return 2.f; }();", "", np.where(THREADS > 3, 1, 2)),
    ("sq(3) + sq(0.5f)", "auto sq = [](auto x) { return x * x; };", "", 9.25),
    ("apply([=](float x) { return x + n; }, 3.f)", "int n = t;",
     "template <class F> __device__ float apply(F f, float x) { return f(x); }", THREADS + 3),
    ("s", "float s = 0; each(4, [&](int i) { s += i; });",
     "template <class F> __device__ void each(int m, F&& f) { for (int i = 0; i < m; ++i) f(i); }", 6),
    ("twice(f, t)", "int n = 1; const auto f = [n](float x) { return 3 * x + n; };",
     "template <class F> __device__ float once(const F& f, float x) { return f(x); }"
     "template <class F> __device__ float twice(F f, float x) { return once(f, once(f, x)); }", 9 * THREADS + 4),
    ("v[2]", "float v[4] = {1, 2, 3, 4}; auto at = [&](int i) -> float& { return v[i]; }; at(2) = 9;", "", 9),
    ("f(3)", "int n = 1; auto f = [&](int i) { auto g = [&](int j) { return i * j + n; }; return g(2); };", "", 7),
    ("f(1)", "int n = t; auto f = [=] __device__ (int i) { return i + n; };", "", THREADS + 1),
    ("s.f(4)", "S s{3};", "struct S { float v; __device__ float f(float x) { auto g = [this, x](float y) { return v * "
     "y + x; }; return g(2); } };", 10),
    ("v.y", "auto f = [](float x) { return make_float2(x, x + 1); }; auto v = f(2);", "", 3),
    ("s", "auto f = [](int i) { return 2 * i; }; int s = 0; for (int i = 0; i < 3; ++i) s += f(i);", "", 6),
    ("twice(3)", "", "constexpr auto twice = [](int x) { return 2 * x; };", 6),
    ("a(1) * b(1)", "auto a = [](int x) { return x + 1; }, b = a;", "", 4),
    ("f<int>(1) + f<float>(1)", "", "template <class T> __device__ T f(T x) { T k = T(5) / 2; auto g = [&](T y) { return k * y; "
     "}; return g(x); }", 4.5),
    ("best([](float a, float b) { return a > b; })", "",
     "template <class C> __device__ float best(C c) { float m = 1; for (float x = 0; x < 5; ++x) if (c(x, m)) m = x; return m; }", 4),
]  # fmt: skip
BYTES = [
    ("u == 0x3fc00000u", "float f = 1.5f; unsigned u; memcpy(&u, &f, sizeof u);", "", 1),
    ("c[0] + c[1]", "float v[2] = {3, 4}, c[2]; memcpy(c, v, sizeof(v));", "", 7),
    ("c[1]", "float c[2]; memset(c, 0, sizeof(c));", "", 0),
    ("c == -1", "int c; memset(&c, 0xff, 4);", "", 1),
    ("p.x + p.y", "P p{1, 2}; memset(&p, 0, sizeof(P)); p.x = 3;", PAIR, 3),
    ("s[31 - t]", "__shared__ int s[32]; int mine = t; memcpy(&s[t], &mine, 4); __syncthreads();", "", 31 - THREADS),
    ("reinterpret_cast<float4*>(v)->w", "alignas(float4) float v[4] = {1, 2, 3, 4};", "", 4),
    ("s[t].w", "__shared__ alignas(16) float raw[128]; float4* s = reinterpret_cast<float4*>(raw); s[t] = make_float4(1, 2, 3, t);", "",
     THREADS),
    ("v[t]", "__shared__ alignas(double) float v[32]; v[t] = t;", "", THREADS),
    ("alignof(Q)", "", "struct alignas(double) Q { float x, y; };", 8),
    ("alignof(Q) + alignof(R<float2>)", "", "struct alignas(4 * sizeof(float)) Q { float x; }; template <class T> struct alignas(T) R { "
     "T v; };", 24),
    ("sizeof(Q)", "", "struct __align__(sizeof(float2)) Q { float x, y; };", 8),
]  # fmt: skip
TYPES = [
    ("f<int>() + 10 * f<float>()", "",
     "#include <type_traits>\ntemplate <class T> __device__ float f() { if constexpr (std::is_same_v<T, "
     "float>) return 1; else return 2; }", 12),
    ("std::is_same_v<int, float> ? 1 : 2", "", "#include <type_traits>\n", 2),
    ("square(3) + lg(t + 64) + sizeof(v)", "__shared__ char v[square(4)];",
     "constexpr int square(int x) { return x * x; } __host__ __device__ constexpr int lg(int x) "
     "{ int r = 0; while (x > 1) { x /= 2; ++r; } return r; }", 31),
    ("o == Op::Mul ? 5 : f<Op::Add>()", "Op o = Op::Add; if (t) o = Op::Mul; static_assert(sizeof(Op) == 1, \"small\");",
     "enum class Op : unsigned char { Add, Mul }; template <Op o> __device__ float f() { return o == Op::Add ? 6 : 7; }",
     np.where(THREADS > 0, 5, 6)),
    ("f(1) + f(1, 2)", "", "__device__ float f(float x, float y = 10) { return x + y; }", 14),
    ("v.w - dot(v, v)", "float4 v = make_float4(1, 2, 3, 4); v = v + v * 2.f; v += v; v = -v;", """
inline __host__ __device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
inline __host__ __device__ float4 operator-(float4 &a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
inline __host__ __device__ void operator+=(float4 &a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }""", -1104),
    ("w.x + w[1] + (v == w) + v.length()", "V v(3, 4); V w = v + V(3); w[1] = 7;", """
struct V { float x, y; __device__ V(float a, float b) : x(a), y(b) {} __device__ explicit V(float s) : x(s), y(s) {}
    __device__ V operator+(const V& o) const { return V(x + o.x, y + o.y); } __device__ float& operator[](int i) { return i ? y : x; }
    __device__ bool operator==(const V& o) const { return x == o.x && y == o.y; }
    __device__ float length() const { return sqrtf(x * x + y * y); } };""", 18),
    ("Vec<float>{1, 2}.y", "using T = float; typedef int I; I i = t; T v = i;",
     "template <class T> struct Two { T x, y; }; template <class T> using Vec = Two<T>;", 2),
    ("m::n::f(1) + C", "using namespace m;", "namespace m { constexpr int C = 4; namespace n { __device__ float f(float x) { return x; } "
     "} }", 5),
    ("Tile<float, 4, Row<8>>::get(3)", "", """
template <int N> struct Row { static constexpr int n = N; template <int M> struct In { static constexpr int v = N * M; }; };
template <class T, int K, class R> struct Tile {
    static __device__ T get(int i) { return T(i * K + R::n + R::template In<2>::v); } };""", 36),
    ("s[31 - t]", "extern __shared__ unsigned char raw[]; float* s = reinterpret_cast<float*>(raw); s[t] = t; __syncthreads();", "",
     31 - THREADS),
    ("min(1, 2) + max(1u, 2u) + min(1.f, 2.f) + max(1.0, 2.f) + min(3, 2u) + max(3ll, 2ll) + min(size_t(3), "
     "size_t(4)) + std::min(1, 2)", "", "#include <algorithm>\n", 15),
    ("s[t].z", "float3 v[3]; for (int i = 0; i < 3; ++i) v[i] = make_float3(i, i + 1, i + 2); __shared__ float3 s[32]; s[t] = v[2];",
     "", 4),
    ("d.x * d.y * d.z + e.x + u.x + id(threadIdx, blockDim)", "dim3 d(2, 3); dim3 e = blockDim; uint3 u = threadIdx;",
     "__device__ int id(uint3 t, dim3 b) { return t.x + t.y * b.x; }", 38 + 2 * THREADS),
    ("c[3].im + c[t % 4].re", "Complex c[4]; c[3].im = 5;", "struct Complex { float re, im; __device__ Complex() : re(2), im(0) {} };",
     7),
    ("s.m[1].v + s.w", "S s;", "struct M { float v; __device__ M() : v(3) {} }; struct S { M m[2]; float w = 2 * m[0].v; };", 9),
    ("s[1].m.v + s[1].m.w", "S s[2];", "struct M { float v = 3; float w = v * 2; }; struct S { M m; };", 9),
    ("s.m.v + s.q", "S s(1);", "struct M { float v = 3; }; struct S { M m; float q; __device__ S(float x) : q(x) {} };", 4),
    ("s.m.v", "S s;", "template <class T> struct M { T v; __device__ M() : v(3) {} }; struct S { M<float> m{}; };", 3),
    ("v[2].v", "M<float> v[3];", "template <class T> struct M { T v; __device__ M() : v(3) {} __device__ ~M() {} };", 3),
    ("d.f()", "D<int> d;", "template <class T> struct B { __device__ float f() { return static_cast<T*>(this)->g(); } };"
     "template <class T> struct D : B<D<T>> { __device__ float g() { return 4; } };", 4),
    ("sum(1, 2.f, 3) + fold(1, 2.f)", "", "template <class T> __device__ float sum(T x) { return x; } template <class T, class... R> "
     "__device__ float sum(T x, R... r) { return x + sum(r...); } template <class... R> __device__ "
     "float fold(R... r) { return (r + ...); }", 9),
]  # fmt: skip
CASES = [*LOOPS, *BINDINGS, *LAMBDAS, *BYTES, *TYPES]


@pytest.mark.parametrize(("value", "statements", "before", "expected"), CASES, ids=[f"{case[1]} {case[0]}"[:60] for case in CASES])
def test_it_is_executed(value: str, statements: str, before: str, expected: object) -> None:
    text = f"{before}\n__global__ void k(float* out) {{\nint t = threadIdx.x;\n{statements}\nout[t] = {value};\n}}"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.float32)}, shared_bytes=128)
    assert found.findings == ()
    np.testing.assert_array_equal(found.values["out"], np.broadcast_to(np.asarray(expected, np.float32), 32))


PRINTED = [
    ('printf("%s %d\\n", "words", n);', "", ["words 7\n"]),
    ('const char* s = "words"; printf("%s|%-6s|%.2s", s, "ab", s);', "", ["words|ab    |wo"]),
    ('const char s[] = "words"; printf("%s", s);', "", ["words"]),
    ('char s[3]; s[0] = \'a\' + threadIdx.x; s[1] = \'b\'; s[2] = 0; printf("%s", s);', "", ["ab"]),
    ('printf("%s", n > 3 ? "more" : "less");', "", ["more"]),
    ('const char* s = n ? "yes" : "no"; printf("%s %c", s, s[1]);', "", ["yes e"]),
    ('say("hello", n);', '__device__ void say(const char* what, int n) { printf("%s %d", what, n); }', ["hello 7"]),
    ('printf("%s", names[n - 6]);', '__constant__ char names[2][4] = {"one", "two"};', ["two"]),
    ('printf("%s", NAME);', 'constexpr const char* NAME = "named";', ["named"]),
    ('printf("%s:%d", __func__, __LINE__);', "", ["k:3"]),
    ('const char* s = nullptr; printf("%s", s);', "", ["(null)"]),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "before", "texts"), PRINTED, ids=[case[0][:50] for case in PRINTED])
def test_strings_are_printed(statements: str, before: str, texts: list[str]) -> None:
    text = f"{before}\n__global__ void k(int n) {{\n{statements}\n}}"
    found = launch(text, 1, 1, {"n": 7})
    assert [each.text for each in found.printed] == texts
    assert found.findings == ()


def test_a_string_chosen_by_each_thread_is_its_own() -> None:
    found = launch('__global__ void k(int n) { printf("%s", threadIdx.x % 2 ? "odd" : "even"); }', 1, 4, {"n": 7})
    assert [each.text for each in found.printed] == ["even", "odd", "even", "odd"]


def test_a_copy_of_bytes_is_seen_byte_by_byte() -> None:
    text = "__global__ void k(int* out, const int* in) { memcpy(out + threadIdx.x, in + threadIdx.x, sizeof(int)); }"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.int32), "in": np.arange(32, dtype=np.int32)})
    assert [site.bytes for site in found.sites] == [1, 1]
    assert {site.location.line for site in found.sites} == {1}
    np.testing.assert_array_equal(found.values["out"], np.arange(32))


def test_what_a_lambda_reads_is_read_at_its_line() -> None:
    text = """__global__ void k(int* out) {
__shared__ int s[32];
auto f = [&](int i) {
    return s[i]; };
s[threadIdx.x] = 3;
__syncthreads();
out[threadIdx.x] = f(threadIdx.x);
}"""
    found = launch(text, 1, 32, {"out": np.zeros(32, np.int32)})
    assert [site.location.line for site in found.sites if site.operation == "load"] == [4]
    assert result(text, 32, np.int32).tolist() == [3] * 32
