"""A pointer that is misaligned for its vector: found where the compiler accesses more of the vector at once than one aligned member."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch

HEAD = """struct Pair { float x, y; };
__global__ void f(float* a, float* out)
{
    float4* p = (float4*)(a + 1);
    Pair* pair = (Pair*)(a + 1);
"""
FOUND = [
    ("float4 v = *p; out[0] = v.x;", ["*p"]),
    ("*p = make_float4(1, 2, 3, 4);", ["*p"]),
    ("out[0] = p->x + p->y;", ["p->x", "p->y"]),
    ("float x = p->x;\n float w = p->w;\n out[0] = x + w;", ["p->x", "p->w"]),
    ("p->x = 1;\n p->y = 2;", ["p->x", "p->y"]),
    ("out[0] = p[threadIdx.x].x + p[threadIdx.x].z;", ["p[threadIdx.x].x", "p[threadIdx.x].z"]),
    ("float2* q = (float2*)((char*)a + 2); out[0] = q->x;", ["q->x"]),
]
FINE = [
    "out[0] = p->x;",
    "p->w = 1;",
    "float s = 0; for (int i = 0; i < 2; ++i) s += p[i].y; out[0] = s;",
    "out[0] = p->x; out[1] = p->y;",
    "p->x = out[0]; p->y = out[1];",
    "out[0] = p->x + p->x;",
    "out[0] = pair->x + pair->y;",
    "float4* q = (float4*)a; out[0] = q->x + q->y; q->z = 1; q->w = 2;",
]


def found(body: str, mode: Mode) -> list[tuple[str, str]]:
    text = f"{HEAD} {body}\n}}"
    trace = launch(text, 1, 2, {"a": np.ones(32, np.float32), "out": np.zeros(4, np.float32)}, mode=mode)
    return [(each.kind, str(each.message).split(" ")[0]) for each in trace.findings]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("body", "places"), FOUND)
def test_what_is_accessed_as_a_whole_is_found(body: str, places: list[str], mode: Mode) -> None:
    assert found(body, mode) == [("misaligned-access", place) for place in places]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("body", FINE)
def test_what_the_compiler_narrows_to_one_member_is_not(body: str, mode: Mode) -> None:
    assert found(body, mode) == []
