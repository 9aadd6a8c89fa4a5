"""One block speaks for all where every block counts the same, and only there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.core.predictions import counted_launches as executed
from app.core.predictions.counted_launches import PredictedLaunch, blocks_alike, launched
from kernels.analysis.workload import Workload
from kernels.base.spec import Problem, Variant
from kernels.catalogue.catalogue import by_id
from kernels.catalogue.gpu_split_k import split_k
from kernels.simt.base.launch import Argument
from kernels.simt.trace.trace import Trace

ALIKE = ("gpu.tiled", "gpu.prefetch", "gpu.register-tiled-k8", "gpu.fastest")
LARGE = 1 << 40


def problem_of(variant: Variant, m: int, n: int, k: int) -> Problem:
    return Problem.of(variant.operation, m, n, k)


def alike(name: str, m: int, n: int, k: int) -> bool:
    variant = by_id(name)
    return blocks_alike(variant, problem_of(variant, m, n, k), variant.defaults, variant.entry)


def counted(name: str, m: int = 256, n: int = 256, k: int = 64, **parameters: int) -> PredictedLaunch:
    variant = by_id(name)
    found = launched(variant, problem_of(variant, m, n, k), {**variant.defaults, **parameters}, 90)
    assert isinstance(found, tuple)
    return found[-1]


@pytest.mark.parametrize("name", ALIKE)
def test_one_block_counts_what_all_count(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert alike(name, 256, 256, 64)
    one = counted(name).counted
    monkeypatch.setattr(executed, "MOST_STEPS", LARGE)
    every = counted(name).counted
    assert (one.exact, every.exact) == (False, True)
    assert (one.written, one.compiled, one.chain) == (every.written, every.compiled, every.chain)


def test_what_two_lengths_count_says_what_a_longer_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The length is no multiple of the period, and long enough for the stages of copies to be filled several times."""
    found = counted("gpu.async", 64, 64, 488, tile=64).counted
    monkeypatch.setattr(executed, "PERIOD", LARGE)
    whole = counted("gpu.async", 64, 64, 488, tile=64).counted
    assert (found.written, found.compiled, found.chain) == (whole.written, whole.compiled, whole.chain)


@pytest.mark.parametrize(("m", "n", "k"), [(250, 256, 64), (256, 250, 64), (256, 256, 60), (256, 208, 64), (248, 256, 64)])
def test_edges_and_rows_that_begin_within_a_line_make_blocks_differ(m: int, n: int, k: int) -> None:
    assert not alike("gpu.tiled", m, n, k)


def test_blocks_of_a_transposition_differ_on_the_diagonal() -> None:
    assert not alike("gpu.transpose-in-place", 256, 256, 1)


def test_where_blocks_are_alike_one_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[tuple[int, ...] | None] = []
    trace = executed._traced

    def traced(step: executed._Step, values: Mapping[str, Argument], blocks: tuple[int, ...] | None) -> Trace:
        chosen.append(blocks)
        return trace(step, values, blocks)

    monkeypatch.setattr(executed, "_traced", traced)
    counted("gpu.tiled")
    assert chosen == [(0,)]


@pytest.mark.parametrize(("m", "n", "k"), [(128, 128, 128), (130, 70, 100)])
def test_what_prepares_a_launch_is_counted_in_each_of_its_rows_of_blocks(monkeypatch: pytest.MonkeyPatch, m: int, n: int, k: int) -> None:
    """One row of blocks rounds A, the next one turns B too, which takes other sectors."""
    variant = by_id("gpu.mma-bf16")

    def prepared() -> Workload:
        found = launched(variant, problem_of(variant, m, n, k), variant.defaults, 90)
        assert isinstance(found, tuple)
        return found[0].counted.written

    every = prepared()
    monkeypatch.setattr(executed, "MOST_STEPS", 1)
    some = prepared()
    assert (some.global_load_requests, some.global_load_sectors, some.global_store_sectors) == (
        every.global_load_requests, every.global_load_sectors, every.global_store_sectors,
    )  # fmt: skip


def test_a_smaller_k_stands_for_a_larger_one_only_where_it_takes_the_same_blocks() -> None:
    variant = by_id("gpu.split-k")
    fewer = {**variant.defaults, "results": 4}
    choosing = replace(variant, launch=lambda problem, parameters: split_k(problem, parameters if problem.k > 350 else fewer))
    found = launched(choosing, problem_of(variant, 64, 64, 400), variant.defaults, 90)
    assert isinstance(found, tuple), found
    assert found[0].launch.block == (128, 1)
