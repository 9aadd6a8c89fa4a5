"""Pointers to functions, to structs of pointers, and as numbers: what a kernel computes through them, and what is told where they lead
nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.launches.lowered import refused
from tests.launches.simt_launch import launch, result

THREADS = np.arange(32, dtype=np.float32)
FUNCTIONS = """typedef float (*op)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { if (a == 0) return b; return a * b; }
__device__ float never(float a, float b) { return -1000; }
__device__ op table[3] = {add, mul};
__constant__ op fixed[2] = {mul, &add};
struct Step { op f; float by; __device__ float run(float x) const { return f(x, by); } };
__device__ float apply(op f, float a, float b) { return (*f)(a, b); }
__device__ op pick(int i) { switch (i) { case 0: return add; case 1: return mul; } return nullptr; }
"""
ODD = np.arange(32) % 2 == 1
PRODUCT = np.where(THREADS == 0, 3, 3 * THREADS)
CALLS = [
    ("f(t, 3)", "op f = t % 2 ? mul : add;", np.where(ODD, 3 * THREADS, THREADS + 3)),
    ("f(t, 3)", "op f; if (t % 2) f = mul; else f = &add;", np.where(ODD, 3 * THREADS, THREADS + 3)),
    ("table[t & 1](t, 3) + fixed[t & 1](t, 3)", "", np.where(ODD, 4 * THREADS + 3 - THREADS + THREADS, THREADS + 3 + PRODUCT)),
    ("apply(add, t, 1) + apply(&mul, t, 1) + apply(table[1], t, 1)", "", THREADS + 1 + 2 * np.where(THREADS == 0, 1, THREADS)),
    ("s[t & 1].run(t)", "Step s[2] = {{add, 5}, {mul, 6}};", np.where(ODD, 6 * THREADS, THREADS + 5)),
    ("g ? g(t, 2) : -1", "op g = pick(t % 3);", np.select([THREADS % 3 == 0, THREADS % 3 == 1], [THREADS + 2, 2 * THREADS], -1)),
    ("(f == h) + 10 * (f == mul) + 100 * (f != nullptr)", "op f = t % 2 ? mul : add; void* v = (void*)f; op h = (op)v;",
     np.where(ODD, 111, 101)),
    ("v", "float v = t; void (*f)(float&) = t % 2 ? twice : thrice; f(v);", np.where(ODD, 2 * THREADS, 3 * THREADS)),
    ("call(add, t) + call(mul, t)", "", 2 * THREADS + 2 + np.where(THREADS == 0, 2, THREADS)),
    ("count", "int count = 0; op f = t % 2 ? mul : add; f(++count, ++count);", 2),
]  # fmt: skip
MORE = """__device__ void twice(float& x) { x *= 2; }
__device__ void thrice(float& x) { x *= 3; }
template <class F> __device__ float call(F f, float x) { return f(x, 2); }
"""


@pytest.mark.parametrize(("value", "statements", "expected"), CALLS, ids=[f"{case[1]} {case[0]}"[:60] for case in CALLS])
def test_a_function_is_called_through_a_pointer(value: str, statements: str, expected: object) -> None:
    text = f"{FUNCTIONS}{MORE}\n__global__ void k(float* out) {{\nint t = threadIdx.x;\n{statements}\nout[t] = {value};\n}}"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.float32)})
    assert found.findings == ()
    np.testing.assert_array_equal(found.values["out"], np.broadcast_to(np.asarray(expected, np.float32), 32))


@pytest.mark.parametrize("pointer", ["table[2]", "nullptr", "(op)out", "(op)twice"])
def test_a_call_through_a_pointer_to_no_such_function_is_found(pointer: str) -> None:
    text = f"{FUNCTIONS}{MORE}__global__ void k(float* out) {{\nop f = {pointer};\nif (threadIdx.x == 3)\nout[0] = f(1, 2);\nout[1] = 1; }}"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.float32)})
    line = FUNCTIONS.count("\n") + MORE.count("\n") + 4
    assert [(each.kind, each.location.line, each.threads) for each in found.findings] == [("out-of-bounds", line, ((3, 0, 0),))]


def test_the_functions_not_taken_are_not_looked_at() -> None:
    text = FUNCTIONS + '__device__ float odd(float a, float b) { asm(""); return a; }\n'
    text += "__global__ void k(float* out) { out[threadIdx.x] = table[0](1, 2); }"
    assert result(text, 32, np.float32).tolist() == [3.0] * 32


def test_one_of_several_templates_is_named_by_a_pointer_of_its_own() -> None:
    template = "template <class T> __device__ T f(T x) { return x + 1; }\n"
    text = template + "__global__ void k(float* out) { float (*g)(float) = f; out[threadIdx.x] = g(1); }"
    assert result(text, 32, np.float32).tolist() == [2.0] * 32
    text = template + "__global__ void k(float* a) { float (*g[1])(float) = {f<float>}; a[0] = g[0](1); }"
    assert ["between braces" in str(each.message) for each in refused(text)][:1] == [True]


BYTES = [
    ("x", "float x; int i = __float_as_int(2.5f); memcpy(&x, &i, sizeof(x));", 2.5),
    ("v[0] + v[3]", "float v[4] = {1, 2, 3, 4}; std::memset(v, 0, 8); __builtin_memset(v + 2, 0, 4);", 4),
    ("w[1].y", "float4 w[2]; float v[8] = {1, 2, 3, 4, 5, 6, 7, 8}; __builtin_memcpy(w, v, sizeof(v));", 6),
    ("s[31 - t]", "__shared__ float s[32]; float mine = t; memcpy((char*)s + 4 * t, &mine, 4); __syncthreads();", 31 - THREADS),
    ("umin(t, 4u) + 100 * umax(t, 4u)", "", np.minimum(THREADS, 4) + 100 * np.maximum(THREADS, 4)),
    ("ullmax(1ull << 40, 3ull) >> 38", "", 4),
    ("llmin(-5ll, 3ll) + ullmin(4ull, 7ull) + llmax(-5ll, 3ll)", "", 2),
    ("m + e", "int e; float m = frexpf(t + 1, &e);", [sum(np.frexp(x + 1)) for x in range(32)]),
    ("ldexp(frexp(12.5, &e), e)", "int e;", 12.5),
    ("f + 10 * whole", "float whole; float f = modff(t + 0.25f, &whole);", 0.25 + 10 * THREADS),
    ("__fdividef(t, 2) + rsqrtf(4) + own(3)", "", THREADS / 2 + 3.5),
]  # fmt: skip
DECLARED = """__device__ float __fdividef(float, float);
extern "C" __device__ float rsqrtf(float);
extern __device__ float own(float x);
__device__ float own(float x) { return x; }
"""


@pytest.mark.parametrize(("value", "statements", "expected"), BYTES, ids=[f"{case[1]} {case[0]}"[:60] for case in BYTES])
def test_bytes_and_parts_of_numbers(value: str, statements: str, expected: object) -> None:
    text = f"{DECLARED}__global__ void k(float* out) {{\nint t = threadIdx.x;\n{statements}\nout[t] = {value};\n}}"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.float32)})
    assert found.findings == ()
    np.testing.assert_array_equal(found.values["out"], np.broadcast_to(np.asarray(expected, np.float32), 32))


def test_bytes_from_nowhere_are_found() -> None:
    found = launch("__global__ void k(float* out) {\nmemcpy(out, nullptr, 4); }", 1, 1, {"out": np.zeros(32, np.float32)})
    assert [(each.kind, each.location.line) for each in found.findings] == [("out-of-bounds", 2)]


ADDRESSES = [
    ("n->next->next->v", "__shared__ Node nodes[32]; nodes[t].v = t; nodes[t].next = &nodes[(t + 1) % 32]; __syncthreads();"
     " Node* n = &nodes[t];", (THREADS + 2) % 32),
    ("sum", "Node last = {1, nullptr}, first = {2, &last}; float sum = 0; for (Node* n = &first; n; n = n->next) sum += n->v;", 3),
    ("a.other->own.x", "A a; B b; a.other = &b; b.own.x = t; b.back = &a; b.back->x = 3;", THREADS),
    ("s.data[31 - t] + s.count", "__shared__ float v[32]; __shared__ View s; if (t == 0) s = {v, 5}; v[t] = t; __syncthreads();",
     36 - THREADS),
    ("p[t]", "__shared__ char raw[256]; uintptr_t at = ((uintptr_t)raw + 31) & ~(uintptr_t)31; float* p = (float*)at; p[t] = t;"
     " __syncthreads();", THREADS),
    ("(reinterpret_cast<size_t>(&v[t & 1][0]) - (size_t)v) / sizeof(float)", "float v[2][4];", 4 * (np.arange(32) % 2)),
    ("*reinterpret_cast<float*>(at + 4 * t)",
     "__shared__ float v[32]; v[t] = t; __syncthreads(); auto at = (unsigned long long)v;", THREADS),
]  # fmt: skip
NODES = """struct Node { float v; Node* next; };
struct B;
struct A { float x; B* other; };
struct B { A own; A* back; };
struct View { float* data; int count; };
"""


@pytest.mark.parametrize(("value", "statements", "expected"), ADDRESSES, ids=[f"{case[1]} {case[0]}"[:60] for case in ADDRESSES])
def test_pointers_in_structs_and_as_numbers(value: str, statements: str, expected: object) -> None:
    text = f"{NODES}__global__ void k(float* out) {{\nint t = threadIdx.x;\n{statements}\nout[t] = {value};\n}}"
    found = launch(text, 1, 32, {"out": np.zeros(32, np.float32)})
    assert found.findings == ()
    np.testing.assert_array_equal(found.values["out"], np.broadcast_to(np.asarray(expected, np.float32), 32))


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("*(float*)128ul = 1;", "in no array"),
        ("*(float*)0xdeadbeef = 1;", "in no array"),
        ("*(float*)((size_t)out + 32 * 4) = 1;", "element 32 of out, which has 32"),
        ("Node* n = nullptr; n->next->v = 1;", "in no array"),
    ],
)
def test_an_address_that_leads_nowhere_is_out_of_bounds(statement: str, what: str) -> None:
    found = launch(f"{NODES}__global__ void k(float* out) {{\n{statement} }}", 1, 1, {"out": np.zeros(32, np.float32)})
    assert {(each.kind, each.location.line) for each in found.findings} == {("out-of-bounds", 7)}
    assert what in str(found.findings[0].message)


STATIC = """__device__ int* first = data + 1;
__constant__ const int* second = &data[2];
__device__ struct { int pad; int* p; } inside = {0, data};
"""


def test_a_variable_begins_with_the_address_of_another() -> None:
    text = "__device__ int data[4] = {5, 6, 7, 8};\n" + STATIC
    text += "__global__ void k(int* out) { int t = threadIdx.x; out[t] = first[t % 3] + 10 * second[t & 1] + 100 * inside.p[0]; }"
    t = np.arange(32)
    data = np.array([5, 6, 7, 8])
    np.testing.assert_array_equal(result(text, 32, np.int32), data[1 + t % 3] + 10 * data[2 + t % 2] + 500)


def test_a_variable_begins_with_a_text() -> None:
    text = '__device__ const char* t[2] = {"ab", "cd"};\n__global__ void k(int* out) { int i = threadIdx.x; out[i] = t[i & 1][i & 2]; }'
    np.testing.assert_array_equal(result(text, 4, np.int32), [ord("a"), ord("c"), 0, 0])


def test_an_address_that_is_no_constant_is_no_initial_value() -> None:
    text = "__device__ int data[4];\n__device__ int* p = data + data[0];\n__global__ void k(int* out) { out[0] = p[0]; }"
    assert "must be a constant" in str(refused(text)[0].message)
