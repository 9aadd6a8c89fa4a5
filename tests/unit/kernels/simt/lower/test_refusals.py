"""What cannot be executed is refused at its line and column, with what to write instead; nothing else is said."""

from __future__ import annotations

import pytest

from tests.launches.lowered import refused

REFUSED = [
    # what stands in the kernel, what stands before it, where it is refused (the kernel's body is line 3 on), what the words contain
    ("n++;\n  asm volatile(\"bar.red.popc.u32 n;\");", "", (4, 17), "bar.red.popc.u32", "write it in CUDA C"),
    ("auto f = make(n); a[0] = f(n);", "__device__ auto make(int n) { return [=](int x) { return x + n; }; }", (3, 10), "lambda",
     "__device__ function"),
    ("auto f = [](int x) { return x; }; auto g = [](int x) { return 2 * x; }; a[0] = (n ? +f : ""+g)(n);", "", (3, 10), "as a value",
     "its name"),
    ("auto g = [](int x) { return x; }; F<decltype(g)> f{g}; a[0] = f.g(n);", "template <class G> struct F { G g; };", (3, 50), "lambda",
     "__device__ function"),
    ("float b[2]; auto f = [=](int x) { return b[x]; }; a[0] = f(n);", "", (3, 42), "copies an array", "[&]"),
    ("if (n) goto inside; for (;;) { inside: n = 2; break; }", "", (3, 8), "goto leads into a block", "around it"),
    ("V v; a[0] = v.f();", "struct V { virtual __device__ float f() { return 1; } };", (3, 3), "Virtual", "template"),
    ("a[0] = tex2D<float>(t, 0.f, 0.f);", "texture<float, 2, cudaReadModeElementType> t;", (1, 1), "References to a texture", "array"),
    ("surf2Dwrite(a[0], s, 4, 0);", "surface<void, 2> s;", (1, 1), "References to a surface", "array"),
    ("cudaTextureObject_t t = 0; a[0] = tex3D<float>(t, 0.f, 0.f, 0.f);", "", (3, 35), "tex3D", "Use an array"),
    ("cudaSurfaceObject_t s = 0; surf3Dwrite(a[0], s, 4, 0, 0);", "", (3, 28), "surf3Dwrite", "Use an array"),
    ("textual(a);", "__device__ void textual(float*);", (3, 1), "no body", "define"),
    ("for (float x : B{}) a[0] += x;", "struct B { float v[2]; __device__ const float* begin() const { return v; }"
     " __device__ const float* end() const { return v + 2; } };", (3, 16), "anything but an array", "int i = 0"),
    ("a[0] = t[1];", "__constant__ int t[1 << 20] = {1};", (1, 18), "too large", "argument"),
    ("S s{a}; s.p[0] = 2;", "struct S { float* p; __device__ ~S() { p[0] = 1; } };", (3, 3), "Destructors", "where the object ends"),
    ("T t{{a}}; t.s.p[0] = 2;", "template <class E> struct S { E* p; __device__ ~S() { p[0] = 1; } }; struct T { S<float> s; };",
     (3, 3), "~S", "where the object ends"),
    ("a[0] = f(S(a));", "struct S { float* p; __device__ S(float* q) : p(q) {} __device__ ~S() { p[0] = 1; } };"
     "__device__ float f(const S& s) { return 1; }", (3, 10), "Destructors", "where the object ends"),
    ("V<float> v; a[0] = v.f();", "template <class T> struct V { virtual __device__ T f() { return 1; } };", (3, 10), "Virtual",
     "template"),
    ("D<float> d; d.y = 1;", "template <class T> struct B { T x; }; template <class T> struct D : B<T> { T y; };",
     (3, 10), "base class", "member"),
    ("S s; a[0] = s.m.v;", "template <class T> struct M { T v; __device__ M() : v(3) {} }; struct S { M<float> m; };",
     (1, 84), "in a template", "{}"),
    ("F f; (f.x = 1) = n;", "struct F { int x : 3; };", (3, 9), "x is a bit-field", "statement of its own"),
    ("F f; (n ? f.x : f.y) = n;", "struct F { int x : 3, y : 3; };", (3, 7), "x is a bit-field", "statement of its own"),
    ("R r{n}; r.x = 1;", "struct R { int& x; };", (3, 3), "reference as a member", "pointer"),
    ("static int s = 0; s++;", "", (3, 12), "static", "__shared__"),
    ("n = ({ int t = 3; t; });", "", (3, 5), "block used as a value", "__device__ function"),
    ("n = n ?: 4;", "", (3, 5), "?:", "a ? a : b"),
    ("switch (n) { case 1 ... 3000: n = 1; }", "", (3, 31), "range of more than 1024", "write an if"),
    ("switch (n) { case 1: if (n) { case 2: n = 3; } }", "", (3, 31), "case within", "directly"),
    ('printf(n ? "a" : "b");', "", (3, 8), "format of printf", "write printf"),
    ('const char32_t* s = U"abc"; n = s[0];', "", (3, 21), "strings of char", "without a letter"),
    ("n = declared(n);", "__device__ int declared(int);", (3, 5), "declared has no body", "define it"),
    ("for (int i = 0; int j = n - i; ++i) a[j] = 0;", "", (3, 21), "condition of for", "declare it before"),
    ("long double d = n; a[0] = d;", "", (3, 13), "long double", "another number type"),
    ("c[0] = 1;", "__constant__ float c[3];", (3, 1), "c is constant", "Declare it __device__"),
    ("int v[3] = {[1] = 2}; a[0] = v[1];", "", (3, 13), "by number", "in order"),
    ("Q q = {.p.x = 1}; a[0] = q.p.x;", "struct P { float x; }; struct Q { P p; };", (3, 8), "by itself", "braces"),
]  # fmt: skip


