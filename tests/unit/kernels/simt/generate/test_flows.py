"""Where values of atomics, clocks and arrays go, of kernels where that is plain to see."""

from __future__ import annotations

import pytest

from kernels.simt.base.launch import LaunchRequest
from kernels.simt.run.reading import Read, read
from kernels.simt.trace.flows import APPROXIMATE, ATOMIC, CLOCK, TENSOR, Flows, Reach
from kernels.simt.trace.job import LaunchSpec

CONTROL, ADDRESSES, SYNCHRONISATION = Reach.CONTROL, Reach.ADDRESSES, Reach.SYNCHRONISATION


def flows(body: str) -> Flows:
    drawn = "__device__ int drawn(int* at) { return atomicAdd(at, 1); }"
    text = f"{drawn}\n__global__ void k(int* p, int* q, float* f) {{ int t = threadIdx.x;\n{body} }}"
    found = read(LaunchSpec(text, None, LaunchRequest((1, 1, 1), (32, 1, 1))))
    assert isinstance(found, Read), found
    return found.flows


@pytest.mark.parametrize(
    ("body", "label", "reached"),
    [
        pytest.param("atomicAdd(p + t, 1);", ATOMIC, set(), id="a result that nobody takes"),
        pytest.param("q[t] = atomicAdd(p, 1);", ATOMIC, set(), id="a result that is stored"),
        pytest.param("q[atomicAdd(p, 1)] = t;", ATOMIC, {ADDRESSES}, id="a place drawn by an atomic"),
        pytest.param("int at = drawn(p); int to = at * 2; q[to] = t;", ATOMIC, {ADDRESSES}, id="through a function and variables"),
        pytest.param("if (atomicCAS(p, 0, 1) == 0) q[0] = t;", ATOMIC, {CONTROL}, id="a lock"),
        pytest.param("int s = t; if (atomicAdd(p, 1) > 3) s = 5; q[s] = t;", ATOMIC, {CONTROL, ADDRESSES}, id="a variable set under it"),
        pytest.param("atomicAdd(p, 1); __syncthreads(); q[p[0]] = t;", ATOMIC, {ADDRESSES}, id="through memory"),
        pytest.param("atomicAdd(p, 1); q[t] = q[t + 1];", ATOMIC, set(), id="another array"),
        pytest.param(
            "__shared__ bool last; if (!t) last = atomicAdd(p, 1) == 7; __syncthreads(); if (last) { __syncthreads(); q[0] = 1; }",
            ATOMIC, {CONTROL, SYNCHRONISATION}, id="the last block",
        ),
        pytest.param("long long b = clock64(); q[t] = (int)(clock64() - b);", CLOCK, set(), id="a time that is stored"),
        pytest.param("while (clock64() < 100) q[t] = 1;", CLOCK, {CONTROL}, id="a wait"),
        pytest.param("f[t] = expf(f[t]);", APPROXIMATE, set(), id="an approximated value"),
        pytest.param("if (sinf(f[t]) > 0.5f) f[t] = 0;", APPROXIMATE, {CONTROL}, id="an approximated value that decides"),
        pytest.param("if (q[t] > 2) p[t] = 1;", "array q", {CONTROL}, id="an array that decides"),
        pytest.param("p[q[t]] = 1;", "array q", {ADDRESSES}, id="an array of indices"),
    ],
)  # fmt: skip
def test_where_a_value_goes(body: str, label: str, reached: set[Reach]) -> None:
    found = flows(body)
    assert found.reaches.get(label, frozenset()) == reached
    if not label.startswith("array"):
        assert set(found.lines[label]) <= {1, 3}
        assert found.lines[label]


TILES = """#include <mma.h>
using namespace nvcuda;
__global__ void k(const {inputs}* a, {sums}* p, {sums}* q, int n)
{{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, {inputs}, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, {inputs}, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, {sums}> sum;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a, 16);
    {product}
    {then}
}}
"""
PRODUCT = "wmma::mma_sync(sum, left, right, sum);"
STORED = "wmma::store_matrix_sync(p, sum, 16, wmma::mem_row_major); "


@pytest.mark.parametrize(("then", "product", "reached"), [
    (STORED, PRODUCT, set()),
    (STORED + "if (p[threadIdx.x] > 1) q[0] = 1;", PRODUCT, {CONTROL}),
    (STORED + "q[(int)p[0]] = 1;", PRODUCT, {ADDRESSES}),
    (STORED + "if (q[threadIdx.x] > 1) q[0] = 1;", PRODUCT, set()),
    ("if (sum.x[0] > 1) q[0] = 1;", PRODUCT, {CONTROL}),
    (STORED + "if (p[threadIdx.x] > 1) q[0] = 1;", "", set()),
    ("wmma::load_matrix_sync(sum, p, 16, wmma::mem_row_major); if (sum.x[0] > 1) q[0] = 1;", PRODUCT + STORED, {CONTROL}),
])  # fmt: skip
def test_where_a_sum_of_a_tensor_core_goes(then: str, product: str, reached: set[Reach]) -> None:
    text = TILES.format(inputs="half", sums="float", product=product, then=then)
    found = read(LaunchSpec(text, None, LaunchRequest((1, 1, 1), (32, 1, 1))))
    assert isinstance(found, Read), found
    assert found.flows.reaches.get(TENSOR, frozenset()) == reached
    assert found.flows.lines.get(TENSOR) == ((11,) if product else None)


def test_sums_of_whole_numbers_are_exact() -> None:
    text = TILES.format(inputs="signed char", sums="int", product=PRODUCT, then=STORED)
    found = read(LaunchSpec(text, None, LaunchRequest((1, 1, 1), (32, 1, 1))))
    assert isinstance(found, Read), found
    assert not found.flows.lines


def test_exact_functions_are_not_told() -> None:
    found = flows("f[t] = floorf(sqrtf(fabsf(f[t]))) + fmaf(f[t], 2.0f, 1.0f) + __fadd_rn(f[t], 1.0f);")
    assert not found.lines
