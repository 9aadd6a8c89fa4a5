"""Arrays of a type that is not their values': what a tooltip says of an element that tensor cores read as two."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.base.i18n import digits_text
from app.core.gpu_view.arrays import arrays_of
from app.core.gpu_view.frame import frame_at
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.matrices.elements import element_text, lanes_table, value_of
from kernels.base.messages import Message
from kernels.simt.base.launch import Fill, Filled
from kernels.simt.base.rounding import bfloat16_value
from tests.launches.launch_records import launch_of, record_of


def number_of(index: LaunchIndex, name: str) -> int:
    return [each.name for each in index.trace.allocations].index(name)


def value(index: LaunchIndex, name: str, element: int, step: int = 0) -> str:
    return str(value_of(index, number_of(index, name), element, frame_at(index, step))[0])


def begun(index: LaunchIndex, name: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    held = index.trace.initial[number_of(index, name)].bytes
    assert held is not None
    return held


@pytest.mark.parametrize(("variant", "n"), [("gpu.mma-bf16", 64), ("gpu.wgmma-bf16", 128), ("gpu.three-parts", 128)])
def test_both_values_of_an_element_that_is_read_as_two_of_16_bits(variant: str, n: int) -> None:
    index = launch_of(variant, n)
    halves = bfloat16_value(begun(index, "T").view(np.uint16))
    low, high = (digits_text(float(each)) for each in halves[2 * 2030 : 2 * 2031])
    assert value(index, "T", 2030) == f"{low} and {high}, two bfloat16 values in one element"
    assert low != high


def test_the_values_in_a_tooltip_and_in_a_table_are_those_of_the_rounded_matrix() -> None:
    index = launch_of("gpu.mma-bf16", 64)
    a = begun(index, "A").view(np.float32).reshape(64, 64)
    (t,) = (each for each in arrays_of(index) if each.title == "T")
    said = str(element_text(index, t, 63 * 32 + 14, frame_at(index, 0)))
    shown = [float(each.replace("\N{MINUS SIGN}", "-")) for each in said.removeprefix("T[63][14] = ").split(", two")[0].split(" and ")]
    assert shown == pytest.approx(a[63, 28:30], rel=2**-8)
    assert str(lanes_table(index, arrays_of(index), frame_at(index, 0)).rows[0][3]).endswith("two bfloat16 values in one element")


@pytest.mark.parametrize(("variant", "name"), [("gpu.mma-tf32", "T"), ("gpu.fastest", "T"), ("gpu.mma-bf16", "B"), ("gpu.wmma-bf16", "A")])
def test_values_that_are_of_their_type_stay_so(variant: str, name: str) -> None:
    """B is not read where T holds it; A is read as float, and rounded after that."""
    index = launch_of(variant, 64)
    assert value(index, name, 100) == digits_text(float(begun(index, name).view(np.float32)[100]))


def test_where_other_accesses_reach_the_array_too_only_its_bits_are_told() -> None:
    """Behind the bricks T holds counts, which atomics add to."""
    index = launch_of("gpu.wgmma-clusters-bf16", 128)
    assert value(index, "T", 5) == f"the bits 0x{begun(index, 'T').view(np.uint32)[5]:08X}"


_ROUNDS_ITSELF = """#include <cuda_pipeline.h>
#include <cuda_bf16.h>
__global__ void k(const float* x, float* y) {
    __shared__ __align__(16) float s[128];
    int i = threadIdx.x;
    __pipeline_memcpy_async(s + 4 * i, x + 4 * i, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    unsigned a[4] = {}, b[2] = {};
    __nv_bfloat162 pair = __floats2bfloat162_rn(s[i], s[i + 32]);
    b[0] = *(unsigned*)&pair;
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    y[i] = d[0];
}"""


def test_copied_floats_that_threads_round_themselves_are_floats() -> None:
    index = record_of(_ROUNDS_ITSELF, 32, {"x": Filled(128, Fill.RANDOM), "y": Filled(32, Fill.RANDOM)})
    assert value(index, "x", 7) == digits_text(float(begun(index, "x").view(np.float32)[7]))
    assert not isinstance(value_of(index, number_of(index, "x"), 7, frame_at(index, 0))[0], Message)
