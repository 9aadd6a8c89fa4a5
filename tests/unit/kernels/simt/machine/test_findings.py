"""What goes wrong while a launch executes is found, with its place and its threads, and execution goes on."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.findings import ends, findings
from kernels.simt.base.launch import Argument, Budget, Filled, Mode
from kernels.simt.trace.trace import Finding, Trace
from tests.launches.simt_launch import launch

MODES = list(Mode)


def only(trace: Trace) -> Finding:
    (finding,) = trace.findings
    return finding


@pytest.mark.parametrize("mode", MODES)
def test_reading_out_of_bounds_gives_zero_and_writing_is_dropped(mode: Mode) -> None:
    text = """
__global__ void f(const int* in, int* out, int n)
{
    int i = threadIdx.x;
    int v = in[i + 4];
    out[i - 2] = v + 1;
}
"""
    data, out = np.arange(1, 65, dtype=np.int32), np.zeros(64, np.int32)
    trace = launch(text, 2, 64, {"in": data, "out": out, "n": 64}, mode=mode)
    read, written = sorted(trace.findings, key=lambda each: each.location.line)
    assert (read.kind, read.location.line, read.threads) == ("out-of-bounds", 5, ((60, 0, 0), (61, 0, 0), (62, 0, 0), (63, 0, 0)))
    assert (written.kind, written.location.line, written.threads) == ("out-of-bounds", 6, ((0, 0, 0), (1, 0, 0)))
    assert str(read.message) == "in[i + 4] reaches element 64 of in, which has 64."
    assert str(written.message) == "out[i - 2] reaches element -2 of out, which has 64."
    expected = np.zeros(66, np.int32)
    expected[:60] = data[4:] + 1
    expected[60:64] = 1
    np.testing.assert_array_equal(trace.values["out"][:62], expected[2:64])
    assert trace.rows.site[read.row] == 0


def test_of_a_vector_that_begins_inside_the_first_element_outside_is_named() -> None:
    text = "__global__ void f(const float* in, float* out) { float4 v = *(const float4*)(in + 2 * threadIdx.x); out[threadIdx.x] = v.x; }"
    trace = launch(text, 1, 4, {"in": np.zeros(8, np.float32), "out": Filled(4)})
    (found,) = [each for each in trace.findings if each.kind == "out-of-bounds"]
    assert "reaches element 8 of in, which has 8" in str(found.message)


def test_one_array_does_not_run_into_the_next() -> None:
    text = "__global__ void f(int* a, int* b, long long step) { a[threadIdx.x + step] = 7; b[0] = 1; }"
    trace = launch(text, 1, 1, {"a": np.zeros(4, np.int32), "b": np.zeros(4, np.int32), "step": 1088})
    assert {each.name: each.address for each in trace.allocations}["b"] - trace.allocations[0].address == 1088 * 4
    assert only(trace).kind == "out-of-bounds"
    np.testing.assert_array_equal(trace.values["b"], [1, 0, 0, 0])


def test_each_dimension_has_its_own_bounds() -> None:
    text = """
