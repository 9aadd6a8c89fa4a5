"""What libclang finds wrong is said in our words, wherever a kernel uses it; what it alone knows passes in its own."""

from __future__ import annotations

import pytest

from kernels.simt.frontend.parse import parse
from kernels.simt.frontend.remarks import worded
from kernels.simt.host.reading import prelude

BEFORE = """struct S { float x; S() = default; S(float, float); static float get(); };
template <class Q> struct T { Q q; };
class C { float x; };
struct D;
int host_value;
#define M(x) x
"""
SAID = [
    ("std::vector<int> v;", "std::vector does not exist in a kernel here: write it with arrays, structs and functions of CUDA."),
    ("thrust::plus<float> f;", "thrust is of a library that is not executed here: write what it does in the kernel."),
    ("curandState s;", "curandState is of a library that is not executed here: write what it does in the kernel."),
    ("a[0] = __shfl_down(a[0], 1);", "__shfl_down no longer exists: write __shfl_down_sync, with 0xffffffff before the other arguments."),
    ("syncthreads();", "Unknown name syncthreads: __syncthreads is perhaps meant."),
    ("a[0] = threadidx.x;", "Unknown name threadidx: threadIdx is perhaps meant."),
    ("half2 h;", "half2 needs #include <cuda_fp16.h>."),
    ("float x = float;", "A type stands where a value is expected."),
    ("int 3x = 2;", "This cannot stand here: a name is expected."),
    ("for (int i = 0; i < n, ++i) a[i] = 1;", "A ; is missing here."),
    ("goto nowhere;", "There is no label nowhere in this function."),
    ("try { a[0] = 1; } catch (...) {}", "Exceptions do not exist in device code: return an error value instead."),
    ("break;", "break stands outside of a loop."),
    ("switch (n) { case 1: break; case 1: a[0] = 2; }", "The case 1 stands twice in this switch."),
    ("case 3: a[0] = 1;", "case stands outside of a switch."),
    ("a[1.5] = 2;", "An index must be a whole number."),
    ("float* p = n ? a : &n;", "Both sides of : must have one type, not float * and int *."),
    ("if (a == n) a[0] = 1;", "No operator here takes float * and int."),
    ("a[0] = *n;", "* needs a pointer: int is none."),
    ("a[0] = ~a[0];", "This operator does not take float."),
    ("float2 v = a[0];", "float does not become float2 by itself."),
    ("float2 v; v += v;", "No operator += takes these values."),
    ("S s(1, 2, 3);", "S cannot be made of these values."),
    ("float v[2] = {1, 2, 3};", "There are more values than this has room for."),
    ("S s; S* p = &s; p.x = 1;", "S * is a pointer: write -> in place of the dot."),
    ("S s; s->x = 1;", "S is no pointer: write a dot in place of ->."),
    ("T s;", "T is a template: write its arguments behind it, between < and >."),
    ("T<int, 2> s;", "T takes another number of template arguments."),
    ('static_assert(sizeof(n) == 8, "wide");', "static_assert does not hold: wide"),
    ("static_assert(sizeof(n) == 8);", "What static_assert states does not hold here."),
    ("C c; c.x = 1;", "x is private to C: write public: before it, or struct in place of class."),
    ("D d;", "D is declared, but its members stand nowhere."),
    ("int i = 1.5;", "As int, 1.5 becomes 1."),
    ("a[0] = n / 0;", "This divides by zero."),
    ("float v[4]; v[4] = 1;", "The index 4 is outside of the array."),
    ("a[0] = n << 40;", "This shifts by more bits than the value has, or by fewer than none."),
    ('printf("%d", a[0]);', "The format wants int here, but the value is of type float."),
    ('printf("%d", (size_t)n);', "The format wants int here, but the value is of type size_t."),
    ("a[0] = 08;", "The digit 8 cannot stand in this number: one that begins with 0 is octal."),
    ("void* p = a; p[0] = 1;", "What a void* points to has no type: convert it first, for example to float*."),
    ("return 1;", "k is void: it returns no value."),
    ("float& r = n;", "A reference to float needs a variable of that type: write const before it, or leave the & out."),
    ("__shared__ float s = 0;", "A __shared__ variable takes no initial value: let a thread assign it, then call __syncthreads()."),
    ("extern __shared__ float s[4];", "The size of an extern __shared__ array is given at the launch: write s[] without a number."),
    ("a[0] = host_value;", "host_value is a variable of the host: pass it as an argument, or declare it __device__."),
    ("a[0] = M(1, 2);", "The macro takes another number of arguments."),
    ("constexpr int c = n;", "The value of c must be known when the kernel is compiled."),
    ("auto x;", "This needs a value where it is declared."),
    ("if (n) ; a[0] = 1;", "The ; here ends the statement: nothing is done under its condition."),
    ("n =+ 2;", "This assigns a value with a sign: += would compute with the old one."),
    ("float v[n];", "The length of this array must be known when the kernel is compiled."),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said"), SAID, ids=[case[0] for case in SAID])
def test_it_is_said_in_our_words(body: str, said: str) -> None:
    found = parse(f"{BEFORE}__global__ void k(float *a, int n) {{\n{body}\n}}").diagnostics
    assert said in [str(each.message) for each in found if each.line == 8]


OWN = "{} is a function of the host: write __device__ before it, so that a kernel can call it."
UNMADE = "S has no constructor that a kernel can call: write __device__ before it."
OF_LIBRARY = "{} is of the host's library: a kernel uses arrays and structs."
HOST = [
    ("int sort(int* p, int n);", "*p = sort(p, 3);", OWN.format("sort")),
    ("float time(float a);", "*p = time(1.0f);", OWN.format("time")),
    ("struct S { int x; S(int y) : x(y) {} };", "*p = static_cast<S>(3).x;", UNMADE),
    ("int strlen(int x);", "*p = strlen(3);", OWN.format("strlen")),
    ("void cudaCheck(int);", "cudaCheck(3);", OWN.format("cudaCheck")),
    ("struct S { int x; int& operator[](int) { return x; } };", "S s; *p = s[1];", OWN.format("operator[]")),
    ("struct S { int x; S& operator+=(int) { return *this; } };", "S s; s += 1;", OWN.format("operator+=")),
    ("struct S { S() {} };", "S s;", UNMADE),
    ("", "*p = strlen(\"a\");", "strlen is of the host's library: no kernel can call it."),
    ("", "sort(p, p + 3);", "sort is of the host's library: no kernel can call it."),
    ("", "*p = time(nullptr);", "time is the host's: a kernel reads clock64()."),
    ("#define CHECK(x) if (x) exit(1)", "CHECK(*p);",
     "exit is the host's: a kernel ends with return, or with assert where something is wrong."),
    ("", "vector<int> v;", OF_LIBRARY.format("vector<int>")),
    ("", "std::vector<int> v(3);", OF_LIBRARY.format("std::vector<int>")),
    ("vector<int> v;", "*p = v[2];", OF_LIBRARY.format("vector<int>")),
    ("", "auto s = string(\"a\");", OF_LIBRARY.format("string")),
    ("struct S { };", "S s; *p = p[s];", "int * takes no such value between [ and ]."),
    ("struct S { __device__ int operator[](int) { return 1; } };", "S s; *p = s[s];", "S takes no such value between [ and ]."),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "body", "said"), HOST, ids=[case[1] for case in HOST])
def test_what_is_the_hosts_is_said_by_whose_it_is(declared: str, body: str, said: str) -> None:
    """The program may have a `sort` of its own, and use the names of std."""
    headers = "".join(f"#include <{name}>\n" for name in ("algorithm", "cstdlib", "cstring", "ctime", "string", "vector"))
    text = f"{headers}using namespace std;\n{declared}\n__global__ void k(int* p) {{\n{body}\n}}\nint main() {{ }}\n"
    assert [(each.line, str(each.message)) for each in parse(text, host=prelude()).diagnostics] == [(10, said)]


def test_a_known_reason_is_said_once() -> None:
    found = parse("__global__ void k(float *a, int n) { float v[n]; a[0] = v[0]; }").diagnostics
    assert len(found) == 1


def test_what_is_not_known_passes_in_its_own_words() -> None:
    assert str(worded("something that only a compiler would say")) == "something that only a compiler would say"
