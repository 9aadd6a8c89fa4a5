"""What each register-tiled rung claims in its header, counted in an execution of its text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from kernels.analysis.banks import shared_accesses
from kernels.analysis.counts import Totals, counts
from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.simt.base.launch import Argument, Filled, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.trace.trace import Trace
from tests.launches.bank_costs import most_wavefronts

N = 128
"""One block, at a size that every tile divides."""
SETTING = {"tile": 128, "tile_rows": 0, "results": 8, "registers": 128}


@cache
def traced(variant_id: str) -> Trace:
    variant = by_id(variant_id)
    assert variant.launch is not None
    launch = variant.launch(Problem.square(Operation.MATMUL, N), variant.defaults | SETTING)
    arguments: dict[str, Argument] = {"M": N, "N": N, "K": N}
    arguments |= {name: Filled(N * N) for name in "ABC"}
    kernel = lower(parse(variant.source_text, None, launch.defines), variant.entry)
    return execute(kernel, LaunchRequest((*launch.grid, 1), (*launch.block, 1), arguments), variant.source_text)


def totals(variant_id: str) -> Totals:
    return counts(traced(variant_id)).totals


def wavefronts(variant_id: str) -> Mapping[tuple[str, str], int]:
    """The most that one load or store of a tile in shared memory takes."""
    trace = traced(variant_id)
    names = [allocation.name for allocation in trace.allocations]
    found: dict[tuple[str, str], int] = {}
    for access in shared_accesses(trace):
        site = trace.sites[access.site]
        key = (site.operation, names[site.allocation])
        found[key] = max(found.get(key, 0), most_wavefronts(trace, access.site))
    return found


@pytest.mark.parametrize("depth", [8, 16])
def test_one_result_a_read_from_each_bank(depth: int) -> None:
    assert set(wavefronts(f"gpu.register-tiled-k{depth}").values()) == {1}


@pytest.mark.parametrize("depth", [8, 16])
def test_lanes_of_several_k_meet_where_a_is_turned(depth: int) -> None:
    found = wavefronts(f"gpu.vectorized-k{depth}")
    assert found["store", "As"] == depth // 4
    assert (found["load", "As"], found["load", "Bs"], found["store", "Bs"]) == (2, 4, 4)


@pytest.mark.parametrize("rung", [
    "conflict-free-k8", "conflict-free-k16", "double-buffered-k8", "double-buffered-k16", "async", "warp-tiled",
])  # fmt: skip
def test_where_the_order_is_exchanged_no_access_has_a_conflict(rung: str) -> None:
    trace = traced(f"gpu.{rung}")
    assert all(access.source == access.ideal for access in shared_accesses(trace))


@pytest.mark.parametrize("depth", [8, 16])
def test_four_floats_a_load_are_a_quarter_of_the_loads(depth: int) -> None:
    scalar, wide = totals(f"gpu.register-tiled-k{depth}"), totals(f"gpu.vectorized-k{depth}")
    assert scalar.shared_load_requests == 4 * wide.shared_load_requests
    assert scalar.global_load_requests == 4 * wide.global_load_requests
    assert scalar.global_load_sectors == wide.global_load_sectors


def test_two_stages_need_one_barrier_a_step_instead_of_two() -> None:
    steps = N // 8
    assert totals("gpu.conflict-free-k8").barriers == 2 * steps
    assert totals("gpu.double-buffered-k8").barriers == steps + 1


def test_a_deeper_step_needs_fewer_barriers_and_the_same_loads() -> None:
    shallow, deep = totals("gpu.conflict-free-k8"), totals("gpu.conflict-free-k16")
    assert (shallow.barriers, shallow.global_load_sectors) == (2 * deep.barriers, deep.global_load_sectors)


def test_copies_need_one_barrier_a_step() -> None:
    assert totals("gpu.async").barriers == N // 8


def test_a_warp_whose_lanes_share_in_pairs_reads_in_half_the_wavefronts() -> None:
    found = wavefronts("gpu.warp-tiled")
    assert (found["load", "As"], found["load", "Bs"]) == (2, 2)


def test_a_tile_of_its_own_for_each_warp_needs_fewer_reads_for_as_many_operations() -> None:
    squares, warps = totals("gpu.double-buffered-k8"), totals("gpu.warp-tiled")
    steps = N * N * N // 32  # multiply-adds of a warp
    assert squares.shared_load_requests == steps * 4 // 64
    # 6 reads for 128 multiply-adds; those of the first k of the tile past the last are made in vain
    assert warps.shared_load_requests == steps * 6 // 128 + 6 * N * N // 128 // 32
