"""What each of the first rungs on the GPU claims of itself, counted: requests, sectors, wavefronts, and what the compiler makes of them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from kernels.analysis.counts import Totals, counts
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.gpu_simple import PADDED, SWIZZLED
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import Tools
from kernels.simt.base.types import Space
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.trace import WARP, Trace
from tests.launches.bank_costs import most_wavefronts

N = 64
PROBLEM = Problem.square(Operation.MATMUL, N)
WARPS_OF_PRODUCTS = N**3 // WARP
"""Multiply-adds of the whole problem, a warp's at a time."""
LAYOUTS = (PADDED, SWIZZLED)


def traced(variant_id: str, **setting: int) -> Trace:
    variant = by_id(variant_id)
    what = launch_spec(variant, PROBLEM, variant.defaults | setting)
    return execute(lower(parse(what.text, None, dict(what.defines)), str(what.entry)), what.launch, what.text)


def totals(variant_id: str, **setting: int) -> Totals:
    return counts(traced(variant_id, **setting)).totals


def worst_wavefronts(trace: Trace, operation: str, array: str) -> int:
    """Of one access to an array in shared memory."""
    number = [allocation.name for allocation in trace.allocations].index(array)
    sites = {index for index, site in enumerate(trace.sites) if (site.operation, site.allocation) == (operation, number)}
    return max(most_wavefronts(trace, site) for site in sites)


def compiled(variant_id: str, tools: Tools, source: str | None = None, **setting: int) -> CompiledKernel:
    variant = by_id(variant_id)
    assert variant.launch is not None
    launch = variant.launch(PROBLEM, variant.defaults | setting)
    kernel = compile_kernel(source or variant.source_text, CompileSettings(variant.entry, 90, launch.defines), tools)
    assert isinstance(kernel, CompiledKernel), str(kernel)
    return kernel


def accesses(kernel: CompiledKernel, operation: str, space: str) -> Counter[int]:
    """How many instructions in the machine code move how many bytes a lane."""
    kinds: Counter[int] = Counter()
    for (_, access), count in kernel.accesses().items():
        if (access.operation, access.space) == (operation, space):
            kinds[access.bytes] += count
    return kinds


def test_a_sum_in_global_memory_costs_a_load_and_a_store_in_each_step() -> None:
    naive, in_memory = totals("gpu.naive", tile=32, rows=4), totals("gpu.naive-global", tile=32, rows=4)
    assert in_memory.global_load_requests - naive.global_load_requests == WARPS_OF_PRODUCTS
    assert in_memory.global_load_sectors - naive.global_load_sectors == 4 * WARPS_OF_PRODUCTS
    assert in_memory.global_store_requests == (N + 1) * naive.global_store_requests
    assert in_memory.global_store_sectors == (N + 1) * naive.global_store_sectors
    assert in_memory.flops == naive.flops


def test_the_compiler_leaves_out_the_loads_of_the_sum_but_no_store_unless_promised_that_nothing_overlaps(tools: Tools) -> None:
    text = by_id("gpu.naive-global").source_text
    promised = text.replace("float* A", "float* __restrict__ A").replace("float* B", "float* __restrict__ B")
    promised = promised.replace("float* C", "float* __restrict__ C")
    plain, free = compiled("gpu.naive-global", tools), compiled("gpu.naive-global", tools, promised)
    multiplications = Counter(each.opcode for each in plain.instructions)["FFMA"]
    assert accesses(plain, "load", "global") == {4: 2 * multiplications}
    assert accesses(plain, "store", "global") == {4: multiplications + 1}
    assert accesses(free, "store", "global") == {4: 2}


@pytest.mark.parametrize("tile", [8, 16, 32])
def test_transposing_the_tile_of_b_changes_no_count_of_global_memory(tile: int) -> None:
    plain, turned = totals("gpu.tiled", tile=tile), totals("gpu.coalesced-bt", tile=tile)
    assert turned.global_load_sectors == plain.global_load_sectors == 4 * plain.global_load_requests
    assert turned.global_load_requests == plain.global_load_requests
    assert turned.shared_load_requests == plain.shared_load_requests
    assert turned.shared_load_wavefronts > plain.shared_load_wavefronts == plain.shared_load_requests


@pytest.mark.parametrize(("tile", "ways"), [(8, 2), (16, 8), (32, 32)])
def test_lanes_meet_in_the_banks_of_the_transposed_tile(tile: int, ways: int) -> None:
    turned = traced("gpu.coalesced-bt", tile=tile)
    assert worst_wavefronts(turned, "load", "As") == worst_wavefronts(turned, "store", "As") == 1
    assert worst_wavefronts(turned, "load", "Bs") == worst_wavefronts(turned, "store", "Bs") == ways


@pytest.mark.parametrize("tile", [4, 8, 16, 32])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_padding_and_swizzle_leave_no_conflict_and_the_counts_of_the_tiled_kernel(layout: int, tile: int) -> None:
    free = totals("gpu.conflict-free", tile=tile, layout=layout)
    assert free == totals("gpu.tiled", tile=tile)
    assert free.shared_load_wavefronts == free.shared_load_requests
    assert free.shared_store_wavefronts == free.shared_store_requests


@pytest.mark.parametrize("tile", [4, 8, 16, 32])
def test_a_tiled_kernel_has_no_conflict_that_padding_could_cure(tile: int) -> None:
    text = by_id("gpu.tiled").source_text
    padded_text = text.replace("s[TILE][TILE]", "s[TILE][TILE + 1]")
    what = launch_spec(by_id("gpu.tiled"), PROBLEM, {"tile": tile})
    padded = counts(execute(lower(parse(padded_text, None, what.defines), str(what.entry)), what.launch, padded_text)).totals
    plain = totals("gpu.tiled", tile=tile)
    assert padded_text.count("TILE + 1") == 2
    assert plain.shared_load_wavefronts == padded.shared_load_wavefronts == plain.shared_load_requests
    assert plain.shared_store_wavefronts == plain.shared_store_requests <= padded.shared_store_wavefronts


