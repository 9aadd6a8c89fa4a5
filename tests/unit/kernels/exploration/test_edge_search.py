"""What follows a size, and the smallest launch that fails, of kernels whose edges are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernels.base.messages import Message, message
from kernels.exploration.edge_cases import edge_text, smallest
from kernels.exploration.edge_search import plan_edges, try_edge
from kernels.simt.base.launch import Fill, Filled, IndexArrangement, LaunchRequest
from kernels.simt.trace.launch_spec import NotTraced
from kernels.simt.trace.trace import Trace
from tests.launches.edge_kernels import PLACE, counted, doubled, planned, product, searched, spec


def test_a_kernel_that_looks_at_its_size_works_with_every_size() -> None:
    tried = searched(doubled("if (i < n)", 1000, 256))
    assert smallest(tried) is None
    assert [each.reason for each in tried] == [None] * len(tried)
    sizes = [each.edge.sizes["n"] for each in tried]
    assert {1, 255, 256, 257, 1000} < set(sizes)
    assert max(sizes) > 100_000
    assert [each.edge.launch.grid[0] for each in tried] == [-(-size // 256) for size in sizes]


@pytest.mark.parametrize(("check", "works"), [("", {256, 512, 1024}), ("if (i <= n)", {256, 512, 1024}), ("if (i < n - 1)", None)])
def test_a_wrong_check_is_found_at_the_smallest_size(check: str, works: set[int] | None) -> None:
    tried = searched(doubled(check, 1024, 256))
    failing = [each.edge.sizes["n"] for each in tried if each.fails]
    found = smallest(tried)
    if works is None:
        assert found is None  # it leaves out an element: only a right result would tell
        return
    assert found is not None
    assert found.edge.sizes["n"] == min(failing) == 1
    assert {each.edge.sizes["n"] for each in tried} - set(failing) == works
    assert {each.findings[0].kind for each in tried if each.fails} == {"out-of-bounds"}


def test_a_left_out_element_is_found_where_right_results_are_known() -> None:
    job = doubled("if (i < n - 1)", 1024, 256)

    def check(launch: LaunchRequest, trace: Trace) -> Message | None:
        a, c = trace.values["a"], trace.values["c"]
        return None if (c == 2 * a).all() else message("wrong")

    tried = [try_edge(job, edge, check) for edge in planned(job).edges]
    assert all(each.fails for each in tried)
    assert {each.findings[0].kind for each in tried if each.fails} == {"wrong-result"}
    assert tried[-1].findings[0].location.line == 1


def test_equal_indices_race_where_others_do_not() -> None:
    found = smallest(searched(counted("bins[d[i]] += 1;")))
    assert found is not None
    assert (found.edge.array, found.edge.order) == ("d", IndexArrangement.EQUAL)
    assert [each.kind for each in found.findings] == ["data-race"]
    tried = searched(counted("if (d[i] >= 0 && d[i] < 64) atomicAdd(bins + d[i], 1);"))
    assert {each.edge.order for each in tried} == {None, *IndexArrangement}
    assert smallest(tried) is None


def test_indices_into_what_is_touched_whole_elsewhere_are_varied() -> None:
    text = """__global__ void k(const int* key, int* bins) {
        __shared__ int b[64];
        b[threadIdx.x] = 0;
        __syncthreads();
        b[key[threadIdx.x] & 63]++;
        __syncthreads();
        bins[threadIdx.x] = b[threadIdx.x];
    }"""
    tried = searched(spec(text, (1, 1, 1), (64, 1, 1), {"key": "64:arange", "bins": "64"}))
    failing = {each.edge.order for each in tried if each.fails}
    assert IndexArrangement.EQUAL in failing
    assert IndexArrangement.SORTED not in failing


def test_indices_outside_of_the_array_are_found_where_they_are_trusted() -> None:
    fails = {each.edge.order for each in searched(counted("atomicAdd(bins + d[i], 1);")) if each.fails}
    assert fails == {IndexArrangement.BELOW, IndexArrangement.BEYOND}


@pytest.mark.parametrize(
    ("text", "grid", "block", "fails"),
    [
        ("if (threadIdx.x == 0) atomicAdd_block(sum, (int)blockIdx.x);", 1, 32, [{"gridDim.x": 2}]),
        ("atomicAdd(sum + threadIdx.x / 64, 1);", 1, 32, []),
        ("sum[0] = threadIdx.x;", 1, 1, [{"blockDim.x": 64}]),
        ("sum[blockIdx.x * 32 + threadIdx.x] = 1;", 1, 32, []),
        ("sum[threadIdx.x % 32] = __shfl_down_sync(~0u, (int)threadIdx.x, 1);", 1, 32, []),
        ("sum[threadIdx.x * blockDim.x] = 1;", 1, 32, []),
    ],
    ids=["blocks", "right", "threads", "blocks of 32", "of one warp", "arrays too short"],
)
def test_what_one_block_or_one_warp_hides_is_found(text: str, grid: int, block: int, fails: list[dict[str, int]]) -> None:
    job = spec(f"__global__ void k(int* sum) {{ {text} }}", (grid, 1, 1), (block, 1, 1), {"sum": "1024:zeros"})
    tried = [each for each in searched(job) if each.edge.wider]
    assert [dict(each.edge.sizes) for each in tried if each.fails] == fails
    assert {finding.kind for each in tried for finding in each.findings} <= {"data-race"}


def test_more_threads_than_arrays_are_for_are_no_fault() -> None:
    text = "__global__ void k(int* out) { __shared__ int s[32]; s[threadIdx.x] = 1; out[threadIdx.x] = s[threadIdx.x]; }"
    (found,) = (each for each in searched(spec(text, (1, 1, 1), (32, 1, 1), {"out": "32"})) if each.edge.wider)
    assert not found.fails
    assert "it is not known how long arrays are to be" in str(found.reason)


def test_arrays_are_as_long_as_more_threads_reach() -> None:
    job = spec(
        f"__global__ void k(int* out, int* one) {{ {PLACE} out[2 * i] = one[0]; }}", (1, 1, 1), (32, 1, 1), {"out": "64", "one": "1:zeros"}
    )
    (found,) = (each for each in searched(job) if dict(each.edge.sizes) == {"gridDim.x": 2, "blockDim.x": 64})
    assert not found.fails
    assert found.reason is None
    assert found.edge.launch.arguments == {"out": Filled(255), "one": Filled(1, Fill.ZEROS)}


def test_given_arrays_stay_as_they_are_with_more_threads() -> None:
    job = spec(f"__global__ void k(const int* in, int* out) {{ {PLACE} out[in[i] % 32] = i; }}", (1, 1, 1), (32, 1, 1), {"out": "32"})
    job = replace(job, launch=replace(job.launch, arguments={"in": np.arange(64, dtype=np.int32)}))
    failing = [dict(each.edge.sizes) for each in searched(job) if each.fails and each.edge.wider]
    assert failing == [{"gridDim.x": 2}, {"blockDim.x": 64}]


def test_a_number_that_fits_one_block_by_chance_is_no_size() -> None:
    text = "__global__ void k(int* out, int least) { if (least > 5) out[blockIdx.x * 32 + threadIdx.x] = 1; }"
    plan = planned(spec(text, (1, 1, 1), (32, 1, 1), {"out": "64", "least": "7"}))
    assert not any("least" in edge.sizes for edge in plan.edges)


def test_a_worklist_that_all_reach_at_once_is_found_with_levels_of_zero() -> None:
    text = f"""__global__ void k(const int* level, int* list, int* count, int n, int now) {{
        {PLACE}
        if (i < n && level[i] == now) list[(*count)++] = i;
    }}"""
    job = spec(text, (1, 1, 1), (64, 1, 1), {"level": "64:arange", "list": "64:zeros", "count": "1:zeros", "n": "64", "now": "0"})
    failing = [each.edge for each in searched(job) if each.fails and each.edge.array == "level"]
    assert {edge.order for edge in failing} == {IndexArrangement.ZERO}


def test_numbers_that_are_no_indices_are_left_alone() -> None:
    text = f"__global__ void k(const int* d, int* c, int n) {{ {PLACE} if (i < n) c[i] = d[i] * 3; }}"
    job = spec(text, (1, 1, 1), (64, 1, 1), {"d": "64:arange", "c": "64", "n": "64"})
    assert all(edge.order is None for edge in planned(job).edges)


def test_each_side_of_a_product_is_varied() -> None:
    job = product("if (y >= M || x >= N) return;")
    plan = planned(job)
    assert [str(each) for each in plan.varied] == [
        "M is varied; with it: A (M × K), C (M × N), grid.y = ⌈M / 16⌉",
        "N is varied; with it: B (N × K), C (M × N), grid.x = ⌈N / 16⌉",
        "K is varied; with it: A (M × K), B (N × K)",
    ]
    tried = {tuple(edge.sizes.values()): edge.launch for edge in plan.edges}
    assert {(16, 16, 0), (15, 15, 15), (17, 16, 16), (16, 17, 16), (16, 16, 17), (32, 32, 32)} <= tried.keys()
    launch = tried[17, 16, 16]
    assert launch.grid == (1, 2, 1)
    assert launch.arguments["A"] == Filled(17 * 16, Fill.RANDOM)
    assert smallest(searched(job)) is None


def test_the_columns_of_a_matrix_are_the_distance_between_its_rows() -> None:
    shapes = dict.fromkeys("ABC", (32, 32))
    plan = plan_edges(product("if (y >= M || x >= N) return;"), shapes)
    assert not isinstance(plan, NotTraced)
    (edge,) = (edge for edge in plan.edges if tuple(edge.sizes.values()) == (16, 17, 16))
    assert edge.shapes == {"A": (16, 16), "B": (16, 17), "C": (16, 17)}


def test_sides_that_cannot_be_told_apart_are_varied_together() -> None:
    plan = planned(product(""))
    assert all(len(set(edge.sizes.values())) == 1 for edge in plan.edges)
    assert any("M, N, K are varied together" in str(each) for each in plan.kept)


@pytest.mark.parametrize(
    ("text", "grid", "arguments", "said"),
    [
        pytest.param(
            f"__global__ void k(const float* a, float* c, int n) {{ {PLACE} if (i < n) c[i] = a[i] + a[i + 2]; }}",
            4, {"a": "1002:random", "c": "1000", "n": "1000"}, ["n is varied; with it: a (n + 2), c (n), grid.x = ⌈n / 256⌉"], id="halo",
        ),
        pytest.param(
            f"__global__ void k(const float* a, float* c, int n, int s) {{ {PLACE} if (i < n) c[i] = a[i * s]; }}",
            4, {"a": "2000:random", "c": "1000", "n": "1000", "s": "2"},
            ["n is varied; with it: a (n × s), c (n), grid.x = ⌈n / 256⌉", "s is varied; with it: a (n × s)"], id="stride",
        ),
        pytest.param(
            "__global__ void k(const float* a, float* c, int rows, int n) {"
            " for (int j = threadIdx.x; j < n; j += blockDim.x) c[blockIdx.x * n + j] = a[blockIdx.x * n + j]; }",
            20, {"a": "2000:random", "c": "2000", "rows": "20", "n": "100"},
            ["rows is varied; with it: a (rows × n), c (rows × n), grid.x = rows", "n is varied; with it: a (rows × n), c (rows × n)"],
            id="a row for each block",
        ),
        pytest.param(
            f"__global__ void k(const float* a, float* c, int n) {{ {PLACE} if (i < n && !threadIdx.x) c[blockIdx.x] = a[i]; }}",
            4, {"a": "1000:random", "c": "4", "n": "1000"}, ["n is varied; with it: a (n), c (⌈n / 256⌉), grid.x = ⌈n / 256⌉"],
            id="an element for each block",
        ),
    ],
)  # fmt: skip
def test_what_follows_a_size_is_read_from_executions(text: str, grid: int, arguments: dict[str, str], said: list[str]) -> None:
    assert [str(each) for each in planned(spec(text, (grid, 1, 1), (256, 1, 1), arguments)).varied] == said


@pytest.mark.parametrize("blocks", [1, 2])
def test_an_array_that_is_as_long_as_n_by_chance_keeps_its_length(blocks: int) -> None:
    text = f"""__global__ void k(const float* a, float* c, float* table, int n) {{
        {PLACE}
        if (i < n) c[i] = a[i];
        if (i < {blocks * 64}) table[i % 64] = 1;
    }}"""
    count = f"{blocks * 64}"
    job = spec(text, (blocks, 1, 1), (64, 1, 1), {"a": f"{count}:random", "c": count, "table": count, "n": count})
    if blocks == 1:
        plan = planned(job)
        assert str(plan.varied[0]) == "n is varied; with it: a (n), c (n), grid.x = ⌈n / 64⌉"
        assert "table" in str(plan.kept)
    assert smallest(searched(job)) is None


def test_an_array_that_is_read_before_the_check_follows_the_threads() -> None:
    text = f"__global__ void k(const float* a, float* c, int n) {{ {PLACE} float v = a[i]; if (i < n) c[i] = v; }}"
    for blocks in (1, 2):
        count = f"{blocks * 64}"
        found = smallest(searched(spec(text, (blocks, 1, 1), (64, 1, 1), {"a": f"{count}:random", "c": count, "n": count})))
        assert found is not None
        assert [each.kind for each in found.findings] == ["out-of-bounds"]


@pytest.mark.parametrize(("check", "fails"), [("if (i < n)", False), ("if (i <= n && n > 1)", True), ("if (n == 1 ? !i : true)", True)])
def test_larger_sizes_are_tried_from_a_launch_with_one_element(check: str, fails: bool) -> None:
    job = doubled(check, 1, 64)
    tried = searched(job)
    assert {1, 63, 64, 65} <= {each.edge.sizes["n"] for each in tried}
    assert not any(each.fails for each in tried if each.edge.sizes["n"] == 1)
    assert any(each.fails for each in tried) == fails


def test_what_is_not_varied_has_its_reason() -> None:
    text = f"__global__ void k(const float* a, float* c, int n, int by) {{ {PLACE} if (i < n) c[i] = a[i] * by; }}"
    plan = planned(spec(text, (4, 1, 1), (256, 1, 1), {"a": "2048:random", "c": "1000", "n": "1000", "by": "3"}))
    assert [str(each) for each in plan.kept] == [
        "n grows no further than 1000: how large an array would have to be then is not known.",
        "by stays 3: nothing that is accessed follows it.",
        "Arrays that keep their size, as none of the numbers tells it: a.",
        "The block stays as it is: 256 × 1 × 1.",
        "Size 0 is not tried where the grid follows it: a GPU refuses a grid of 0 blocks.",
    ]
    assert max(edge.sizes["n"] for edge in plan.edges) == 1000


def test_what_cannot_be_searched_is_refused() -> None:
    endless = spec("__global__ void k(int* p, int n) { while (n) p[0] = n; }", (1, 1, 1), (1, 1, 1), {"p": "1", "n": "1"})
    broken = spec("__global__ void k(int* p) { p[0] = q; }", (1, 1, 1), (1, 1, 1), {"p": "1"})
    for job in (endless, broken):
        assert isinstance(plan_edges(job), NotTraced)


def test_an_edge_in_words() -> None:
    words = [str(edge_text(edge)) for edge in planned(product("if (y >= M || x >= N) return;")).edges]
    assert words[0] == "M = N = K = 1"
    assert "M = 17, N = K = 16" in words
    orders = [str(edge_text(edge)) for edge in planned(counted("atomicAdd(bins + d[i], 1);")).edges if edge.order]
    assert orders[0] == "n = 64, d: all equal"


SPREAD = "for (int j = i; j < n; j += gridDim.x * blockDim.x)"


@pytest.mark.parametrize(
    ("work", "fails"),
    [
        (f"{SPREAD} c[j] = a[j];", []),
        (
            "int each = n / (gridDim.x * blockDim.x); for (int j = 0; j < each; ++j) c[i * each + j] = a[i * each + j];",
            [{"n": 1024, "gridDim.x": 15}],
        ),
        ("if (i + (int)gridDim.x * 0 < n) c[i] = a[i];", []),
    ],
    ids=["spread", "the rest left out", "not spread"],
)
def test_fewer_blocks_have_to_do_what_is_spread_over_the_blocks(work: str, fails: list[dict[str, int]]) -> None:
    text = f"__global__ void k(const float* a, float* c, int n) {{ {PLACE} {work} }}"
    tried = searched(spec(text, (16, 1, 1), (64, 1, 1), {"a": "1024:random", "c": "1024", "n": "1024"}))
    blocks = [each for each in tried if "gridDim.x" in each.edge.sizes]
    assert [dict(each.edge.sizes) for each in blocks if each.fails] == fails
    assert all(finding.kind == "wrong-result" for each in blocks for finding in each.findings)


@pytest.mark.parametrize(("blocks", "fails"), [(4, []), (3, [{"n": 1000, "gridDim.x": 3}])])
def test_a_grid_that_does_not_cover_n_leaves_elements_unwritten(blocks: int, fails: list[dict[str, int]]) -> None:
    job = doubled("if (i < n)", 1000, 256)
    tried = searched(replace(job, launch=replace(job.launch, grid=(blocks, 1, 1))))
    assert [dict(each.edge.sizes) for each in tried if each.fails] == fails
    assert [dict(finding.message.arguments)["first"] for each in tried for finding in each.findings] == [768] * len(fails)


def test_a_rest_that_is_left_out_is_found_without_knowing_right_results() -> None:
    text = "__global__ void k(float* c, int n) { for (int j = threadIdx.x * (n / 64); j < (threadIdx.x + 1) * (n / 64); ++j) c[j] = 1; }"
    failing = [each.edge.sizes["n"] for each in searched(spec(text, (1, 1, 1), (64, 1, 1), {"c": "256", "n": "256"})) if each.fails]
    assert failing
    assert all(size % 64 for size in failing)


def test_what_the_order_of_blocks_hides_is_found_with_the_last_one_first() -> None:
    text = """__global__ void k(int* flag, int* data, int* out) {
        if (blockIdx.x == 0) out[0] = atomicAdd(flag, 0) == 1 ? data[0] : 0;
        else { data[0] = 5; atomicExch(flag, 1); }
    }"""
    tried = searched(spec(text, (2, 1, 1), (1, 1, 1), {"flag": "1:zeros", "data": "1:zeros", "out": "1"}))
    assert [each.edge.turned for each in tried if each.fails] == [True]
    assert str(edge_text(next(each.edge for each in tried if each.fails))) == "blocks from the last to the first, warps in turns"


def test_a_number_that_a_variable_of_the_device_holds_is_varied() -> None:
    text = f"__constant__ int n; __global__ void k(const float* a, float* c) {{ {PLACE} if (i <= n) c[i] = a[i]; }}"
    job = spec(text, (2, 1, 1), (64, 1, 1), {"a": "100:random", "c": "100", "n": "100"})
    found = smallest(searched(job))
    assert found is not None
    assert (dict(found.edge.sizes), dict(found.edge.variables)) == ({"n": 1}, {"n": 1})
    assert {each.edge.sizes["n"] for each in searched(job) if not each.fails} == {64, 128}


def test_indices_that_a_variable_of_the_device_holds_are_rearranged() -> None:
    text = "__constant__ int to[64]; __global__ void k(int* c) { c[to[threadIdx.x]] = threadIdx.x; }"
    tried = searched(spec(text, (1, 1, 1), (64, 1, 1), {"c": "64", "to": "64:arange"}))
    fails = {each.edge.order: each.fails for each in tried if each.edge.order is not None}
    right = {IndexArrangement.SORTED, IndexArrangement.REVERSED}
    assert fails == {order: order not in right for order in IndexArrangement}
