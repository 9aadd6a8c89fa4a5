"""wgmma against NumPy's products: every swizzle and order of memory, types, A in registers, groups, and what is not waited for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.analysis.counts import counts
from kernels.simt.base.fragments import BITS, wgmma_maps
from kernels.simt.base.instructions import WGMMA
from kernels.simt.base.rounding import bfloat16_bits
from kernels.simt.base.swizzle import MatrixDescriptor
from kernels.simt.trace.events import Happening
from tests.launches.simt_launch import launch

Numbers = npt.NDArray[Any]
RANDOM = np.random.default_rng(5)
BYTES = 16384
NAMES = {"f32": ("float", "f"), "f16": ("unsigned", "r"), "s32": ("int", "r")}


def kernel(name: str, *, scale: str = "1, 1", transposed: str = "", a: str = "%DESCRIPTOR") -> str:
    """A warpgroup that multiplies what it has copied into shared memory, descriptors given by the launch."""
    shape = WGMMA[name]
    count, (c_type, constraint) = shape.registers[0], NAMES[shape.sums]
    sums = ", ".join(f"%{i}" for i in range(count))
    outputs = ", ".join(f'"+{constraint}"(d[{i}])' for i in range(count))
    a_text = f"%{count + 1}" if a == "%DESCRIPTOR" else "{" + ", ".join(f"%{count + 1 + i}" for i in range(4)) + "}"
    inputs = '"l"(a)' if a == "%DESCRIPTOR" else ", ".join(f'"r"(x[{i} * 128 + t])' for i in range(4))
    flags = "1" if shape.sums == "s32" else f"1, {scale}{transposed}"
    return f"""__global__ void k({c_type}* out, const uint4* image, const unsigned* x, unsigned long long a, unsigned long long b) {{
        __shared__ __align__(1024) uint4 s[{BYTES // 16}];
        int t = threadIdx.x;
        for (int i = t; i < {BYTES // 16}; i += 128) s[i] = image[i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        {c_type} d[{count}] = {{}};
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile("wgmma.mma_async.sync.aligned.{name} {{{sums}}}, {a_text}, %{count}, {flags};" : {outputs} : "l"(b), {inputs});
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        for (int i = 0; i < {count}; ++i) out[i * 128 + t] = d[i];
    }}"""


def bits_of(values: Numbers, kind: str) -> Numbers:
    """Whole numbers as the bits of a type."""
    if kind == "bf16":
        return np.asarray(bfloat16_bits(values.astype(np.float32)))
    dtype = {"f16": np.float16, "tf32": np.float32, "s8": np.int8, "u8": np.uint8}[kind]
    return values.astype(dtype).view(f"u{np.dtype(dtype).itemsize}")


def multiplied(name: str, left: MatrixDescriptor, right: MatrixDescriptor, majors: str = "KK", **options: str) -> tuple[Numbers, Any]:
    """The numbers that a launch gives, less those of NumPy, and the trace."""
    shape = WGMMA[name]
    a, b = (RANDOM.integers(0, 5, size) for size in ((64, shape.k), (shape.n, shape.k)))
    image, bits = np.zeros(BYTES, np.uint8), BITS[shape.left]
    for values, descriptor, kind, major in ((a, left, shape.left, majors[0]), (b, right, shape.right, majors[1])):
        where = descriptor.addresses(len(values), shape.k, bits, "MN" if major == "M" else "K")
        image.view(f"u{bits // 8}")[where // (bits // 8)] = bits_of(values, kind)
    a_map, d_map = wgmma_maps(shape.n, shape.left, 16 if shape.sums == "f16" else 32)
    registers = np.ascontiguousarray(a_map.pack(bits_of(a, shape.left)).T).ravel()
    dtype = {"f32": np.float32, "f16": np.uint32, "s32": np.int32}[shape.sums]
    trace = launch(kernel(name, **options), 1, 128, {
        "out": np.zeros(128 * shape.registers[0], dtype), "image": image, "x": registers.view(np.uint32), "a": left.bits, "b": right.bits,
    })  # fmt: skip
    found = d_map.elements(trace.values["out"].reshape(-1, 128).T)
    values = found.view(np.float16) if shape.sums == "f16" else found.view(dtype)
    return values - (a @ b.T), trace


@pytest.mark.parametrize("span", [0, 32, 64, 128])
@pytest.mark.parametrize("name", ["m64n16k16.f32.bf16.bf16", "m64n64k16.f16.f16.f16", "m64n8k8.f32.tf32.tf32", "m64n24k32.s32.s8.u8"])
def test_operands_in_every_swizzle(name: str, span: int) -> None:
    """Rows of k one after another: 8 rows of a swizzle's span, or pieces by themselves."""
    rows = 8 * (span or 16)
    leading, stride = (128, 256) if not span else (16, rows)
    left, right = MatrixDescriptor(0, leading, stride, span), MatrixDescriptor(8192, leading, stride, span)
    wrong, trace = multiplied(name, left, right, transposed=BF16 if WGMMA[name].left in ("f16", "bf16") else "")
    assert trace.findings == ()
    assert not wrong.any()


@pytest.mark.parametrize("majors", ["MK", "KM", "MM"])
def test_operands_with_rows_side_by_side(majors: str) -> None:
    """Transposed operands of 16 bits, in a swizzle of 128 bytes."""
    along, across = MatrixDescriptor(0, 16, 1024, 128), MatrixDescriptor(0, 2048, 1024, 128)
    left, right = (across if each == "M" else along for each in majors)
    right = MatrixDescriptor(8192, right.leading, right.stride, right.span)
    flags = "".join(f", {int(each == 'M')}" for each in majors)
    wrong, trace = multiplied("m64n64k16.f32.f16.f16", left, right, majors, transposed=flags)
    assert trace.findings == ()
    assert not wrong.any()


def test_a_in_registers_and_signs() -> None:
    """A from registers; the sign of B turned."""
    descriptor = MatrixDescriptor(8192, 16, 1024, 128)
    wrong, _ = multiplied("m64n32k16.f32.bf16.bf16", descriptor, descriptor, a="registers", transposed=", 0")
    assert not wrong.any()
    wrong, _ = multiplied("m64n32k16.f32.bf16.bf16", descriptor, descriptor, a="registers", transposed=", 0", scale="1, -1")
    assert wrong.max() < 0


BF16 = ", 0, 0"


@pytest.mark.parametrize(("span", "wavefronts"), [(0, 1), (128, 1)])
def test_pieces_of_eight_rows_meet_all_banks(span: int, wavefronts: int) -> None:
    """A swizzle of 128 bytes spreads a column of pieces over all banks, as pieces by themselves lie anyway."""
    leading, stride = (128, 256) if not span else (16, 1024)
    left, right = (MatrixDescriptor(start, leading, stride, span) for start in (0, 8192))
    _, trace = multiplied("m64n64k16.f32.bf16.bf16", left, right, transposed=BF16)
    (line,) = {site.location.line for site in trace.sites if site.function.startswith("wgmma.m64")}
    (count,) = [each for each in counts(trace).lines if each.line == line]
    pieces = 4 * 32 + 64 * 2
    assert count.wavefronts == wavefronts * pieces // 8


def test_a_trace_tells_of_products_and_groups() -> None:
    """Each warp's products, commits and waits."""
    left, right = (MatrixDescriptor(start, 16, 1024, 128) for start in (0, 8192))
    _, trace = multiplied("m64n64k16.f32.bf16.bf16", left, right, transposed=BF16)
    kinds = [each.kind for each in trace.events if not each.name.startswith("mbarrier")]
    assert set(kinds) == {Happening.OPERAND, Happening.PRODUCT, Happening.GROUP_COMMITTED, Happening.GROUP_WAITED}
    told = {(each.value, each.other, each.numbers) for each in trace.events if each.kind is Happening.OPERAND}
    assert told == {(left.bits, 0, (64, 16, 16, 0)), (right.bits, 1, (64, 16, 16, 0))}
    assert trace.flops == 2 * 64 * 64 * 16


def test_a_product_without_a_fence_is_found() -> None:
    """The registers of the accumulator are written before the first product."""
    text = kernel("m64n8k16.f32.bf16.bf16", transposed=BF16).replace('asm volatile("wgmma.fence.sync.aligned;" ::: "memory");', "")
    zeros = np.zeros(BYTES, np.uint8)
    trace = launch(text, 1, 128, {"out": np.zeros(512, np.float32), "image": zeros, "x": zeros.view(np.uint32), "a": 0, "b": 0})
    assert [each.kind for each in trace.findings] == ["asynchronous-access"]
