"""Contraction: which sums take a product in unrounded, as the machine code that NVRTC makes for an H200 does."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch

FUSED = [
    "out[i] = x * y + s;",
    "float p = x * y; out[i] = s + p;",
    "float p = x * y; s += p; out[i] = s;",
    "out[i] = s; out[i] += x * y;",
    "__shared__ float all[64]; all[i] = s; float p = x * y; all[i] += p; out[i] = all[i];",
    "float p = x * y; if (i % 2) out[i] = s + p; else out[i] = p + s;",
    "out[i] = sum(x * y, s);",
    "float p = x * y; x = 7; out[i] = p + s;",
    "for (int k = 0; k < 3; ++k) { if (k == i % 3) continue; float p = x * y; out[i] = p + s; }",
]
ROUNDED = [
    "float p = x * y; out[i] = p; out[i] = s + p;",
    "float p; if (i % 2) p = x * y; else p = y * x; out[i] = s + p;",
    "float p = x * y; float q = s + p; out[i] = p > 2 ? q : q;",
]
HEAD = """__device__ float sum(float a, float b) { return a + b; }
__global__ void f(const float* a, const float* b, const float* c, float* out)
"""


def outcome(body: str, mode: Mode = Mode.BLOCK, *, contract: bool = True) -> tuple[np.ndarray[tuple[int], np.dtype[np.float32]], int]:
    text = f"{HEAD}{{ int i = threadIdx.x; float x = a[i], y = b[i], s = c[i];\n{body}\n}}"
    a, b, c = numbers()
    trace = launch(text, 1, 64, {"a": a, "b": b, "c": c, "out": np.zeros(64, np.float32)}, mode=mode, contract_fma=contract)
    return np.asarray(trace.values["out"]), trace.flops


def numbers() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.random.default_rng(5).standard_normal((3, 64)).astype(np.float32)


A, B, C = numbers()
EXACT = (A.astype(np.longdouble) * B + C).astype(np.float32)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("body", FUSED)
def test_a_product_that_is_only_added_is_not_rounded(body: str, mode: Mode) -> None:
    np.testing.assert_array_equal(outcome(body, mode)[0], EXACT)
    np.testing.assert_array_equal(outcome(body, mode, contract=False)[0], A * B + C)
    assert (EXACT != A * B + C).any()


@pytest.mark.parametrize("body", ROUNDED)
def test_one_whose_value_is_needed_is(body: str) -> None:
    np.testing.assert_array_equal(outcome(body)[0], A * B + C)


def test_two_sums_of_one_product_both_take_it_in() -> None:
    body = "float p = x * y; float one = s + p; out[i] = s - p; if (i % 2) out[i] = one;"
    other = (C - A.astype(np.longdouble) * B).astype(np.float32)
    np.testing.assert_array_equal(outcome(body)[0], np.where(np.arange(64) % 2, EXACT, other))


@pytest.mark.parametrize("body", [*FUSED[:5], "float p = x * y, q = s * y; out[i] = p + q - 1.0f;"])
def test_operations_are_counted_alike(body: str) -> None:
    assert outcome(body)[1] == outcome(body, contract=False)[1]
