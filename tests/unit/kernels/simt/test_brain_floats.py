"""bfloat16 in a kernel: stored in two bytes, and rounded to its 8 bits after every operation."""

from __future__ import annotations

import numpy as np

from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value
from tests.launches.simt_launch import launch

TEXT = """#include <cuda_bf16.h>
__global__ void f(const float* x, __nv_bfloat16* y, float* z) {
    int i = threadIdx.x;
    const nv_bfloat16 a = __float2bfloat16(x[i]), step = __float2bfloat16(1.5f);
    y[i] = a * step;
    z[i] = __bfloat162float(y[i]);
}
"""


def test_brain_floats_are_stored_and_rounded() -> None:
    x = np.linspace(-3, 300, 32, dtype=np.float32)
    trace = launch(TEXT, 1, 32, {"x": x, "y": np.zeros(32, np.uint16), "z": np.zeros(32, np.float32)})
    product = bfloat16_bits(bfloat16_value(bfloat16_bits(x)) * np.float32(1.5))
    assert trace.findings == ()
    np.testing.assert_array_equal(trace.values["y"], product)
    np.testing.assert_array_equal(trace.values["z"], bfloat16_value(product))
    assert [site.bytes for site in trace.sites if site.operation == "store"] == [2, 4]