__global__ void f(int* out)
{
    __shared__ int s[4][8];
    int i = threadIdx.x;
    s[i / 8][i % 8] = i;
    __syncthreads();
    out[i] = s[i / 8][i % 8 + 1];
}
"""
    finding = launch(text, 1, 24, {"out": np.zeros(24, np.int32)}).findings[0]
    assert (finding.kind, finding.location.line, finding.threads) == ("out-of-bounds", 8, ((7, 0, 0), (15, 0, 0), (23, 0, 0)))
    assert str(finding.message) == "s[i / 8][i % 8 + 1]: index 8 leaves its dimension of 8."


def test_an_index_in_a_register_array() -> None:
    text = (
        "__global__ void f(int* out) { int r[4] = {1, 2, 3, 4}; int s = 0; for (int k = 0; k <= 4; ++k) s += r[k]; out[threadIdx.x] = s; }"
    )
    trace = launch(text, 1, 32, {"out": np.zeros(32, np.int32)})
    assert only(trace).kind == "out-of-bounds"
    np.testing.assert_array_equal(trace.values["out"], np.full(32, 10))


def test_an_index_in_a_local_array_stays_with_its_thread() -> None:
    text = "__global__ void f(int* out) { int r[4]; int i = threadIdx.x; r[i % 4] = i; r[(i & 1) * 4] = -1; out[i] = r[i % 4]; }"
    trace = launch(text, 1, 32, {"out": np.zeros(32, np.int32)})
    finding = only(trace)
    assert (finding.kind, len(finding.threads)) == ("out-of-bounds", 16)
    lanes = np.arange(32)
    np.testing.assert_array_equal(trace.values["out"], np.where(lanes % 4 == 0, -1, lanes))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (4, "r[at] reaches element 5 of r, which has 5."),
        (31, "r[at] reaches element 31 of r, which has 5."),
        (-2, "r[at] reaches element -2 of r, which has 5."),
    ],
)
def test_of_a_local_array_the_element_and_the_size_are_those_of_one_thread(asked: int, said: str) -> None:
    """Five numbers of each thread lie 32 bytes apart: what lies between belongs to nobody."""
    text = """
__global__ void f(int* out, int n)
{
    int r[5] = {}, at = n + threadIdx.x % 2;
    out[threadIdx.x] = r[at];
}
"""
    (found,) = launch(text, 1, 64, {"out": Filled(64), "n": asked}).findings
    assert (found.kind, found.location.line, str(found.message)) == ("out-of-bounds", 5, said)


def test_of_an_array_in_registers_the_index_that_leaves_it_is_told() -> None:
    text = """
struct Three { int n, a[3]; };
__global__ void f(int* out, int n)
{
    int r[4][3] = {};
    Three s = {};
    out[0] = r[1][n];
    out[1] = r[n + 1][0];
    out[2] = s.a[n * 5];
}
"""
    found = launch(text, 1, 1, {"out": Filled(3), "n": 3}).findings
    assert [str(each.message) for each in found if each.kind == "out-of-bounds"] == [
        "r[1][n] reaches element 3 of r[1], which has 3.",
        "r[n + 1][0] reaches element 4 of r, which has 4.",
        "s.a[n * 5] reaches element 15 of s.a, which has 3.",
    ]


@pytest.mark.parametrize("mode", MODES)
def test_misaligned(mode: Mode) -> None:
    text = "__global__ void f(const float* in, float4* out) { int i = threadIdx.x; out[i] = *(const float4*)(in + i * 2); }"
    data = np.arange(80, dtype=np.float32)
    trace = launch(text, 1, 8, {"in": data, "out": np.full(32, -1, np.float32)}, mode=mode)
    finding = only(trace)
    assert (finding.kind, finding.threads) == ("misaligned-access", ((1, 0, 0), (3, 0, 0), (5, 0, 0), (7, 0, 0)))
    rows = np.asarray(trace.values["out"]).reshape(8, 4)
    np.testing.assert_array_equal(rows[0::2], [data[i * 2 : i * 2 + 4] for i in range(0, 8, 2)])
    assert (rows[1::2] == 0).all()


def test_all_lanes_misaligned_by_the_same_bytes() -> None:
    text = "__global__ void f(const float* in, float4* out, int n) { out[threadIdx.x] = *(const float4*)(in + n + threadIdx.x * 4); }"
    arguments: dict[str, Argument] = {"in": np.ones(40, np.float32), "out": np.zeros(32, np.float32)}
    assert launch(text, 1, 8, {**arguments, "n": 4}).findings == ()
    finding = only(launch(text, 1, 8, {**arguments, "n": 1}))
    assert (finding.kind, len(finding.threads)) == ("misaligned-access", 8)


@pytest.mark.parametrize("mode", MODES)
def test_uninitialised(mode: Mode) -> None:
    text = """
