"""Atomic updates of vectors, of two halves in a register, and of bfloat16: `red` and `atom`."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value
from tests.launches.lowered import refused
from tests.launches.simt_launch import launch, requests

X = np.random.default_rng(7).normal(size=(64, 8)).astype(np.float32)
OUT = 2
"""Places that 64 threads share."""


def in_type(values: np.ndarray, kind: str) -> np.ndarray:
    if kind == "f32":
        return values.astype(np.float32)
    return bfloat16_value(bfloat16_bits(values)) if kind == "bf16" else values.astype(np.float16)


def expected(kind: str, operation: str, count: int) -> np.ndarray:
    """Thread after thread, each part rounded to its type."""
    found = np.zeros((OUT, count), np.float32 if kind != "f16" else np.float16)
    for thread in range(64):
        given, place = in_type(X[thread, :count], kind), thread % OUT
        change = {"add": np.add, "min": np.minimum, "max": np.maximum}[operation]
        found[place] = in_type(change(found[place], given), kind)
    return found


def stored(kind: str, values: np.ndarray) -> np.ndarray:
    return bfloat16_bits(values).astype(np.uint16) if kind == "bf16" else values.astype({"f32": np.float32, "f16": np.float16}[kind])


CASES = [
    ("red.global.add.v2.f32", "f32", "add", 2, 2), ("red.relaxed.gpu.global.add.v4.f32", "f32", "add", 4, 4),
    ("red.global.add.noftz.f16x2", "f16", "add", 2, 1), ("red.add.noftz.bf16x2", "bf16", "add", 2, 1),
    ("red.global.add.noftz.bf16", "bf16", "add", 1, 1), ("red.global.v2.f16.max.noftz", "f16", "max", 2, 2),
    ("red.global.min.noftz.v8.bf16", "bf16", "min", 8, 8), ("red.global.max.noftz.v4.bf16x2", "bf16", "max", 8, 4),
    ("red.global.add.noftz.v2.f16x2", "f16", "add", 4, 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "operation", "count", "registers"), CASES)
def test_each_part_is_updated_by_itself(name: str, kind: str, operation: str, count: int, registers: int) -> None:
    """Sums, least and greatest as NumPy has them; nothing races, and up to 8 bytes are one request of each warp."""
    size = (4 if kind == "f32" else 2) * count
    c_type, constraint = ("float", "f") if kind == "f32" else ("unsigned", "r") if count > registers else ("unsigned short", "h")
    group = ", ".join(f"%{1 + number}" for number in range(registers))
    group = "{" + group + "}" if registers > 1 else group
    given = ", ".join(f'"{constraint}"(((const {c_type}*)x)[{registers} * threadIdx.x + {number}])' for number in range(registers))
    text = f"""__global__ void k(char* out, const char* x) {{
        asm volatile("{name} [%0], {group};" :: "l"(out + threadIdx.x % {OUT} * {size}), {given} : "memory");
    }}"""
    x = stored(kind, X[:, :count]).view(np.int8).ravel()
    trace = launch(text, 1, 64, {"out": np.zeros(OUT * size, np.int8), "x": x})
    assert findings(trace) == ()
    want = stored(kind, expected(kind, operation, count))
    assert trace.values["out"].view(want.dtype).reshape(want.shape).tolist() == want.tolist()
    assert requests(trace, "atomic") == 2 * max(1, size // 8)
    assert {site.bytes for site in trace.sites if site.operation == "atomic"} == {min(size, 8)}


def test_two_halves_as_they_were_before() -> None:
    """`atom` gives both; in shared memory, too."""
    text = """__global__ void k(unsigned* out, unsigned x) {
        __shared__ unsigned s;
        if (threadIdx.x == 0) s = x;
        __syncthreads();
        asm volatile("atom.shared.add.noftz.f16x2 %0, [%1], %2;"
            : "=r"(out[threadIdx.x]) : "r"((unsigned)__cvta_generic_to_shared(&s)), "r"(x) : "memory");
    }"""
    x = np.array([1, 2], np.float16)
    trace = launch(text, 1, 4, {"out": np.zeros(4, np.uint32), "x": int(x.view(np.uint32)[0])})
    assert trace.values["out"].view(np.float16).reshape(4, 2).tolist() == [[n, 2 * n] for n in (1, 2, 3, 4)]


def test_a_vector_is_aligned() -> None:
    """Of 16 bytes as of 8."""
    for name, off in (("red.global.add.v2.f32 [%0], {%1, %1}", 4), ("red.global.add.v4.f32 [%0], {%1, %1, %1, %1}", 8)):
        text = f'__global__ void k(char* out) {{ asm volatile("{name};" :: "l"(out + {off}), "f"(1.0f) : "memory"); }}'
        trace = launch(text, 1, 1, {"out": np.zeros(32, np.int8)})
        assert {each.kind for each in trace.findings} == {"misaligned-access"}


REFUSED = {
    "red.global.add.f16x2 [%0], %1": "red.global.add.f16x2 of 16-bit floats needs .noftz",
    "red.global.min.noftz.bf16x2 [%0], %1": ".min.bf16x2 is not executed",
    "red.global.max.v2.f32 [%0], {%1, %1}": ".max.f32 is not executed",
    "red.global.add.v2.u32 [%0], {%1, %1}": ".v2.u32 is not executed",
    "red.global.add.v8.f32 [%0], {%1, %1}": ".v8.f32 is not executed",
    "red.global.add.v2.f32 [%0], %1": "needs 2 registers here, not 1",
    "red.shared.add.v2.f32 [%0], {%1, %1}": "vectors are updated in global memory only",
}


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_ptx_has_no_form_of_is_refused(instruction: str) -> None:
    text = f'__global__ void k(float* p) {{\n  asm volatile("{instruction};" :: "l"(p), "r"(0) : "memory");\n}}'
    (found,) = refused(text)
    assert REFUSED[instruction] in str(found.message)
    assert found.line == 2
