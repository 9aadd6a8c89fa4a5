"""What a warp's product of tiles counts for, and bfloat16 two at a time."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Filled
from tests.simt_launch import launch

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


def test_two_floats_become_two_neighbouring_bfloat16() -> None:
    source = """
#include <cuda_bf16.h>
__global__ void f(__nv_bfloat162* c) { c[threadIdx.x] = __floats2bfloat162_rn(1.0f + threadIdx.x, -1.00390625f); }
"""
    halves = launch(source, 1, 2, {"c": Filled(2)}).values["c"].view(np.uint16).ravel()
    assert halves.tolist() == [0x3F80, 0xBF80, 0x4000, 0xBF80]  # 1 + 2^-8 lies between two, and goes to the even one