__global__ void f(float* out, const float* given)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i != 40)
        s[i] = i;
    __syncthreads();
    out[i] = s[i] + given[i];
    out[i] += 1;
}
"""
    trace = launch(text, 2, 64, {"out": Filled(64), "given": Filled(64)}, mode=mode)
    first, second = sorted(trace.findings, key=lambda each: len(each.threads))
    assert {(each.kind, each.location.line) for each in trace.findings} == {("uninitialised-read", 9)}
    assert first.threads == ((40, 0, 0),)
    assert len(second.threads) == 32
    assert str(first.message) == "s[i] is read before it is written."


def test_shared_memory_is_new_in_every_block() -> None:
    text = "__global__ void f(int* out) { __shared__ int s; if (blockIdx.x == 0) s = 3; __syncthreads(); out[blockIdx.x] = s; }"
    finding = only(launch(text, 2, 32, {"out": np.zeros(2, np.int32)}))
    assert (finding.kind, finding.block) == ("uninitialised-read", (1, 0, 0))


DIVERGENT = {
    "half of a warp": ("if (i < 16) __syncthreads();", True),
    "a whole warp": ("if (i < 32) __syncthreads();", True),
    "both sides": ("if (i < 16) __syncthreads(); else { out[i] = 1; __syncthreads(); }", True),
    "uneven rounds": ("for (int k = 0; k < 2 + i / 32; ++k) __syncthreads();", True),
    "returned before": ("if (i >= 32) return; __syncthreads(); out[i] = 2;", False),
    "returned before, half a warp": ("if (i >= 16) return; __syncthreads(); out[i] = 2;", False),
    "the same for all": ("if (n > 3) __syncthreads();", False),
    "as many rounds": ("for (int k = 0; k < n; ++k) { if (k == i) out[i] = k; __syncthreads(); }", False),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", DIVERGENT)
def test_barriers_that_not_all_threads_reach(name: str, mode: Mode) -> None:
    statement, diverges = DIVERGENT[name]
    text = f"__global__ void f(int* out, int n) {{ int i = threadIdx.x; out[i] = 0;\n{statement}\nout[i] += 1; }}"
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32), "n": 5}, mode=mode)
    assert {(each.kind, each.location.line) for each in trace.findings} == ({("barrier-divergence", 2)} if diverges else set())
    assert all(each.threads for each in trace.findings)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "choice", ["if (i < 32) {} else {{ out[i] = 1; {} }}", "switch (i / 32) {{ case 0: {} break; default: out[i] = 1; {} }}"]
)
def test_warps_at_different_barriers_pass_and_that_is_said(choice: str, mode: Mode) -> None:
    statement = choice.format("__syncthreads();", "\n__syncthreads();")
    text = f"__global__ void f(int* out) {{ int i = threadIdx.x; out[i] = 0;\n{statement}\nout[i] += 1; }}"
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32)}, mode=mode)
    finding = only(trace)
    assert (finding.kind, finding.location.line) == ("paired-barriers", 2)
    assert "lines 2 and 3" in str(finding.message)
    assert trace.values["out"].tolist() == [1] * 32 + [2] * 32


def test_a_barrier_names_the_threads_that_are_missing() -> None:
    text = "__global__ void f(int* out) { if (threadIdx.x < 60) __syncthreads(); out[threadIdx.x] = 1; }"
    assert only(launch(text, 1, 64, {"out": np.zeros(64, np.int32)})).threads == ((60, 0, 0), (61, 0, 0), (62, 0, 0), (63, 0, 0))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("statement", "diverges"),
    [
        ("__syncwarp();", False),
        ("if (i % 32 < 8) __syncwarp(0xff);", False),
        ("if (i % 32 < 8) __syncwarp(0xff); else __syncwarp(0xffffff00);", False),
        ("if (i % 32 < 8) __syncwarp();", True),
        ("if (i % 32 < 8) __syncwarp(0xf);", True),
        ("if (i >= 40) return; __syncwarp();", False),
        ("v = __shfl_down_sync(0xffffffff, v, 1);", False),
        ("if (i % 2) v = __shfl_sync(0xffffffff, v, 1);", True),
    ],
)
def test_warp_synchronisation(statement: str, diverges: bool, mode: Mode) -> None:
    text = f"__global__ void f(int* out) {{ int i = threadIdx.x, v = i;\n{statement}\nout[i] = v; }}"
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32)}, mode=mode)
    assert {(each.kind, each.location.line) for each in trace.findings} == ({("barrier-divergence", 2)} if diverges else set())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "loop", ["while (true) ;", "for (int k = 0; k >= 0; k += 0) out[0] = k;", "do { i = i * 3 + 1; } while (i != n * 0 - 1 || n);"]
)
def test_an_endless_loop_ends_by_the_clock(loop: str, mode: Mode) -> None:
    text = f"__global__ void f(int* out, int n) {{ unsigned i = threadIdx.x; out[i] = 1;\n{loop}\nout[i] = 2; }}"
    trace = launch(text, 4, 32, {"out": np.zeros(32, np.int32), "n": 1}, mode=mode, budget=Budget(seconds=0.2))
    finding = only(trace)
    assert (finding.kind, finding.location.line) == ("budget-exceeded", 2)
    assert trace.blocks == ((0, 0, 0),)
    assert len(trace.rows.site) >= 1


def test_rows_and_memory_have_limits() -> None:
    loop = "for (int k = 0; k < n; ++k) { i = i * 1664525u + k; out[i % 1024] = k; }"
    text = f"__global__ void f(int* out, int n) {{ unsigned i = threadIdx.x; {loop} }}"
    arguments: dict[str, Argument] = {"out": np.zeros(1024, np.int32), "n": 1_000_000}
    rows = launch(text, 1, 1024, arguments, budget=Budget(seconds=60, rows=500))
    assert 500 < len(rows.rows.site) <= 500 + 130
    assert "500 recorded accesses" in str(only(rows).message)
    memory = launch(text, 1, 1024, arguments, budget=Budget(seconds=60, bytes=8 << 20))
    assert memory.bases.nbytes < 10 << 20
    assert only(memory).kind == "budget-exceeded"


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_assertion_stops_its_threads(mode: Mode) -> None:
    text = """
