"""Functions that call themselves: what they give, lanes that go to other depths, and what is told where they go too deep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.simt.lower.inlining import MOST_DEEP
from tests.launches.simt_launch import launch, result

FUNCTIONS = """__device__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__device__ int fib(int n)
{
    if (n < 2) return n;
    int a = fib(n - 1);
    return a + fib(n - 2);
}
__device__ int gcd(int a, int b) { if (b == 0) return a; return gcd(b, a % b); }
__device__ bool odd(int n);
__device__ bool even(int n) { return n == 0 ? true : odd(n - 1); }
__device__ bool odd(int n) { return n == 0 ? false : even(n - 1); }
__device__ void walk(int n, int& sum) { int own[2] = {n, n + 1}; if (n == 0) return; walk(n - 1, sum); sum = 2 * sum + own[n & 1]; }
__device__ int walked(int n) { int sum = 0; walk(n, sum); return sum; }
"""
FIB = [0, 1, 1, 2, 3, 5, 8]


def walked(n: int) -> int:
    return 0 if n == 0 else 2 * walked(n - 1) + (n + 1 if n % 2 else n)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("fact(t % 10)", [math.factorial(t % 10) for t in range(32)]),
        ("fib(t % 7)", [FIB[t % 7] for t in range(32)]),
        ("gcd(1071 + t, 462)", [math.gcd(1071 + t, 462) for t in range(32)]),
        ("even(t % 11)", [t % 11 % 2 == 0 for t in range(32)]),
        ("walked(t % 6)", [walked(t % 6) for t in range(32)]),
    ],
)
def test_each_lane_goes_as_deep_as_it_has_to(call: str, expected: list[int]) -> None:
    text = f"{FUNCTIONS}__global__ void k(int* out) {{ int t = threadIdx.x; out[t] = {call}; }}"
    np.testing.assert_array_equal(result(text, 32, np.int32), np.array(expected, np.int32))


def test_lanes_that_went_to_other_depths_are_together_again_behind() -> None:
    text = FUNCTIONS + "__global__ void k(int* out) { int t = threadIdx.x; int f = fact(t % 9); out[t] = __popc(__activemask()) + 0 * f; }"
    np.testing.assert_array_equal(result(text, 32, np.int32), np.full(32, 32))


def test_a_call_too_deep_ends_its_threads_and_names_the_line() -> None:
    text = "__device__ int f(int n)\n{\n    return n == 0 ? 0 : 1 + f(n - 1);\n}\n"
    text += "__global__ void k(int* out) { out[threadIdx.x] = f(threadIdx.x); }"
    trace = launch(text, 1, 32, {"out": np.full(32, -1, np.int32)})
    (found,) = trace.findings
    assert (found.kind, found.location.line) == ("budget-exceeded", 3)
    assert f"Up to {MOST_DEEP} calls" in str(found.message)
    assert sorted(x for x, _, _ in found.threads) == list(range(MOST_DEEP, 32))
    np.testing.assert_array_equal(trace.values["out"], [*range(MOST_DEEP), *[-1] * (32 - MOST_DEEP)])


def test_a_function_without_end_is_found() -> None:
    trace = launch("__device__ int f(int n) { return f(n + 1) + 1; }\n__global__ void k(int* out) { out[0] = f(0); }", 1, 1,
                   {"out": np.zeros(1, np.int32)})  # fmt: skip
    assert [each.kind for each in trace.findings] == ["budget-exceeded"]
