"""ldmatrix, stmatrix and mma.sync against NumPy's products, and what a trace says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.simt.base.fragments import mma_maps
from kernels.simt.base.instructions import MMA
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.frontend.parse import parse
from kernels.simt.generate.flows import flows_of
from kernels.simt.lower import lower
from kernels.simt.trace.flows import TENSOR
from tests.launches.simt_launch import launch, requests

Numbers = npt.NDArray[Any]
RANDOM = np.random.default_rng(7)
GEMM = """
__global__ void k(float* out, const unsigned short* a, const unsigned short* b) {
    __shared__ __align__(16) unsigned short sa[16 * PITCH], sb[16 * PITCH];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) sa[i / 16 * PITCH + i % 16] = a[i];
    for (int i = t; i < 128; i += 32) sb[i / 8 * PITCH + i % 8] = b[i];
    __syncthreads();
    unsigned ra[4], rb[2];
    float d[4] = {};
    unsigned row = (unsigned)__cvta_generic_to_shared(&sa[t % 16 * PITCH + t / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(row));
    row = (unsigned)__cvta_generic_to_shared(&sb[t % 16 * PITCH]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(row));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.TYPE.TYPE.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; ++i) out[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}"""


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_a_product_of_tiles(kind: str) -> None:
    """The classical chain: ldmatrix, ldmatrix.trans, mma; products of small whole numbers are exact."""
    a, b = (RANDOM.integers(-8, 9, shape).astype(np.float32) for shape in ((16, 16), (16, 8)))
    bits = [bfloat16_bits(each) if kind == "bf16" else each.astype(np.float16).view(np.uint16) for each in (a, b)]
    text = GEMM.replace("TYPE", kind).replace("PITCH", "24")
    trace = launch(text, 1, 32, {"out": np.zeros(128, np.float32), "a": bits[0].ravel(), "b": bits[1].ravel()})
    assert trace.findings == ()
    assert trace.values["out"].reshape(16, 8).tolist() == (a @ b).tolist()
    assert trace.flops == 2 * 16 * 8 * 16
    assert (requests(trace, "load", 11), requests(trace, "load", 14)) == (1, 1)
    loads = [each for each in trace.sites if each.function.startswith("ldmatrix")]
    assert [(each.function, each.bytes, each.space.value, each.tile) for each in loads] == [
        ("ldmatrix.x4", 16, "shared", False), ("ldmatrix.x2.trans", 16, "shared", False),
    ]  # fmt: skip


def test_sums_of_floats_are_said_to_be_modelled() -> None:
    """What tensor cores add is followed as a model's value; products of doubles are exact."""
    unit = parse(GEMM.replace("TYPE", "f16").replace("PITCH", "24"))
    assert TENSOR in flows_of(lower(unit, "k")).lines
    doubles = _kernel("m8n8k4.f64.f64.f64.f64", [1, 1, 2], [np.zeros((32, 1), np.uint64)] * 2 + [np.zeros((32, 2), np.uint64)])[0]
    assert TENSOR not in flows_of(lower(parse(doubles), "k")).lines


def test_only_the_lanes_that_give_rows_access_memory() -> None:
    """x1 reads eight rows, x2 sixteen, x4 one for each lane."""
    trace = launch(GEMM.replace("TYPE", "f16").replace("PITCH", "24"), 1, 32, {
        "out": np.zeros(128, np.float32), "a": np.zeros(256, np.uint16), "b": np.zeros(128, np.uint16),
    })  # fmt: skip
    rows = trace.rows
    lanes = [int(trace.masks[rows.mask[row]].sum()) for row in range(len(rows.site)) if trace.sites[rows.site[row]].function]
    assert lanes == [32, 16]


STORED = """
__global__ void k(unsigned short* out, const unsigned* x) {
    __shared__ __align__(16) unsigned short s[256];
    int t = threadIdx.x;
    unsigned row = (unsigned)__cvta_generic_to_shared(&s[t * 8]);
    asm volatile("stmatrix.sync.aligned.m8n8.x4TRANS.shared.b16 [%0], {%1, %2, %3, %4};"
        :: "r"(row), "r"(x[t]), "r"(x[t + 32]), "r"(x[t + 64]), "r"(x[t + 96]) : "memory");
    __syncthreads();
    for (int i = t; i < 256; i += 32) out[i] = s[i];
}"""


@pytest.mark.parametrize("trans", ["", ".trans"])
def test_matrices_are_stored(trans: str) -> None:
    """Lane 4 r + c holds elements 2 c and 2 c + 1 of row r, or of column r."""
    x = RANDOM.integers(0, 1 << 32, 128).astype(np.uint32)
    trace = launch(STORED.replace("TRANS", trans), 1, 32, {"out": np.zeros(256, np.uint16), "x": x})
    assert trace.findings == ()
    matrices = x.view(np.uint16).reshape(4, 8, 8)
    expected = matrices.swapaxes(1, 2) if trans else matrices
    assert trace.values["out"].tolist() == expected.ravel().tolist()


