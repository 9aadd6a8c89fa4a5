"""What each rung of the GPU's transpositions says of itself, counted: sectors, wavefronts, requests, barriers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from kernels.analysis.counts import Totals, counts
from kernels.analysis.findings import findings
from kernels.base.limits import Limits, refuse
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Device, Operation, Output, Problem, Variant
from kernels.catalogue.catalogue import by_id, of
from kernels.simt.base.launch import Fill, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.trace import Trace


def named(variant_id: str) -> Variant:
    return by_id(f"gpu.transpose-{variant_id}")


def executed(variant_id: str, setting: Mapping[str, int], problem: Problem) -> Trace:
    """The launch on elements that count up, with the warps in a random order."""
    variant = named(variant_id)
    taken = launch_spec(variant, problem, {**variant.defaults, **setting}, Fill.ARANGE)
    kernel = lower(parse(taken.text, None, dict(taken.defines)), str(taken.entry))
    return execute(kernel, replace(taken.launch, mode=Mode.WARP, seed=1), taken.text)


def counted(variant_id: str, **setting: int) -> Totals:
    return counts(executed(variant_id, setting, Problem.square(Operation.TRANSPOSE, 64))).totals


@pytest.mark.parametrize(("variant_id", "setting", "read", "written"), [
    ("global", {"tile": 32}, 4, 32), ("global-writes", {"tile": 32}, 32, 4), ("direct-map", {"tile": 32}, 4, 32),
    ("global", {"tile": 16}, 4, 16), ("global-writes", {"tile": 16}, 16, 4), ("direct-map", {"tile": 16}, 4, 32),
    ("row-first", {"tile": 32}, 4, 32), ("shared", {"tile": 32}, 4, 4), ("padded", {"tile": 32}, 4, 4),
    ("swizzled", {"tile": 32}, 4, 4), ("elements", {}, 4, 4), ("in-place", {}, 4, 4),
    ("vectorized", {"tile": 64}, 16, 16), ("vectorized", {"tile": 32}, 16, 16), ("copy", {}, 16, 16),
], ids=str)  # fmt: skip
def test_sectors_of_a_request_are_those_that_the_rung_is_about(variant_id: str, setting: dict[str, int], read: int, written: int) -> None:
    totals = counted(variant_id, **setting)
    assert totals.global_load_sectors == read * totals.global_load_requests
    assert totals.global_store_sectors == written * totals.global_store_requests


def test_rows_of_the_tile_are_free_of_conflicts_and_cost_eight_times_the_sectors() -> None:
    row_first, column_first = counted("row-first", tile=32), counted("shared", tile=32)
    assert row_first.shared_load_wavefronts == row_first.shared_load_requests
    assert column_first.shared_load_wavefronts == 32 * column_first.shared_load_requests
    assert row_first.global_store_sectors == 8 * column_first.global_store_sectors


@pytest.mark.parametrize(("variant_id", "setting", "floats"), [
    ("elements", {}, 1), ("elements", {"tile": 64, "rows": 16}, 1), ("in-place", {}, 1), ("in-place", {"tile": 64, "rows": 8}, 1),
    ("vectorized", {"tile": 32}, 4), ("vectorized", {"tile": 64}, 4),
], ids=str)  # fmt: skip
def test_the_fast_rungs_have_no_bank_conflict(variant_id: str, setting: dict[str, int], floats: int) -> None:
    totals = counted(variant_id, **setting)
    assert totals.shared_load_wavefronts == floats * totals.shared_load_requests
    assert totals.shared_store_wavefronts == floats * totals.shared_store_requests


def test_four_floats_an_instruction_are_a_quarter_of_the_requests() -> None:
    one, four, copy = counted("elements"), counted("vectorized"), counted("copy")
    assert four.global_load_requests * 4 == one.global_load_requests == one.global_store_requests
    assert four.shared_load_requests * 4 == one.shared_load_requests
    assert four.global_load_requests == four.global_store_requests == copy.global_load_requests == copy.global_store_requests
    assert four.global_load_sectors == one.global_load_sectors == copy.global_load_sectors


def test_a_thread_that_moves_four_elements_needs_a_quarter_of_the_warps() -> None:
    assert counted("elements").global_load_requests == counted("padded", tile=32).global_load_requests
    square = Problem.square(Operation.TRANSPOSE, 64)
    threads = {variant_id: named(variant_id).launch for variant_id in ("elements", "padded")}
    assert threads["elements"]
    assert threads["padded"]
    assert threads["elements"](square, {"tile": 32, "rows": 8}).block == (32, 8)
    assert threads["padded"](square, {"tile": 32, "padding": 1}).block == (32, 32)


def test_in_place_a_pair_of_tiles_meets_at_one_barrier_and_those_below_the_diagonal_leave() -> None:
    assert counted("in-place", tile=16, rows=8).barriers == 4 * 5 // 2
    assert counted("elements", tile=16, rows=8).barriers == 4 * 4


@pytest.mark.parametrize("n", [1, 31, 33, 70])
def test_in_place_every_element_is_where_its_mirror_image_was(n: int) -> None:
    trace = executed("in-place", {}, Problem.square(Operation.TRANSPOSE, n))
    assert findings(trace) == ()
    assert (trace.values["C"].view(np.float32).reshape(n, n) == np.arange(n * n, dtype=np.float32).reshape(n, n).T).all()
    assert "A" not in trace.values


def test_in_place_a_matrix_that_is_not_square_is_refused_in_words() -> None:
    reason = refuse(named("in-place"), Problem(Operation.TRANSPOSE, 3, 5), {"tile": 32, "rows": 8}, Limits())
    assert str(reason) == "In place only square matrices are transposed: in 3 × 5 the elements do not change places by two."
    assert refuse(named("elements"), Problem(Operation.TRANSPOSE, 3, 5), {"tile": 32, "rows": 8}, Limits()) is None


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 7), (64, 64), (67, 61), (5, 1639)])
def test_a_copy_holds_the_elements_in_their_own_order(m: int, n: int) -> None:
    trace = executed("copy", {}, Problem(Operation.TRANSPOSE, m, n))
    assert findings(trace) == ()
    assert (trace.values["C"].view(np.float32) == np.arange(m * n, dtype=np.float32)).all()


def test_a_copy_is_not_taken_for_a_transposition_nor_one_for_a_copy() -> None:
    problem, references = Problem(Operation.TRANSPOSE, 5, 3), ReferenceCache(1)
    A = references.inputs(problem)["A"]
    for output, right, wrong in ((Output.COPY, A.reshape(3, 5), A.T), (Output.RESULT, A.T, A.reshape(3, 5))):
        reference = references.reference(problem, lambda: None, output)
        assert reference.verify(right, lambda: None).reason is None
        assert reference.verify(wrong, lambda: None).reason is not None


@pytest.mark.parametrize(("variant_id", "setting", "reason"), [
    ("elements", {"tile": 32, "rows": 12}, "tile must be a multiple of rows: 32 = 2 × 12 + 8."),
    ("in-place", {"tile": 8, "rows": 16}, "tile must be a multiple of rows: 8 = 0 × 16 + 8."),
    ("in-place", {"tile": 64, "rows": 32}, "64 × 32 = 2048 threads a block; this GPU allows 1024."),
    ("vectorized", {"tile": 48}, "tile must be a power of two, not 48: x ^ y would leave the row."),
], ids=str)  # fmt: skip
def test_a_setting_that_cannot_be_quotes_the_inequality(variant_id: str, setting: dict[str, int], reason: str) -> None:
    assert str(refuse(named(variant_id), Problem.square(Operation.TRANSPOSE, 64), setting, Limits())) == reason


def test_the_ladder_ends_with_what_it_is_measured_against() -> None:
    ladder = [variant for variant in of(Operation.TRANSPOSE) if variant.device is Device.GPU]
    assert [variant.id for variant in ladder if variant.library] == ["gpu.transpose-copy"]
    assert ladder[-1].output is Output.COPY
