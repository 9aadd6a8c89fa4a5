"""What a warp's product of tiles counts for, and bfloat16 two at a time."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Filled
from tests.launches.simt_launch import launch

PRODUCT = """
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void f(const {element}* a, {sum}* c)
{{
    wmma::fragment<wmma::matrix_a, {shape}, {type}, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, {shape}, {type}, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, {shape}, {sum}> total;
    wmma::load_matrix_sync(left, a, {k});
    wmma::load_matrix_sync(right, a, {n});
    wmma::fill_fragment(total, 0);
    wmma::mma_sync(total, left, right, total);
    wmma::store_matrix_sync(c, total, {n}, wmma::mem_row_major);
}}
"""


@pytest.mark.parametrize(("shape", "type_", "element", "sum_"), [
    ((16, 16, 8), "wmma::precision::tf32", "float", "float"),
    ((32, 8, 16), "half", "half", "float"),
    ((8, 8, 4), "double", "double", "double"),
])  # fmt: skip
def test_each_warp_counts_two_operations_for_each_element_and_step(
    shape: tuple[int, int, int], type_: str, element: str, sum_: str
) -> None:
    m, n, k = shape
    source = PRODUCT.format(shape=f"{m}, {n}, {k}", type=type_, element=element, sum=sum_, n=n, k=k)
    assert launch(source, 1, 64, {"a": Filled(512), "c": Filled(m * n)}).flops == 2 * (2 * m * n * k)


def test_products_in_whole_numbers_are_no_floating_point_operations() -> None:
    source = PRODUCT.format(shape="16, 16, 16", type="signed char", element="signed char", sum="int", n=16, k=16)
    assert launch(source, 1, 32, {"a": Filled(256), "c": Filled(256)}).flops == 0


@pytest.mark.parametrize(("before", "after"), [("half", "float"), ("float", "half")])
def test_a_sum_of_another_type_than_the_result_is_kept_in_float(before: str, after: str) -> None:
    source = PRODUCT.replace("{sum}", "SUM", 1).replace("accumulator, {shape}, {sum}> total", f"accumulator, {{shape}}, {before}> start")
    source = source.replace("fill_fragment(total, 0)", "fill_fragment(start, 1)").replace("left, right, total", "left, right, start")
    source = source.replace("    wmma::fill", f"    wmma::fragment<wmma::accumulator, {{shape}}, {after}> total;\n    wmma::fill")
    source = source.replace("SUM", after).format(shape="16, 16, 16", type="half", element="half", n=16, k=16)
    a = np.zeros((16, 16), np.float16)
    a[0, :3] = 0.5, 1, 2.0**-11
    c = launch(source, 1, 32, {"a": a.ravel(), "c": Filled(256)}).values["c"].reshape(16, 16)
    assert c.dtype == {"half": np.float16, "float": np.float32}[after]
    # A times itself: 0.25 and 0.5 in row 0, with the 1 that was there
    assert c[0, :3].astype(float).tolist() == ([1.25, 1.5, 1 + 2.0**-12] if after == "float" else [1.25, 1.5, 1.0])


def test_two_floats_become_two_neighbouring_bfloat16() -> None:
    source = """
#include <cuda_bf16.h>
__global__ void f(__nv_bfloat162* c) { c[threadIdx.x] = __floats2bfloat162_rn(1.0f + threadIdx.x, -1.00390625f); }
"""
    halves = launch(source, 1, 2, {"c": Filled(2)}).values["c"].view(np.uint16).ravel()
    assert halves.tolist() == [0x3F80, 0xBF80, 0x4000, 0xBF80]  # 1 + 2^-8 lies between two, and goes to the even one