def _values(kind: str, shape: tuple[int, int]) -> tuple[Numbers, Numbers]:
    """Random small whole numbers, and their bits."""
    numbers = RANDOM.integers(0 if kind == "u8" else -6, 7, shape)
    dtypes = {"f16": np.float16, "tf32": np.float32, "f64": np.float64, "s8": np.int8, "u8": np.uint8}
    if kind == "bf16":
        return numbers, bfloat16_bits(numbers.astype(np.float32))
    return numbers, numbers.astype(dtypes[kind])


@pytest.mark.parametrize("name", [name for name in MMA if "e4m3" not in name and "e5m2" not in name])
def test_every_shape_and_type(name: str) -> None:
    """Registers filled by the layout of each operand give the product in the layout of D."""
    shape = MMA[name]
    maps = mma_maps(shape.m, shape.n, shape.k, shape.left, shape.sum_bits)
    sizes = ((shape.m, shape.k), (shape.k, shape.n), (shape.m, shape.n))
    sums = {"f32": np.float32, "f16": np.float16, "s32": np.int32, "f64": np.float64}[shape.sums]
    (a, left), (b, right) = _values(shape.left, sizes[0]), _values(shape.right, sizes[1])
    c = RANDOM.integers(-9, 10, sizes[2]).astype(sums)
    packed = [each.pack(values) for each, values in zip(maps, (left, right, c), strict=True)]
    text, arguments = _kernel(name, [each.shape[-1] for each in packed], packed)
    trace = launch(text, 1, 32, arguments)
    assert trace.findings == ()
    d = maps[2].elements(trace.values["out"].reshape(-1, 32).T).view(sums)
    assert d.tolist() == (a @ b + c).astype(sums).tolist()


def _kernel(name: str, counts: list[int], packed: list[Numbers]) -> tuple[str, dict[str, Numbers]]:
    """A kernel of one product, and its registers as arrays of registers x lanes."""
    kinds = {"u8": ("double", "d"), "u4": ("unsigned", "r")}
    types = [kinds[each.dtype.str[1:]] for each in packed]
    sums = ("float", "f") if name.split(".")[1] == "f32" else types[2]
    shape, d, a, b, c = name.split(".")
    numbers = iter(range(100))
    groups = ["{" + ", ".join(f"%{next(numbers)}" for _ in range(count)) + "}" for count in (counts[2], *counts)]
    outputs = ", ".join(f'"={sums[1]}"(d[{i}])' for i in range(counts[2]))
    inputs = ", ".join(
        f'"{kind}"({array}[{i} * 32 + t])'
        for array, count, (_, kind) in zip("abc", counts, (types[0], types[1], sums), strict=True)
        for i in range(count)
    )
    text = f"""__global__ void k({sums[0]}* out, const {types[0][0]}* a, const {types[1][0]}* b, const {sums[0]}* c) {{
        int t = threadIdx.x;
        {sums[0]} d[{counts[2]}];
        asm volatile("mma.sync.aligned.{shape}.row.col.{d}.{a}.{b}.{c} {", ".join(groups)};" : {outputs} : {inputs});
        for (int i = 0; i < {counts[2]}; ++i) out[i * 32 + t] = d[i];
    }}"""
    dtypes = {"double": np.float64, "unsigned": np.uint32, "float": np.float32}
    arrays = {
        array: np.ascontiguousarray(values.T).ravel().view(dtypes[kind])
        for array, values, kind in zip("abc", packed, (types[0][0], types[1][0], sums[0]), strict=True)
    }
    return text, {"out": np.zeros(32 * counts[2], dtypes[sums[0]]), **arrays}


def test_a_lane_that_is_not_there_is_found() -> None:
    """Instructions of a whole warp need all its lanes."""
    text = """__global__ void k(unsigned* out) {
        __shared__ __align__(16) unsigned s[128];
        s[threadIdx.x] = s[threadIdx.x + 32] = s[threadIdx.x + 64] = s[threadIdx.x + 96] = 0;
        __syncwarp();
        unsigned r = 0;
        if (threadIdx.x < 16)
            asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r)
                : "r"((unsigned)__cvta_generic_to_shared(&s[threadIdx.x % 8 * 4])));
        out[threadIdx.x] = r;
    }"""
    trace = launch(text, 1, 32, {"out": np.zeros(32, np.uint32)})
    assert [each.kind for each in trace.findings] == ["barrier-divergence"]
