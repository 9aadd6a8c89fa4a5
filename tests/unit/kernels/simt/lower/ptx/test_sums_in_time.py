"""Sums of wgmma that are read before their group was waited for: told by the groups that are pending as they are read, no others."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import Mode
from tests.launches.simt_launch import launch

TEXT = """
__global__ void k(float* out) {
    extern __shared__ __align__(1024) unsigned s[];
    for (int i = threadIdx.x; i < 2048; i += 128) s[i] = 0;
    unsigned long long at = (unsigned)__cvta_generic_to_shared(s) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
    float d[2][4] = {}, sum = 0;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int i = 0; i < 2; ++i) {
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %4, 1, 1, 1, 0, 0;"
            : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3]) : "l"(at));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned LEFT;" ::: "memory");
    for (int i = 0; i < 4; ++i) sum += d[WHICH][i];
    out[threadIdx.x] = sum;
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    out[threadIdx.x] += d[1][3];
}"""


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("left", "which", "early"), [(0, 0, False), (0, 1, False), (1, 0, False), (1, 1, True), (2, 0, True)])
def test_what_is_pending_as_it_is_read_is_found(left: int, which: int, early: bool, mode: Mode) -> None:
    text = TEXT.replace("LEFT", str(left)).replace("WHICH", str(which))
    trace = launch(text, 1, 128, {"out": np.zeros(128, np.float32)}, shared_bytes=8192, mode=mode)
    assert {(each.kind, each.location.line) for each in findings(trace)} == ({("asynchronous-access", 16)} if early else set())
