"""Why matrices are not drawn as a product, of kernels that nearly are one; nothing is said of those that have nothing of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernels.simt.base.launch import Argument, Fill, Filled
from tests.launches import own_kernels
from tests.launches.own_kernels import ONE_BLOCK, Own, full


def said(own: Own, names: dict[str, str] | None = None) -> str | None:
    index = own.launched(names)
    return None if index.record.missed is None else str(index.record.missed)


def changed(own: Own, before: str, after: str) -> Own:
    assert before in own.text
    return replace(own, text=own.text.replace(before, after))


def test_what_is_read_as_a_product_and_written_otherwise_says_in_how_many_results() -> None:
    own = changed(ONE_BLOCK, "s += ", "s -= ")
    assert said(own) == "no product: 252 of 256 results differ from A × B"
    assert said(own, {"A": "left", "B": "right", "C": "out"}) == "no product: 252 of 256 results differ from left × right"


PLACE = "int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;"
RIGHT = {
    "wide elements": Own(
        f"""__global__ void own(const float* $A$, const float4* $B$, float4* $C$, int $n$) {{ {PLACE}
        float4 s = make_float4(0, 0, 0, 0);
        for (int k = 0; k < $n$; ++k) {{
            float a = $A$[y * $n$ + k]; float4 b = $B$[k * $n$ / 4 + x];
            s.x += a * b.x; s.y += a * b.y; s.z += a * b.z; s.w += a * b.w;
        }}
        $C$[y * $n$ / 4 + x] = s; }}""",
        (1, 1, 1), (4, 16, 1), {"A": full(256), "B": full(64), "C": Filled(64), "n": 16},
    ),
    "several products": Own(
        f"""__global__ void own(const float* $A$, const float* $B$, float* $C$, int $n$) {{ {PLACE}
        int z = blockIdx.z * $n$ * $n$; float s = 0;
        for (int k = 0; k < $n$; ++k) s += $A$[z + y * $n$ + k] * $B$[z + k * $n$ + x];
        $C$[z + y * $n$ + x] = s; }}""",
        (1, 1, 3), (16, 16, 1), {"A": full(768), "B": full(768), "C": Filled(768), "n": 16},
    ),
    "leading dimension": Own(
        f"""__global__ void own(const float* $A$, const float* $B$, float* $C$, int $n$, int $k$) {{ {PLACE}
        float s = 0;
        for (int k = 0; k < $k$; ++k) s += $A$[y * $n$ + k] * $B$[k * $n$ + x];
        $C$[y * $n$ + x] = s; }}""",
        (2, 2, 1), (16, 16, 1), {"A": full(1024), "B": full(1024), "C": Filled(1024), "n": 32, "k": 24},
    ),
}  # fmt: skip


@pytest.mark.parametrize("own", RIGHT.values(), ids=RIGHT.keys())
def test_right_products_that_are_not_drawn_as_one_are_not_said_to_be_none(own: Own) -> None:
    assert said(own) is None


@pytest.mark.parametrize("kind", own_kernels.EVERY)
def test_what_has_nothing_of_a_product_says_nothing(kind: str) -> None:
    assert said(own_kernels.EVERY[kind]) is None


def test_values_that_tell_nothing_are_not_said_to_differ() -> None:
    zeros: dict[str, Argument] = {**{name: Filled(256, Fill.ZEROS) for name in "ABC"}, "n": 16}
    assert said(replace(ONE_BLOCK, arguments=zeros)) is None
