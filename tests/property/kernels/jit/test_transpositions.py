"""Every transposition of the CPU moves every bit to its mirrored place: any shape, any tile, compiled and as plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.base.arrays import Matrix
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.cpu_transpositions import CPU_TRANSPOSITIONS
from kernels.catalogue.source import Kernel, is_for_a_team, kernel_function
from kernels.cpu.matrix import aligned_copy, aligned_matrix
from kernels.cpu.teams import NAMES
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import READ, WRITE
from kernels.jit.compile import Specialization, compiled
from kernels.jit.team_run import team_run

SIDES = st.one_of(st.sampled_from([0, 1, 2, 7, 16, 31, 48, 64, 97]), st.integers(0, 80))
TILES = st.one_of(st.integers(1, 20), st.sampled_from([16, 32, 64, 4096]))
THREADS = 2
EACH = pytest.mark.parametrize("variant", CPU_TRANSPOSITIONS, ids=lambda variant: variant.id)


@cache
def kernel(variant: Variant) -> Kernel:
    return compiled(Specialization(variant.id))


def any_bits(rows: int, columns: int, seed: int) -> Matrix:
    """A matrix of arbitrary bits: numbers, infinities, and NaN of both kinds with what they carry."""
    bits = np.random.default_rng(seed).integers(0, 1 << 32, (rows, columns), np.uint32)
    special = np.array([0x7F800000, 0xFF800000, 0x7FC00001, 0x7F800001, 0x80000000], np.uint32)
    bits.flat[::7] = special[np.arange(bits.flat[::7].size) % special.size]
    return aligned_copy(bits.view(np.float32))


def transposed(variant: Variant, function: Kernel, A: Matrix, C: Matrix, tile: int, schedule: int = 0) -> None:
    """Run a kernel, on as many threads as it takes."""
    numbers = (tile,) if "tile" in variant.defaults else ()
    if not is_for_a_team(variant):
        function(A, C, *numbers)
        return
    point = Case(variant.id, Problem(Operation.TRANSPOSE, *A.shape), {"threads": THREADS, "schedule": schedule})
    with team_run(function, {"A": A, "C": C}, numbers, point, {}) as run:
        run.sample(lambda: None)


def assert_moved(A: Matrix, C: Matrix) -> None:
    np.testing.assert_array_equal(C.view(np.uint32), A.view(np.uint32).T)


@EACH
@settings(deadline=None, max_examples=60)
@given(m=SIDES, n=SIDES, tile=TILES, schedule=st.integers(0, len(NAMES) - 1), seed=st.integers(0, 9))
def test_every_bit_arrives(variant: Variant, m: int, n: int, tile: int, schedule: int, seed: int) -> None:
    A, C = any_bits(m, n, seed), aligned_matrix((n, m))
    C.fill(np.nan)
    transposed(variant, kernel(variant), A, C, tile, schedule)
    assert_moved(A, C)


@EACH
@pytest.mark.parametrize("shape", [(1, 1000), (1000, 1), (17, 499), (256, 128), (130, 257)])
def test_long_thin_and_whole_arrive(variant: Variant, shape: tuple[int, int]) -> None:
    A, C = any_bits(*shape, 1), aligned_matrix(shape[::-1])
    transposed(variant, kernel(variant), A, C, 64)
    assert_moved(A, C)


@EACH
def test_an_output_that_starts_within_a_cache_line_is_written_as_well(variant: Variant) -> None:
    A = any_bits(64, 48, 1)
    C = aligned_matrix((49, 64)).reshape(-1)[5 : 5 + 48 * 64].reshape(48, 64)
    transposed(variant, kernel(variant), A, C, 32)
    assert_moved(A, C)


@EACH
def test_nothing_else_is_written(variant: Variant) -> None:
    A = any_bits(50, 33, 1)
    around = aligned_matrix((35, 50))
    around.fill(-1)
    transposed(variant, kernel(variant), A, around[1:34], 16)
    assert_moved(A, around[1:34])
    assert (around[[0, 34]] == -1).all()


@EACH
@settings(deadline=None, max_examples=20)
@given(m=SIDES, n=SIDES, tile=TILES)
def test_as_plain_python_it_does_the_same(variant: Variant, m: int, n: int, tile: int) -> None:
    A, C = any_bits(m, n, 1), aligned_matrix((n, m))
    C.fill(np.nan)
    transposed(variant, kernel_function(variant), A, C, tile)
    assert_moved(A, C)


@EACH
@settings(deadline=None, max_examples=15)
@given(m=st.integers(1, 40), n=st.integers(1, 40), tile=st.sampled_from([1, 4, 16, 32]))
def test_on_recording_arrays_each_element_is_read_and_written_once(variant: Variant, m: int, n: int, tile: int) -> None:
    chosen = {name: value for name, value in (("tile", tile), ("threads", THREADS)) if name in variant.defaults}
    found = trace(variant, Problem(Operation.TRANSPOSE, m, n), {**variant.defaults, **chosen}, seed=1)
    np.testing.assert_array_equal(found.outputs["C"], found.inputs["A"].T)
    for kind in (READ, WRITE):
        chosen_accesses = found.kind == kind
        assert (found.rows[chosen_accesses] * found.columns[chosen_accesses]).sum() == m * n
