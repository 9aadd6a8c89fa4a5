"""A fence orders what one block publishes to others wherever its call is written, and only what stands before it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute

HEADER = """
__device__ bool comes_last(unsigned* counter)
{
    FENCE
    return atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
}
"""
KERNEL = """#include "last.cuh"
__global__ void f(int* parts, int* out, unsigned* counter)
{
    parts[blockIdx.x] = blockIdx.x + 1;
    if (comes_last(counter))
        for (int b = 0; b < gridDim.x; ++b) *out += parts[b];
}
"""


@pytest.mark.parametrize(
    ("fence", "races"),
    [("__threadfence();", 0), ("__threadfence_system();", 0), ("__threadfence_block();", 1), ("// __threadfence();", 1)],
)
def test_a_fence_in_a_local_header_counts(tmp_path: Path, fence: str, races: int) -> None:
    (tmp_path / "last.cuh").write_text(HEADER.replace("FENCE", fence), encoding="utf-8")
    kernel = lower(parse(KERNEL, tmp_path / "main.cu"), "f")
    arguments = {"parts": np.zeros(4, np.int32), "out": np.zeros(1, np.int32), "counter": np.zeros(1, np.uint32)}
    trace = execute(kernel, LaunchRequest((4, 1, 1), (1, 1, 1), arguments), KERNEL)
    assert trace.values["out"].tolist() == [10]
    assert [each.kind for each in findings(trace)] == ["data-race"] * races
