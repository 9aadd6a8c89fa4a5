"""Unions and base classes: what a kernel computes with them is what g++ says of the same text."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.launches.simt_launch import launch

BEFORE = """
union Word { float f; unsigned u; unsigned char b[4]; };
struct Tagged { int kind; union { float x; int i; }; struct { short low, high; }; };
struct Box { Word w; int n; };
__device__ inline Word made(float f) { Word w; w.f = f; return w; }
__device__ inline unsigned bits(Word w) { return w.u; }
struct A { int x; __device__ A(int v = 7) : x(v) {} __device__ int get() const { return x; } __device__ void set(int v) { x = v; } };
struct B { float y = 2; };
struct D : A, B { float z; __device__ D(float q) : A(3), z(q) {} __device__ float sum() const { return get() + y + z + A::x; } };
struct E : D { int x; __device__ E() : D(5), x(1) { set(11); y = 1; } };
struct P { int a; };
struct Q : P { int b; };
template <class T> struct Twice { __device__ int twice() { return 2 * static_cast<T*>(this)->x; } };
struct F : Twice<F> { int x = 4; };
__device__ inline int by_value(A a) { a.x += 1; return a.get(); }
__device__ inline int by_reference(A& a) { a.x += 1; return a.x; }
__device__ inline float by_pointer(B* b) { return b->y; }
"""
CASES = [
    ("w.f", "Word w; w.u = 0x40490fdb + t;"),
    ("w.b[t % 4]", "Word w = {1.5f}; w.b[0] = t;"),
    ("v.f + bits(made(2)) + made(t).f", "Word w = {1.5f}, v; v = w; v.b[3] |= 0x80;"),
    ("w[t % 3].u", "Word w[3]; for (int i = 0; i < 3; ++i) w[i].f = i + t;"),
    ("s.i + s.low + s.high + s.kind", "Tagged s; s.kind = 1; s.x = 0.5f * t; s.low = 3; s.high = t;"),
    ("p->x + q.w.f", "Tagged s; Tagged* p = &s; p->i = 0x3f800000; Box b; b.w.f = t; b.n = 2; Box q = b;"),
    ("d.sum() + d.y", "D d(t); d.x += 2; d.y = 5;"),
    ("e.sum() + e.x + e.A::x + p->get()", "E e; E* p = &e;"),
    ("by_value(d) + 10 * d.x", "D d(t);"),
    ("by_reference(d) + 10 * d.x + by_pointer(&d)", "D d(t);"),
    ("q.a + 10 * q.b + r.a", "Q q{{t}, 2}; P r = q; r.a += 1;"),
    ("f.twice() + f.x", "F f; f.x = t;"),
    ("a->get() + b.y", "D d(t); A* a = &d; a->set(t); B& b = d; b.y = t;"),
]


def text(value: str, statements: str) -> str:
    return f"{statements}\nout[t] = {value};"


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_it_is_what_another_compiler_computes(tmp_path: Path) -> None:
    functions = "\n".join(f"void case{n}(float* out, int t) {{ {text(*case)} }}" for n, case in enumerate(CASES))
    calls = "".join(f"for (int t = 0; t < 32; ++t) case{n}(out, t); fwrite(out, 4, 32, stdout);" for n in range(len(CASES)))
    source = f"#include <cstdio>\n#define __device__\n{BEFORE}{functions}\nint main() {{ static float out[32]; {calls} }}"
    (tmp_path / "cases.cpp").write_text(source, encoding="utf-8")
    command = ["g++", "-std=c++17", "-fno-strict-aliasing", "-w", str(tmp_path / "cases.cpp"), "-o", str(tmp_path / "cases")]
    subprocess.run(command, check=True, capture_output=True)
    expected = np.frombuffer(subprocess.run([tmp_path / "cases"], capture_output=True, check=True).stdout, np.float32).reshape(-1, 32)
    for case, wanted in zip(CASES, expected, strict=True):
        kernel = f"{BEFORE}\n__global__ void k(float* out) {{ int t = threadIdx.x; {text(*case)} }}"
        found = launch(kernel, 1, 32, {"out": np.zeros(32, np.float32)})
        assert found.findings == (), case
        np.testing.assert_array_equal(found.values["out"], wanted, err_msg=str(case))


def test_arguments_of_a_derived_struct_have_the_names_of_its_members() -> None:
    kernel = f"{BEFORE}\n__global__ void k(float* out, Q q) {{ out[threadIdx.x] = q.a + 10 * q.b; }}"
    found = launch(kernel, 1, 4, {"out": np.zeros(4, np.float32), "q.a": 3, "q.b": 4})
    assert found.values["out"].tolist() == [43.0] * 4


def test_a_member_of_a_union_in_shared_memory_is_accessed_as_it_is_written() -> None:
    kernel = f"{BEFORE}\n__global__ void k(float* out) {{ __shared__ Word s[32];\ns[threadIdx.x].b[1] = 1;\nout[threadIdx.x] = s[0].f; }}"
    found = launch(kernel, 1, 32, {"out": np.zeros(32, np.float32)})
    assert [(site.operation, site.bytes, site.text) for site in found.sites][:1] == [("store", 1, "s[threadIdx.x].b[1]")]
    assert {each.kind for each in found.findings} == {"uninitialised-read"}


def test_what_gives_an_object_without_members_is_executed() -> None:
    text = """struct Token {}; __device__ Token arrive(int* a) { *a = 7; return Token{}; }
    __device__ void wait(Token&&, int* a) { *a = 8; }
    __global__ void k(int* a) { auto token = arrive(a); wait(static_cast<Token&&>(token), a + 1); }"""
    assert launch(text, 1, 1, {"a": np.zeros(2, np.int32)}).values["a"].tolist() == [7, 8]
