"""Legal C++ in shapes that are seldom written: executed, or refused where it stands; never a failure of the interpreter's own."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.launchable import argument_types
from tests.launches.lowered import refused
from tests.launches.simt_launch import launch

SHAPES: dict[str, tuple[str, str, list[int]]] = {
    "address of an array": ("", "int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; a[0] = (&m)[0][1][2]; a[1] = (*&m)[0][2];", [6, 3]),
    "pointer to an array": ("", "int x[4] = {1, 2, 3, 4}, (*p)[4] = &x; a[0] = (*p)[2]; a[1] = p[0][1];", [3, 2]),
    "address of a pointer": ("", "(&a)[0][1] = 3; int** q = &a; (*q)[0] = 1;", [1, 3]),
    "index before the array": ("", "1[a] = 3; a[0] = 1[a] + n[a];", [6, 3]),
    "address and back": ("", "*&*(a + 1) = 3; a[0] = **(&a) + *&*&n;", [1, 3]),
    "member of a chosen struct": ("struct S { int x; };", "a[0] = (n ? S{1} : S{2}).x; a[1] = (S{6}).x;", [1, 6]),
    "struct as an array": ("struct S { int v[3]; };", "S s = {{1, 2, 3}}; a[0] = (&s)->v[1]; a[1] = (&s)[0].v[2];", [2, 3]),
    "arrays of no elements": (
        "struct S { int v[0]; };",
        "int x[0] = {}, y[2][0]; S s; S t[2] = {}; a[0] = sizeof(t) + sizeof(y) + 3;",
        [3],
    ),
    "steps of a pointer to structs": (
        "struct S { int c[2]; };",
        "S s[2] = {}; S* p = s; p->c[1] = 3; (++p)->c[1] = 5; p[-1].c[0] = 4; a[0] = s[1].c[1] + s[0].c[0];",
        [9],
    ),
    "letters of a string": ("", 'a[0] = "abc"[1]; a[1] = *"xyz";', [98, 120]),
    "comma before an index": ("", "a[1] = 7; a[0] = (n, a)[1]; (n ? a + 2 : a)[0] = 2;", [7, 7, 2]),
    "signs in a row": ("", "a[0] = -+-n; a[1] = !!n; a[2] = ~~n; a[3] = - -n;", [1, 1, 1, 1]),
    "declarations in conditions": ("", "if (int k = n; k > 2) a[k] = 1; else a[0] = k + 4; while (int k = n--) a[k] = k;", [5, 1]),
    "else of the inner if": ("", "if (n) if (n > 5) a[0] = 1; else a[0] = 2; else a[0] = 3;", [2]),
    "cases in a block": ("", "switch (n) { default: a[1] = 1; case 5: a[2] = 2; break; case 1: case 2: { a[1] = 9; } }", [0, 9, 0]),
    "rows of rows": (
        "",
        "int x[2][2][2] = {}; auto& y = x[1]; y[0][1] = 2; a[0] = (*(*(x + 1)))[1]; int (*z)[2] = x[1]; a[1] = z[0][1];",
        [2, 2],
    ),
    "conversions of a struct": (
        "struct S { int x; __device__ operator int() const { return x; } };",
        "S s{2}; a[0] = s + 1; if (s) a[1] = s;",
        [3, 2],
    ),
    "its own operators": (
        "struct V { int x; __device__ V& operator++() { ++x; return *this; } __device__ V operator++(int) { V t{x++}; return t; } };",
        "V v{1}; (++v).x += 5; a[0] = v++.x; a[1] = (++v).x;",
        [7, 9],
    ),
    "functions in brackets": ("__device__ int g(int x) { return x; }", "a[0] = (&g)(1); a[1] = (*g)(2); a[2] = (g)(3);", [1, 2, 3]),
    "a fold": ("template <class... T> __device__ int add(T... t) { return (t + ...); }", "a[0] = add(1, 2, 3);", [6]),
    "references to references": ("", "int x = 1, &r = x, &t = r; t = 5; a[0] = x; int* p = &r; *p = 6; a[1] = t;", [5, 6]),
    "reference to what is returned": (
        "__device__ int& ref(int* p) { return *p; }",
        "ref(a) = 5; ref(a + 1)++; a[2] = &ref(a) == a;",
        [5, 1, 1],
    ),
    "named array types": (
        "typedef int T4[4]; using M = int[2][2];",
        "T4 x = {1}; M m = {{1, 2}, {3, 4}}; M& r = m; a[0] = r[1][0] + x[0];",
        [4],
    ),
    "a pointer into the kernel's own struct": (
        "struct S { int* p; };",
        "S s{a}, t = s; t.p[0] = 2; (&s)->p[1] = 3; (&t)[0].p[2] = 4;",
        [2, 3, 4],
    ),
    "bool that is added to": ("", "bool b = true; b += 2; b |= n; a[0] = b; unsigned char u = 250; u++; u <<= 1; a[1] = u;", [1, 246]),
    "an assignment that is changed": ("", "(a[0] = 1) = 2; (a[1] += 3) *= 2; ++(a[2] = n); ++--a[3];", [2, 6, 2, 0]),
    "names that hide names": ("", "int k = n; { int k = 5; a[0] = k; } a[1] = k; (void)k; ;;", [5, 1]),
}


@pytest.mark.parametrize("shape", list(SHAPES))
def test_a_legal_shape_is_executed(shape: str) -> None:
    before, body, expected = SHAPES[shape]
    trace = launch(f"{before}\n__global__ void f(int* a, int n)\n{{\n{body}\n}}", 1, 1, {"a": np.zeros(8, np.int32), "n": 1})
    assert trace.findings == ()
    assert trace.values["a"][: len(expected)].tolist() == expected


def test_a_parameter_without_members_takes_no_argument() -> None:
    text = """struct Sum { __device__ int operator()(int a, int b) const { return a + b; } };
struct Scaled { Sum add; int by; __device__ int of(int a) const { return by * add(a, 1); } };
template <class F, class G> __global__ void f(int* a, F first, G second) { F copy = first; F* p = &copy; a[0] = (*p)(second.of(4), 2); }
template __global__ void f(int*, Sum, Scaled);
__global__ void g(int* a, Sum add, Scaled s) { a[0] = add(s.of(4), 2); Sum* p = &add; a[1] = (*p)(1, 2); }"""
    unit = parse(text)
    for entry, by in (("f<Sum, Scaled>", "second.by"), ("g", "s.by")):
        kernel = lower(unit, entry)
        trace = execute(kernel, LaunchRequest((1, 1, 1), (1, 1, 1), {"a": np.zeros(2, np.int32), by: 3}))
        assert trace.values["a"][0] == 17
        assert list(argument_types(kernel)) == ["a", by]


REFUSED = {
    "address of a parameter written as an array": ("__global__ void k(float m[4]) { m[0] = (&m)[0][1]; }", (1, 41)),
    "the same with rows": ("__global__ void k(float m[][4]) {\n  m[0][0] = (*&m)[1][2]; }", (2, 15)),
}


@pytest.mark.parametrize("shape", list(REFUSED))
def test_another_is_refused_where_it_stands(shape: str) -> None:
    text, place = REFUSED[shape]
    found = refused(text)
    assert (found[0].line, found[0].column) == place
    assert ":" in str(found[0].message), "what to write instead"
