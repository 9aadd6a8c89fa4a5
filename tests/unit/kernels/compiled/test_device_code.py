"""A whole program becomes what NVRTC can compile, and its lines stay where they are."""

from __future__ import annotations

import pytest

from kernels.base.messages import Message
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import Access
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.device_code import device_code
from kernels.nvrtc.tools import Tools
from kernels.simt.frontend.diagnostics import FrontEndError
from kernels.simt.frontend.parse import parse

PROGRAM = """\
#include <cstdio>
#include <vector>
#include "helper_cuda.h"
using namespace std;
#define CHECK(call) do { if (call != cudaSuccess) { exit(1); } } while (0)
const int N = 256;
int runs = 3;
static std::vector<float> data;
typedef struct { float a, b; } Pair;
struct Timer { std::chrono::time_point<int> begin; void start(); };
void Timer::start() { begin = std::chrono::now(); }
__constant__ float weights[4];
__device__ float twice(float x) { return 2 * x; }
__device__ float unused(std::complex<float> x) { return x.real(); }
template <typename T> void fill(std::vector<T>& v) { for (auto& x : v) x = rand(); }
namespace inner {
float host() { return rand(); }
__device__ float half(Pair p) { return p.a / 2; }
}
template <int B> __global__ void k(float* x)
{
    __shared__ float s[B];
    Pair p = {x[threadIdx.x], 0};
    s[threadIdx.x] = twice(p.a) * weights[threadIdx.x % 4] + inner::half(p);
    __syncthreads();
    if (threadIdx.x < N)
        x[threadIdx.x] = s[B - 1 - threadIdx.x];
}
int main()
{
    float* p;
#ifdef LARGE
    runs = 100;
#endif
    CHECK(cudaMalloc(&p, 4 * N));
    k<256><<<1, 256>>>(p);
    cout << "完成" << endl;
}
"""
DROPPED = ("runs", "data", "Timer", "begin", "unused", "fill", "auto&", "host", "main", "cudaMalloc(&p", "cout")
KEPT = (
    "#define CHECK(call) do", "const int N = 256;", "typedef struct { float a, b; } Pair;", "float weights[4]", "twice(float x)",
    "half(Pair p)", "namespace inner {", "template <int B>", "s[B - 1 - threadIdx.x]", "#ifdef LARGE", "#endif", "using namespace std;",
)  # fmt: skip


def test_what_the_kernel_uses_stays_in_its_place_and_the_rest_goes() -> None:
    code = device_code(PROGRAM, parse(PROGRAM), "k<256>")
    before, after = PROGRAM.splitlines(), code.splitlines()
    assert len(before) == len(after)
    for kept in KEPT:
        assert [line.find(kept) for line in before] == [line.find(kept) for line in after], kept
    assert [dropped for dropped in DROPPED if dropped in code] == []


def test_a_program_with_its_host_code_is_compiled(tools: Tools) -> None:
    assert isinstance(compile_kernel(PROGRAM, CompileSettings("k<256>", 90, {}), tools), Message)
    found = compile_kernel(device_code(PROGRAM, parse(PROGRAM), "k<256>"), CompileSettings("k<256>", 90, {}), tools)
    assert isinstance(found, CompiledKernel), str(found)
    assert found.usage.static_shared_bytes == 1024
    line = PROGRAM.splitlines().index("    s[threadIdx.x] = twice(p.a) * weights[threadIdx.x % 4] + inner::half(p);") + 1
    assert found.accesses()[line, Access("store", "shared", 4)] == 1


def test_a_text_without_host_code_is_left_alone() -> None:
    source = "__device__ int f() { return 1; }\n__global__ void g(int* x) { *x = f(); }\n"
    assert device_code(source, parse(source), "g") == source


def test_several_kernels_are_kept_only_as_far_as_one_is_asked_for() -> None:
    source = "__global__ void f(int* x) { *x = 1; }\n__global__ void g(int* x) { *x = 2; }\n"
    assert device_code(source, parse(source), "g") == " " * 37 + "\n__global__ void g(int* x) { *x = 2; }\n"


def test_an_unknown_kernel_is_an_error_of_the_front_end() -> None:
    with pytest.raises(FrontEndError):
        device_code(PROGRAM, parse(PROGRAM), "nothing")