#include <assert.h>
__global__ void f(int* out)
{
    int i = threadIdx.x;
    assert(i % 16 != 3);
    __syncthreads();
    out[i] = 1;
}
"""
    trace = launch(text, 1, 64, {"out": np.zeros(64, np.int32)}, mode=mode)
    assert findings(trace) == ()
    (end,) = ends(trace)
    assert (end.location.line, end.location.column, end.block) == (6, 5, (0, 0, 0))
    assert str(end.message) == (
        "The assertion i % 16 != 3 does not hold: a GPU would end the launch here. "
        "Block (0, 0, 0), threads: (3, 0, 0), (19, 0, 0), (35, 0, 0), (51, 0, 0)."
    )
    np.testing.assert_array_equal(trace.values["out"], np.arange(64) % 16 != 3)
    assert sorted(each.thread[0] for each in trace.printed) == [3, 19, 35, 51]
    assert all("Assertion `i % 16 != 3' failed." in each.text and each.text.startswith("6:") for each in trace.printed)


def test_printf_speaks_for_each_thread() -> None:
    text = '__global__ void f(int n) { if (threadIdx.x % 2) printf("%d of %d: %.2f\\n", threadIdx.x, n, threadIdx.x * 0.5f); }'
    trace = launch(text, 1, 4, {"n": 4})
    assert [(each.thread, each.text) for each in trace.printed] == [((1, 0, 0), "1 of 4: 0.50\n"), ((3, 0, 0), "3 of 4: 1.50\n")]
