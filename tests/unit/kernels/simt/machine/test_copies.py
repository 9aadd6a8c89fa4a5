"""Asynchronous copies: what is recorded of them, what they write when, and what is found wrong with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import Mode
from kernels.simt.base.types import Space
from kernels.simt.run.execution import NotExecuted
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch, requests

MODES = pytest.mark.parametrize("mode", list(Mode))
DATA = np.arange(1, 257, dtype=np.float32)


def copied(body: str, mode: Mode = Mode.BLOCK, source: Any = DATA, threads: int = 64, floats: int = 64) -> Trace:
    """One block that has `s`, of so many floats, `in`, `out` and `t`."""
    text = f"""#include <cuda_pipeline.h>
__global__ void f(const float* in, float* out)
{{
    __shared__ __align__(16) float s[{floats}];
    int t = threadIdx.x;
{body}
}}"""
    return launch(text, 1, threads, {"in": source, "out": np.zeros(256, np.float32)}, mode=mode)


def found(trace: Trace) -> list[tuple[str, int, int]]:
    return [(each.kind, each.location.line, len(each.threads)) for each in trace.findings]


WAIT = "__pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();"


@MODES
@pytest.mark.parametrize("floats", [1, 2, 4])
def test_a_copy_reads_global_and_writes_shared_memory_as_one_access_each(floats: int, mode: Mode) -> None:
    body = f"""    __pipeline_memcpy_async(&s[t * {floats}], &in[t * {floats}], {4 * floats});
    {WAIT}
    for (int k = 0; k < {floats}; ++k) out[t * {floats} + k] = s[(63 - t) * {floats} + k];"""
    trace = copied(body, mode, floats=64 * floats)
    assert trace.findings == ()
    expected = DATA[: 64 * floats].reshape(64, floats)[::-1].ravel()
    np.testing.assert_array_equal(trace.values["out"][: 64 * floats], expected)
    sites = {(site.operation, site.space, site.bytes) for site in trace.sites if site.location.line == 6}
    assert sites == {("load", Space.GLOBAL, 4 * floats), ("store", Space.SHARED, 4 * floats)}
    assert (requests(trace, "load", 6), requests(trace, "store", 6)) == (2, 2)


@MODES
def test_to_read_the_target_before_the_wait_is_found(mode: Mode) -> None:
    trace = copied(
        "    __pipeline_memcpy_async(&s[t], &in[t], 4); __pipeline_commit();\n    out[t] = s[t];\n    __pipeline_wait_prior(0);", mode
    )
    assert found(trace) == [("uninitialised-read", 7, 32)]


@MODES
def test_what_was_read_well_before_is_found_once_a_copy_is_on_its_way(mode: Mode) -> None:
    body = """    s[t] = 0;
    for (int k = 0; k < 3; ++k) {
        out[t] = s[t];
        if (k == 1) __pipeline_memcpy_async(&s[t], &in[t], 4);
    }"""
    assert found(copied(body, mode)) == [("uninitialised-read", 8, 32)]


@MODES
def test_the_newest_groups_may_be_left_under_way(mode: Mode) -> None:
    body = """    for (int k = 0; k < 2; ++k) { __pipeline_memcpy_async(&s[t + 64 * k], &in[t + 64 * k], 4); __pipeline_commit(); }
    __pipeline_wait_prior(1);
    out[t] = s[t];
    out[t + 64] = s[t + 64];
    __pipeline_wait_prior(0);
    out[t + 64] = s[t + 64];"""
    trace = copied(body, mode, floats=128)
    assert found(trace) == [("uninitialised-read", 9, 32)]
    np.testing.assert_array_equal(trace.values["out"][:128], DATA[:128])


@MODES
def test_each_thread_fills_in_zeros_of_its_own_that_are_not_read(mode: Mode) -> None:
    body = f"""    __pipeline_memcpy_async(&s[t * 4], &in[t * 4], 16, t < 2 ? 0 : t == 2 ? 4 : 16);
    {WAIT}
    for (int k = 0; k < 4; ++k) out[t * 4 + k] = s[t * 4 + k];"""
    trace = copied(body, mode, DATA[:11], threads=32, floats=128)
    assert trace.findings == ()
    expected = np.zeros(128, np.float32)
    expected[:11] = DATA[:11]
    np.testing.assert_array_equal(trace.values["out"][:128], expected)


@MODES
def test_both_ends_are_checked(mode: Mode) -> None:
    outside = copied(f"    __pipeline_memcpy_async(&s[t + 1], &in[t + 225], 4);\n    {WAIT}", mode, threads=32, floats=32)
    assert found(outside) == [("out-of-bounds", 6, 1), ("out-of-bounds", 6, 1)]
    assert {str(each.message) for each in outside.findings} == {
        "__pipeline_memcpy_async(...) is in no array.",
        "__pipeline_memcpy_async(...) reaches element 32 of s, which has 32.",
    }
    astray = copied(f"    __pipeline_memcpy_async(&s[t * 2], &in[t * 2 + 1], 8);\n    {WAIT}", mode, threads=32)
    assert found(astray) == [("misaligned-access", 6, 32)]


@pytest.mark.parametrize("sizes", ["12", "t < 32 ? 4 : 8", "4, 8"])
def test_other_sizes_are_refused(sizes: str) -> None:
    with pytest.raises(NotExecuted, match="4, 8 or 16 bytes"):
        copied(f"    __pipeline_memcpy_async(&s[0], &in[0], {sizes});")


@pytest.mark.parametrize("source", ["s", "&local"])
def test_a_source_that_is_not_global_is_refused(source: str) -> None:
    with pytest.raises(NotExecuted, match="from global to shared memory"):
        copied(f"    float local = t; s[t] = local; __pipeline_memcpy_async(&s[t], {source}, 4); {WAIT}")


def test_a_target_that_is_not_shared_is_refused() -> None:
    with pytest.raises(NotExecuted, match="from global to shared memory"):
        copied(f"    __pipeline_memcpy_async(&out[t], &in[t], 4); {WAIT}")


@MODES
def test_what_nobody_waits_for_is_written_when_the_threads_end(mode: Mode) -> None:
    trace = copied("    __pipeline_memcpy_async(&s[t + 1], &in[t], 4);", mode)
    assert found(trace) == [("out-of-bounds", 6, 1)]
    assert requests(trace, "store", 6) == 2


@MODES
def test_between_issue_and_wait_other_threads_must_stay_away(mode: Mode) -> None:
    """In each barrier interval until the wait, its own and that of the issue included."""
    for place in range(3):
        use = "out[t] = s[(t + 32) % 64];"
        steps = [use if number == place else "" for number in range(3)]
        body = f"""    s[t] = 0;
    __syncthreads();
    {steps[0]}
    __pipeline_memcpy_async(&s[t], &in[t], 4); __pipeline_commit(); __syncthreads();
    {steps[1]}
    __syncthreads(); __pipeline_wait_prior(0);
    {steps[2]}"""
        races = [each for each in findings(copied(body, mode)) if each.kind == "data-race"]
        assert [{each.location.line, each.other.line if each.other else 0} for each in races] == [{9, 8 + [0, 2, 4][place]}]


@MODES
def test_a_pipeline_that_waits_and_joins_is_clean(mode: Mode) -> None:
    body = f"""    s[t] = 0; __syncthreads(); out[t] = s[63 - t]; __syncthreads();
    __pipeline_memcpy_async(&s[t], &in[t], 4); {WAIT} out[t] += s[63 - t];"""
    assert findings(copied(body, mode)) == ()


GROUP = """#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
struct Pair {{ short a, b; }};
__global__ void f(const {type}* in, {type}* out)
{{
    __shared__ {type} s[48];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, {sizes});
    cg::wait(block);
    for (int i = threadIdx.x; i < {count}; i += blockDim.x) out[i] = s[{count} - 1 - i];
}}"""


@MODES
@pytest.mark.parametrize(
    ("type_", "size"), [("char", 1), ("half", 2), ("Pair", 4), ("float", 4), ("float2", 8), ("float3", 12), ("float4", 16)]
)
def test_a_group_copies_elements_of_any_size(type_: str, size: int, mode: Mode) -> None:
    data = np.arange(48 * size, dtype=np.uint8)
    for count, sizes in ((41, f"in, 41 * {size}"), (37, "37, in, 40")):
        text = GROUP.format(type=type_, sizes=sizes, count=count)
        trace = launch(text, 1, 32, {"in": data, "out": np.zeros(48 * size, np.uint8)}, mode=mode)
        assert findings(trace) == ()
        expected = data[: count * size].reshape(count, size)[::-1].ravel()
        np.testing.assert_array_equal(trace.values["out"].view(np.uint8)[: count * size], expected)
