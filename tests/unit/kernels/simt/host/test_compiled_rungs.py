"""The shipped kernels, executed by compiled code: the interpreter's bits, at sizes that fill no block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.spec import Problem, Variant
from kernels.catalogue.catalogue import VARIANTS
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from tests.launches.compiled_launch import leave

LEFT = {
    "gpu.async", "gpu.wmma-tf32", "gpu.wmma-bf16", "gpu.mma-bf16", "gpu.mma-padded-bf16", "gpu.mma-swizzled-bf16",
    "gpu.wgmma-bf16", "gpu.wgmma-clusters-bf16", "gpu.split-k", "gpu.fitted", "gpu.three-parts", "gpu.hello",
}  # fmt: skip
"""Asynchronous copies, tiles of tensor cores, numbers of 16 bits, printf."""
SIZE = 40


@pytest.mark.parametrize("variant", [pytest.param(each, id=each.id) for each in VARIANTS if each.interpreted])
def test_a_shipped_kernel_is_executed_alike(variant: Variant) -> None:
    taken = launch_spec(variant, Problem.square(variant.operation, SIZE), variant.defaults)
    launched = taken.before or taken
    kernel = lower(parse(launched.text, defines=launched.defines), launched.entry or variant.entry)
    request = replace(launched.launch, shared_limit=OPT_IN_SHARED_BYTES)
    left = leave(kernel, request)
    assert (left.refused is None) is (variant.id not in LEFT)
    if left.refused is not None:
        return
    for name, values in execute(kernel, request, launched.text).values.items():
        held, written = np.ascontiguousarray(values).reshape(-1).view(np.uint8), left.defined[name]
        assert np.array_equal(held[written], left.arrays[name][written]), name
