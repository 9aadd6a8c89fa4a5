"""Compiled code leaves what the interpreter leaves, bit for bit, or nothing: then it says why, and the interpreter executes the launch."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from kernels.analysis.findings import findings
from kernels.simt import ir
from kernels.simt.base.launch import Argument, Fill, Filled, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.host.process import Programs
from kernels.simt.host.result import Launched, Limits, ProgramJob, ProgramRun, Progress, Wrong
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from tests.launches.compiled_launch import leave
from tests.oracle.corpus import files, read
from tests.program_corpus import Sample, samples

WAITING = re.compile(r"^ +while \(.*(atomic|flag|serving|arrived|full|ready|held|second|!done)", re.MULTILINE)
"""Texts whose threads wait for each other: compiled code would wait up to the limit of its steps. Nor are arrays in a program's
arena so far apart that what goes far past an empty one reaches no other."""
CLEAN = [path for path in files("clean") if not WAITING.search(path.read_text(encoding="utf-8"))]
BUGS = [
    path
    for path in files("bugs")
    if not path.name.startswith(("endless", "empty-array")) and not WAITING.search(path.read_text(encoding="utf-8"))
]
LEFT = {
    "atomic-compare-and-swap", "atomic-extremes", "compare-and-swap-from-a-plain-read", "copy-ahead", "copy-three-stages",
    "copy-two-stages-one-barrier", "half-warp-masks", "printing", "vote-after-syncwarp", "tile-product",
    "warp-reduction-syncwarp", "atomic-scopes", "function-pointers", "grid-sync", "random-states",
    "own-value-read-back", "sums-of-warps", "two-stages-copied-ahead", "warp-neighbours",
}  # fmt: skip
"""What is left to the interpreter: memory between the lanes of a warp, asynchronous copies, tiles, printf, orders that are seen, atomics of
other scopes, calls through pointers, barriers of the grid, objects that are copied whole."""
THROUGH_MEMORY = re.compile(r"\batomic|\bvolatile\b|__threadfence|__cluster_dims__")
"""Of texts in which threads wait for each other through memory some are left to the interpreter: the order of their operations is seen.
So are blocks that meet in clusters."""
RECORDED_ONLY = {"child-race", "data-race"}
"""Findings of which nothing is known where accesses are not recorded."""


def agrees(kernel: ir.Kernel, request: LaunchRequest, text: str = "") -> bool:
    """Whether compiled code executes the launch; fails where it leaves something else."""
    left = leave(kernel, request)
    if left.refused is not None:
        return False
    trace = execute(kernel, request, text)
    for name, values in trace.values.items():
        held = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        written = left.defined[name]
        assert np.array_equal(held[written], left.arrays[name][written]), name
        assert (held[~written] == 0xFF).all(), name
    return True


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_what_is_right_is_executed_alike(path: Path) -> None:
    case = read(path)
    executed = agrees(case.kernel, case.request, case.text)
    assert executed is (path.stem not in LEFT) or THROUGH_MEMORY.search(case.text)


@pytest.mark.parametrize("path", BUGS, ids=lambda path: path.stem)
def test_what_is_wrong_within_a_block_is_left_to_the_interpreter(path: Path) -> None:
    """What shows only in the order of blocks, which is that of the interpreter, need not be."""
    case = read(path)
    if agrees(case.kernel, case.request, case.text):
        assert all(each.other_block for each in findings(execute(case.kernel, case.request, case.text)))


TILED = """
__global__ void product(const float* A, const float* B, float* C, int n) {
    __shared__ float As[8][8], Bs[8][8];
    int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
    float sum = 0.1f;
    for (int t = 0; t < (n + 7) / 8; ++t) {
        int k = t * 8 + threadIdx.x, l = t * 8 + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < n && k < n ? A[row * n + k] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = column < n && l < n ? B[l * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 8; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n) C[row * n + column] = sum;
}
"""
ARITHMETIC = """
__global__ void one(const int* a, const float* x, const double* d, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = a[i], w = a[(i + 7) % n];
    unsigned u = (unsigned)v;
    float f = x[i], g = x[(i + 3) % n];
    double e = d[i];
    long long s = 0;
    s = s * 31 + (v / w) + (v % w) + (u / (unsigned)(w | 1)) + (v << (w & 63)) + (v >> (w & 63)) + (u >> (w & 63));
    s = s * 31 + (int)f + (unsigned)g + (long long)e + (unsigned long long)f + (short)g + (unsigned char)e;
    s = s * 31 + __float_as_int(f * g + f) + __float_as_int(f / g) + __float_as_int(sqrtf(f)) + __float_as_int(fmaf(f, g, f));
    s = s * 31 + __float_as_int(fminf(f, g)) + __float_as_int(fmaxf(f, g)) + min(v, w) + max(v, w) + abs(v) + __float_as_int(fabsf(f));
    s = s * 31 + __popc(u) + __clz(v) + __ffs(v) + __brev(u) + __mulhi(v, w) + __umulhi(u, 77u) + __float2int_rn(f) + __float2int_rd(g);
    s = s * 31 + __float_as_int(rsqrtf(f)) + __float_as_int(floorf(f)) + __float_as_int(roundf(g)) + __float_as_int(truncf(f));
    s = s * 31 + __double_as_longlong(fma(e, e, (double)f)) + isnan(f) + isinf(g) + signbit(f) + __float_as_int((float)e);
    s = s * 31 + (f < g) + (f != g) + (u < (unsigned)w) + __float_as_int((float)v);
    s = s * 31 + __float_as_int((float)u) + __float_as_int(__saturatef(f));
    out[i] = s;
}
"""


def kernel_of(text: str) -> ir.Kernel:
    unit = parse(text)
    return lower(unit, unit.kernels[0].name)


def test_a_tiled_product_is_executed_alike_at_every_edge() -> None:
    kernel = kernel_of(TILED)
    for n in (1, 8, 13, 24):
        extent = -(-n // 8)
        arrays = {"A": Filled(n * n, Fill.RANDOM), "B": Filled(n * n, Fill.RANDOM), "C": Filled(n * n)}
        assert agrees(kernel, LaunchRequest((extent, extent, 1), (8, 8, 1), {**arrays, "n": n}), TILED)


def test_arithmetic_has_the_same_bits_also_where_c_leaves_it_open() -> None:
    random, n = np.random.default_rng(3), 512
    a = (random.integers(-(2**31), 2**31, n) >> random.integers(0, 32, n)).astype(np.int32)
    a[:6] = 0, -1, 1, -(2**31), 2**31 - 1, 31
    x = (random.standard_normal(n) * 10.0 ** random.integers(-20, 20, n)).astype(np.float32)
    x[:8] = 0.0, -0.0, np.inf, -np.inf, 1e-40, 0.5, -2.5, 2.0**31
    arguments: dict[str, Argument] = {"a": a, "x": x, "d": x.astype(np.float64) * 3, "out": np.zeros(n, np.int64), "n": n}
    assert agrees(kernel_of(ARITHMETIC), LaunchRequest((4, 1, 1), (128, 1, 1), arguments), ARITHMETIC)


def test_two_parameters_that_point_to_one_array_are_seen_to_do_so(tmp_path: Path) -> None:
    text = """
#include <cstdio>
__global__ void shifted(const int* from, int* to, int n) {
    int i = threadIdx.x;
    if (i + 1 < n) to[i] = from[i + 1] + 1;
}
int main() {
    int *d, h[64];
    for (int i = 0; i < 64; ++i) h[i] = i * i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    shifted<<<1, 64>>>(d, d, 64);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", h[0], h[62]);
    cudaFree(d);
}
"""
    done = run(text, tmp_path, recorded=0)
    (launch,) = done.launches
    assert not launch.compiled
    assert launch.why_not is not None
    assert done.stdout == run(text, tmp_path).stdout


# ------------------------------------------------------------ whole programs


def run(text: str, folder: Path, *arguments: str, seconds: float = 60.0, recorded: int = Limits().recorded) -> ProgramRun:
    path = folder / "own.cu"
    path.write_text(text, encoding="utf-8")
    return outcome(ProgramJob(text, path, arguments, Limits(seconds=seconds, recorded=recorded)))


def outcome(job: ProgramJob, typed: bytes = b"") -> ProgramRun:
    waiting = [b"", typed]
    done = Programs().run(job, lambda _stream, _data: None, read=lambda: waiting.pop() if waiting else b"")
    assert isinstance(done, ProgramRun), done
    return done


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_programs_say_the_same_where_all_is_compiled_that_can_be(sample: Sample) -> None:
    text = sample.path.read_text(encoding="utf-8")
    done = outcome(ProgramJob(text, sample.path, sample.arguments, Limits(recorded=0), readable=None), sample.input)
    assert done.status == sample.status
    assert {(each.wrong.value, each.location.line) for each in done.findings} == {
        each for each in sample.finds if each[0] not in RECORDED_ONLY
    }
    if sample.name != "events":  # what it prints are times, which are reckoned from the record
        assert done.stdout == sample.output


LARGE = """
#include <cstdio>
__global__ void work(const float* a, float* b, int n, int last) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < last) {
        for (int k = 0; k < 64; ++k) sum += a[(i + k) % n] * k;
        b[i] = sum;
    }
}
int main(int argc, char**) {
    const int n = 64 * 256;
    float *a, *b, *h = new float[n];
    for (int i = 0; i < n; ++i) h[i] = i % 17;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
    work<<<64, 256>>>(a, b, n, argc > 1 ? n + 1000 : n);
    work<<<64 + (argc > 1), 256>>>(a, b, n, argc > 1 ? n + 1000 : n);
    if (argc == 1) work<<<64, 256>>>(a, b, n, n);
    printf("%d\\n", cudaDeviceSynchronize());
    cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += h[i];
    printf("%.1f\\n", sum);
    cudaFree(a); cudaFree(b); delete[] h;
}
"""
ROWS = 500


def share(launch: Launched) -> tuple[int, int, bool]:
    return launch.recorded, launch.blocks, launch.compiled


def test_of_a_large_launch_the_first_of_its_kind_has_a_block_of_each_kind_recorded(tmp_path: Path) -> None:
    done = run(LARGE, tmp_path, recorded=ROWS)
    whole = run(LARGE, tmp_path, recorded=1 << 30)
    assert [share(each) for each in done.launches] == [(2, 64, True), (0, 64, True), (0, 64, True)]
    assert [share(each) for each in whole.launches] == [(64, 64, False)] * 3
    assert (done.stdout, done.status) == (whole.stdout, whole.status)
    assert [(each.accesses, each.flops) for each in done.launches] == [(each.accesses, each.flops) for each in whole.launches]
    assert done.findings == whole.findings == ()


@pytest.mark.parametrize(
    ("rows", "shares"),
    [(13_000, [(2, 64, True), (0, 64, True), (0, 64, True)]), (14_000, [(64, 64, False), (64, 64, False), (0, 64, True)])],
)
def test_of_many_accesses_not_all_are_recorded_though_they_are_few_rows(
    rows: int, shares: list[tuple[int, int, bool]], tmp_path: Path
) -> None:
    done = run(LARGE, tmp_path, recorded=rows)
    assert [share(each) for each in done.launches] == shares
    assert len({(each.accesses, each.flops) for each in done.launches}) == 1
    assert done.findings == ()


def test_what_goes_wrong_in_a_large_launch_is_said_in_the_interpreters_words(tmp_path: Path) -> None:
    done = run(LARGE, tmp_path, "beyond", recorded=ROWS)
    whole = run(LARGE, tmp_path, "beyond", recorded=1 << 30)
    assert [each.compiled for each in done.launches] == [True, False]
    assert done.launches[1].why_not is not None
    assert done.launches[1].findings == whole.launches[1].findings != ()
    assert done.findings == whole.findings
    assert done.stdout == whole.stdout


def test_a_launch_without_an_end_is_stopped(tmp_path: Path) -> None:
    text = "__global__ void spin(int* a) { while (a[0] == 0) ; }\nint main() { int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4);\n"
    done = run(text + "spin<<<8, 32>>>(a); cudaDeviceSynchronize(); }\n", tmp_path, seconds=1.0, recorded=0)
    assert done.status == 124
    assert [each.wrong for each in done.findings] == [Wrong.STOPPED]
    assert done.findings[0].location.line == 3


def test_it_is_told_how_far_a_long_launch_is(tmp_path: Path) -> None:
    text = LARGE.replace("k < 64", "k < 20000")
    path = tmp_path / "own.cu"
    path.write_text(text, encoding="utf-8")
    told: list[Progress | ProgramRun] = []
    done = Programs().run(ProgramJob(text, path, (), Limits(recorded=ROWS)), lambda _stream, _data: None, told.append)
    assert isinstance(done, ProgramRun)
    assert told
    assert all(isinstance(each, Progress) and each.entry == "work" and 0 < each.done <= each.blocks == 64 for each in told)


WARPS = """
__global__ void warps(const int* a, const float* x, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float f = x[i % n], sum = f;
    double d = f;
    int v = a[i % n];
    for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
    d += __shfl_xor_sync(0xffffffff, d, 5) + __shfl_up_sync(0xffffffff, v, 3, 8) + __shfl_sync(0xffffffff, v, 37, 16);
    unsigned votes = __ballot_sync(0xffffffff, v > 0);
    d += __popc(votes) + __any_sync(0xffffffff, v == a[0]) * 2 + __all_sync(0xffffffff, v < 900) * 4;
    if (lane < 8) d += __shfl_sync(0xff, sum, lane ^ 1);
    __shared__ float part[4];
    if (lane == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    d += part[(threadIdx.x / 32 + 1) % 4] + __syncthreads_count(v > 3) + __syncthreads_or(v == 7) + __syncthreads_and(v < 5000);
    if (lane == 0) atomicAdd(&x2[0], sum);
    out[i] = d;
}
""".replace("__global__", "__device__ float x2[1];\n__global__", 1)


def test_lanes_of_a_warp_tell_each_other_the_same() -> None:
    random = np.random.default_rng(5)
    x = random.standard_normal(300).astype(np.float32)
    arguments: dict[str, Argument] = {"a": random.integers(-9, 9, 300, np.int32), "x": x, "out": np.zeros(3 * 128), "n": 300}
    assert agrees(kernel_of(WARPS), LaunchRequest((3, 1, 1), (128, 1, 1), arguments), WARPS)


@pytest.mark.parametrize(("loop", "alike"), [("", True), ("for (int k = 0; k < 3; ++k)", False)])
def test_float_sums_are_made_in_the_order_of_lanes_or_left_to_the_interpreter(loop: str, *, alike: bool) -> None:
    text = f"__global__ void add(const float* x, float* sum) {{ int k = 0; {loop} atomicAdd(&sum[0], x[threadIdx.x * 3 + k]); }}\n"
    text = text.replace("int k = 0; for", "for")
    x = (np.random.default_rng(8).standard_normal(300) * 10.0 ** np.arange(300) ** 0.5).astype(np.float32)
    request = LaunchRequest((2, 1, 1), (100, 1, 1), {"x": x, "sum": np.zeros(1, np.float32)})
    assert agrees(kernel_of(text), request, text) is alike


def test_what_was_tried_or_recorded_of_a_large_launch_does_not_happen_twice(tmp_path: Path) -> None:
    text = """
#include <cstdio>
__device__ int turns[2];
__global__ void grow(int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 20; ++k) a[i] = a[i] * 3 + k;
    if (threadIdx.x == 0) atomicAdd(&turns[blockIdx.x % 2], 1);
}
int main() {
    static int h[4096], t[2];
    int* a;
    cudaMalloc(&a, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    grow<<<32, 128>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(t, turns, sizeof t);
    int wrong = 0;
    for (int i = 0; i < 4096; ++i) wrong += h[i] != h[0];
    printf("%d %d %d %d\\n", h[0], wrong, t[0], t[1]);
    cudaFree(a);
}
"""
    done = run(text, tmp_path, recorded=ROWS)
    assert [share(each) for each in done.launches] == [(2, 32, True)]
    assert done.stdout == run(text, tmp_path, recorded=1 << 30).stdout
    assert done.stdout.endswith(" 0 16 16\n")


def test_a_value_is_found_before_its_place() -> None:
    text = "__global__ void later(int* out) { int k = 1; out[k] = ++k + 10; out[0] = k; }\n"
    request = LaunchRequest((1, 1, 1), (1, 1, 1), {"out": np.zeros(4, np.int32)})
    assert agrees(kernel_of(text), request, text)
    assert leave(kernel_of(text), request).arrays["out"].view(np.int32).tolist() == [2, 0, 12, 0]
