"""Uses of declarations that libclang could not make sense of: it leaves them out, so that a kernel would silently do less."""

from __future__ import annotations

import pytest

from kernels.simt.frontend.diagnostics import FrontEndError
from kernels.simt.frontend.parse import parse


def remarks(text: str) -> list[str]:
    return [f"{each.line}:{each.column} {each.message}" for each in parse(text).diagnostics]


@pytest.mark.parametrize(
    ("declaration", "use", "column"),
    [
        ("__device__ int f(thread_set g, int v) { return v; }", "a[0] = f(1, 2);", 18),
        ("__device__ thread_set f(int v) { return v; }", "float x = f(2); a[0] = x;", 12),
        ("__device__ thread_set f[4];", "float x = f[2]; a[0] = x;", 12),
        ("struct S { __device__ int f(thread_set g) { return 1; } };", "S s; a[0] = s.f(1);", 29),
        ("namespace n { __device__ int f(thread_set g) { return 1; } }", "a[0] = n::f(1);", 32),
        ("__device__ int f(thread_set g) { return 1; } __device__ int h() { return f(1); }", "a[0] = h();", 18),
    ],
)
def test_a_use_that_libclang_drops_counts(declaration: str, use: str, column: int) -> None:
    """What uses a broken declaration is left out of the tree: the kernel would be executed without it."""
    assert remarks(f"{declaration}\n__global__ void k(float *a) {{ {use} }}") == [f"1:{column} Unknown type thread_set."]


def test_a_name_that_means_something_else_here_is_no_use() -> None:
    text = """float sum(std::vector<float> values);
std::vector<float> data;
__global__ void k(float *data) { float sum = data[0]; data[1] = sum; } // sum(data)
__global__ void l(float *a) { a[0] = 1; /* sum */ }
"""
    assert remarks(text) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("/ A kernel.\n\n__global__ void k(float* a) { a[0] = 1; }", "1:1"),
        ("__global__ void k(float* a) { a[0] = 1; }\n/ Another.\n\n__global__ void l(float* a) { a[0] = 1; }", "2:1"),
        ("// A kernel.\n__global__ void k(unsigned char", "2:32"),
        ("// A kernel.\n__global__", "2:11"),
    ],
)
def test_what_swallowed_a_kernel_is_shown(text: str, place: str) -> None:
    """Else all that would be said is that there is no kernel, beside one that everybody sees."""
    assert remarks(text)[0].split()[0] == place


def test_what_swallows_the_template_to_be_made_is_shown() -> None:
    unit = parse("template <int N> __global__ void k(float* a) { a[0] = N; }\n\nREGISTER(some")
    with pytest.raises(FrontEndError) as raised:
        unit.function_cursor("k<3>")
    assert [each.line for each in raised.value.diagnostics] == [3]