def test_the_compiler_reads_four_steps_at_once_where_they_lie_side_by_side(tools: Tools) -> None:
    assert accesses(compiled("gpu.tiled", tools, tile=32), "load", "shared") == {16: 8, 4: 32}
    assert accesses(compiled("gpu.coalesced-bt", tools, tile=32), "load", "shared") == {16: 16}
    for layout in LAYOUTS:
        assert accesses(compiled("gpu.conflict-free", tools, layout=layout, tile=32), "load", "shared") == {16: 8, 4: 32}


@pytest.mark.parametrize("results", [1, 2, 4, 8, 16])
def test_a_column_of_results_shares_the_reads_of_b(results: int) -> None:
    one, several = totals("gpu.tiled", tile=32), totals("gpu.work-per-thread", tile=32, results=results)
    assert one.shared_load_requests == 2 * WARPS_OF_PRODUCTS
    assert several.shared_load_requests * results == (results + 1) * WARPS_OF_PRODUCTS
    assert several.shared_load_wavefronts == several.shared_load_requests
    assert several.shared_store_wavefronts == several.shared_store_requests
    assert (several.global_load_requests, several.global_load_sectors) == (one.global_load_requests, one.global_load_sectors)


def test_a_larger_tile_which_fewer_threads_allow_reads_half_of_global_memory() -> None:
    small, large = (totals("gpu.work-per-thread", tile=tile, results=8) for tile in (32, 64))
    assert 2 * large.global_load_sectors == small.global_load_sectors


@pytest.mark.parametrize(("results", "depth"), [(8, 8), (16, 8), (16, 16), (32, 8)])
def test_an_outer_product_reads_one_broadcast_for_a_multiply_add_and_takes_b_past_shared_memory(results: int, depth: int) -> None:
    trace = traced("gpu.outer-product", tile=64, results=results, depth=depth)
    outer = counts(trace).totals
    assert {allocation.name for allocation in trace.allocations if allocation.space is Space.SHARED} == {"As"}
    assert outer.shared_load_requests == outer.shared_load_wavefronts == WARPS_OF_PRODUCTS
    of_a, of_b = N * N // WARP, WARPS_OF_PRODUCTS // results
    assert outer.global_load_requests == of_a + of_b
    assert outer.global_load_sectors == 4 * outer.global_load_requests
    assert outer.shared_store_requests == of_a
    assert outer.barriers == 2 * (N // depth) * (N // results)


def test_a_column_of_a_is_written_four_by_four_into_a_bank() -> None:
    assert worst_wavefronts(traced("gpu.outer-product", tile=64), "store", "As") == 4


def test_prefetching_changes_no_count_but_the_order() -> None:
    plain, early = traced("gpu.outer-product", tile=64), traced("gpu.prefetch", tile=64)
    assert counts(early).totals == counts(plain).totals
    assert [loads_before_the_first_product(trace) for trace in (plain, early)] == [(2, 1), (4, 16)]


def loads_before_the_first_product(trace: Trace) -> tuple[int, int]:
    """How many loads of A and of B the first block has begun when it first reads As."""
    names = [allocation.name for allocation in trace.allocations]
    kinds = [(names[trace.sites[site].allocation], trace.sites[site].operation) for site in trace.rows.site.tolist()]
    before = kinds[: kinds.index(("As", "load"))]
    return before.count(("A", "load")), before.count(("B", "load"))


def test_the_compiler_keeps_prefetches_before_all_multiplications(tools: Tools) -> None:
    opcodes = [each.opcode.split(".")[0] for each in compiled("gpu.prefetch", tools).instructions]
    last_load = len(opcodes) - 1 - opcodes[::-1].index("LDG")
    assert opcodes.count("LDG") == 1 + 8
    assert last_load < opcodes.index("FFMA") < opcodes.index("STS")


@pytest.mark.parametrize("variant_id", ["gpu.outer-product", "gpu.prefetch"])
@pytest.mark.parametrize(("tile", "results", "depth"), [(128, 16, 8), (128, 32, 16), (256, 8, 8), (1024, 16, 8)])
def test_a_column_stays_in_registers_and_its_factors_come_by_fours(
    tools: Tools, variant_id: str, tile: int, results: int, depth: int
) -> None:
    kernel = compiled(variant_id, tools, tile=tile, results=results, depth=depth)
    assert kernel.usage.spill_store_bytes == kernel.usage.spill_load_bytes == kernel.usage.stack_bytes == 0
    assert kernel.usage.registers * tile <= 65536
    assert accesses(kernel, "load", "shared") == {16: results * depth // 4}
    assert accesses(kernel, "store", "shared").keys() == {4}


@pytest.mark.parametrize(("tile", "results"), [(32, 8), (64, 8), (64, 16), (32, 1)])
def test_work_per_thread_stays_in_registers(tools: Tools, tile: int, results: int) -> None:
    kernel = compiled("gpu.work-per-thread", tools, tile=tile, results=results)
    assert kernel.usage.spill_store_bytes == kernel.usage.stack_bytes == 0
    assert kernel.usage.registers * tile * tile // results <= 65536


def test_the_sums_do_not_depend_on_the_layout() -> None:
    outputs = [traced("gpu.conflict-free", layout=layout).values["C"] for layout in LAYOUTS]
    assert np.array_equal(outputs[0], outputs[1])
    assert np.array_equal(outputs[0], traced("gpu.tiled").values["C"])
