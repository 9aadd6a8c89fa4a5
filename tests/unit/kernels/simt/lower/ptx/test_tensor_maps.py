"""Copies of boxes by a tensor map: every swizzle, edges, dimensions, both directions; maps made by a program's own function."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import Argument
from kernels.simt.base.swizzle import box_addresses
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch
from tests.witnesses.gpu_tensor_map import KINDS, SWIZZLES

Numbers = npt.NDArray[Any]
LOAD = r"""
#include <cuda.h>
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void k(float* out, const __grid_constant__ CUtensorMap map) {
    extern __shared__ __align__(1024) float s[];
    __shared__ unsigned long long b;
    int t = threadIdx.x;
    for (int i = t; i < COUNT; i += 32) s[i] = -1;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.proxy.async;" :: "r"(AT(&b)) : "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(AT(&b)), "n"(COUNT * 4) : "memory");
        asm volatile("cp.async.bulk.tensor.RANKd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {START}], [%2];"
            :: "r"(AT(s)), "l"(&map), "r"(AT(&b)) : "memory");
    }
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L; }" :: "r"(AT(&b)) : "memory");
    for (int i = t; i < COUNT; i += 32) out[i] = s[i];
}"""


def tensor_map(tensor: Numbers, box: tuple[int, ...], span: int) -> dict[str, Argument]:
    """The members of a map of an array, by path, as a launch gives them."""
    sizes, strides = tensor.shape[::-1], tensor.strides[::-1]
    kinds = len(box) | KINDS[tensor.dtype.str[1:]] << 8 | SWIZZLES[span] << 16
    found: dict[str, Argument] = {
        "map.address": tensor.ravel(),
        "map.kinds": kinds,
    }
    for i in range(5):
        found[f"map.size[{i}]"] = sizes[i] if i < len(box) else 0
        found[f"map.box[{i}]"] = box[i] if i < len(box) else 0
    for i in range(4):
        found[f"map.stride[{i}]"] = strides[i + 1] if i + 1 < len(box) else 0
    return found


def loaded(tensor: Numbers, box: tuple[int, ...], start: tuple[int, ...], span: int = 0) -> tuple[Numbers, Trace]:
    """The box as it lies in shared memory, by element, and the trace."""
    count = int(np.prod(box))
    text = LOAD.replace("COUNT", str(count)).replace("RANK", str(len(box))).replace("START", ", ".join(map(str, start)))
    arguments: dict[str, Argument] = {"out": np.zeros(count, np.float32), **tensor_map(tensor, box, span)}
    trace = launch(text, 1, 32, arguments, shared_bytes=count * 4)
    return trace.values["out"][box_addresses(0, box, 4, span) // 4], trace


@pytest.mark.parametrize("span", [0, 32, 64, 128])
def test_a_box_in_every_swizzle(span: int) -> None:
    """Rows of the swizzle's span, its pieces exchanged."""
    tensor = np.arange(64 * 64, dtype=np.float32).reshape(64, 64)
    box = (span // 4 or 16, 16)
    found, trace = loaded(tensor, box, (8, 4), span)
    assert findings(trace) == ()
    assert found.tolist() == tensor[4:20, 8 : 8 + box[0]].tolist()


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_every_number_of_dimensions_and_zeros_outside(rank: int) -> None:
    """A box that begins before the tensor in each dimension."""
    shape = (3, 4, 5, 6, 8)[5 - rank :]
    tensor = np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
    box = (8, 2, 2, 2, 2)[:rank]
    found, trace = loaded(tensor, box, (-4, -1, -1, -1, -1)[:rank])
    assert findings(trace) == ()
    padded = np.pad(tensor, [(1, 2)] * (rank - 1) + [(4, 8)])
    assert found.tolist() == padded[tuple(slice(0, each) for each in reversed(box))].tolist()


STORE = r"""
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
__global__ void k(float* out, int unused) {
    __shared__ __align__(128) float s[32 * 4];
    CUtensorMap map;
    cuuint64_t sizes[2] = {24, 5}, strides[1] = {96};
    cuuint32_t box[2] = {32, 4}, one[2] = {1, 1};
    cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, out, sizes, strides, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    int t = threadIdx.x;
    for (int r = 0; r < 4; ++r) s[r * 32 + (t / 4 ^ r) * 4 + t % 4] = r * 100 + t;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];\n"
            "cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;" :: "l"(&map), "r"(AT(s)), "r"(4), "r"(2) : "memory");
}"""


def test_a_box_is_stored_as_far_as_it_lies_in_the_tensor() -> None:
    """Element (x, y) of the box goes to (x + 4, y + 2); the rest is nowhere."""
    trace = launch(STORE, 1, 32, {"out": np.full(24 * 5, -1, np.float32), "unused": 0})
    assert findings(trace) == ()
    expected = np.full((5, 24), -1, np.float32)
    expected[2:, 4:] = np.arange(3)[:, None] * 100 + np.arange(20)
    assert trace.values["out"].tolist() == expected.ravel().tolist()


def test_what_is_no_map_is_said() -> None:
    """A map of zeros, and one of another rank."""
    tensor = np.zeros((8, 8), np.float32)
    for change in ({"map.kinds": 0}, {"map.kinds": 3 | KINDS["f4"] << 8}):
        text = LOAD.replace("COUNT", "64").replace("RANK", "2").replace("START", "0, 0")
        arguments = {"out": np.zeros(64, np.float32), **tensor_map(tensor, (8, 8), 0), **change}
        trace = launch(text, 1, 32, arguments, shared_bytes=256)
        assert "misaligned-access" in {each.kind for each in trace.findings}