@pytest.mark.parametrize(("statements", "before", "place", "what", "instead"), REFUSED, ids=[case[0][:40] for case in REFUSED])
def test_refused(statements: str, before: str, place: tuple[int, int], what: str, instead: str) -> None:
    found = refused(f"{before}\n__global__ void k(float* a, int n) {{\n{statements}\n}}")
    assert [(each.line, each.column) for each in found] == [place]
    assert what in str(found[0].message)
    assert instead in str(found[0].message)


def test_every_refusal_is_reported_in_order() -> None:
    text = """__device__ void helper() { asm("x;"); }
__global__ void k(int n) {
    for (;;) {
        if (n) { asm("a"); n = n ?: 1; } else goto end;
    }
    helper(); helper();
end: asm("b");
}"""
    assert [(each.line, each.column) for each in refused(text)] == [(1, 33), (4, 23), (4, 32), (7, 11)]


def test_what_the_compiler_refuses_comes_first() -> None:
    found = refused('__global__ void k(int n) { asm(""); n = unknown; }')
    assert ["unknown" in str(each.message) for each in found] == [True]


def test_deep_nesting_is_refused() -> None:
    functions = "\n".join(f"__device__ int f{i}(int x) {{ if (x) return f{i - 1}(x) + 1; return 0; }}" for i in range(1, 300))
    found = refused(f"__device__ int f0(int x) {{ return x; }}\n{functions}\n__global__ void k(int* a) {{ a[0] = f299(a[1]); }}")
    assert len(found) == 1
    assert "nested too deeply" in str(found[0].message)


def test_functions_that_multiply_are_refused_in_time() -> None:
    functions = "\n".join(f"__device__ void f{i}(int* a) {{ f{i - 1}(a); f{i - 1}(a); }}" for i in range(1, 40))
    found = refused(f"__device__ void f0(int* a) {{ a[0]++; }}\n{functions}\n__global__ void k(int* a) {{ f39(a); }}")
    assert [each.line for each in found] == [41]
    assert "when its functions are inlined" in str(found[0].message)


def test_large_arrays_are_not_written_out() -> None:
    assert "too large" in str(refused("__device__ int g[1 << 28] = {1};\n__global__ void k(int* a) { a[0] = g[1]; }")[0].message)
    text = "struct P { int b[1 << 28]; __device__ P() : b{} {} };\n__global__ void k(int* a) { P p; a[0] = p.b[1]; }"
    assert "loop" in str(refused(text)[0].message)
