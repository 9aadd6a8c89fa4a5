"""The distributed rungs on real ranks: right for any size, and what is moved is what the formulas say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest

from kernels.base.arrays import never
from kernels.base.reference import compute_reference, random_inputs
from kernels.base.spec import Operation, Problem, Variant
from kernels.catalogue.mpi_multiplications import MPI_RUNGS
from kernels.measure.real_run import Activity, MpiTimeline
from kernels.mpi.communication_volume import volume
from kernels.mpi.conditions import conditions
from kernels.mpi.ranks import Ranks
from tests.devices.mpi_ranks import MPIEXEC, ON_CORES, TOY_CUPY, multiply, needs_mpi

SHAPES = ((1, 1, 1), (2, 3, 0), (1, 7, 5), (7, 1, 3), (3, 2, 11), (13, 17, 19), (29, 8, 64), (64, 64, 64))
"""m, n, k: nothing to add up, primes, fewer rows, columns or terms than ranks, and a size that divides."""
RECORDED = {"Send", "Recv", "Bcast", "Ibcast", "Scatterv", "Gatherv", "Split", "Wait"}

pytestmark = needs_mpi


@pytest.fixture(scope="module", params=[1, 2, 4, 5])
def ranks(request: pytest.FixtureRequest) -> Iterator[Ranks]:
    started = Ranks(MPIEXEC, request.param, never)
    yield started
    started.end()


@pytest.mark.parametrize("variant_id", ON_CORES)
def test_every_size_is_right_and_moves_what_the_formula_says(ranks: Ranks, variant_id: str) -> None:
    for m, n, k in SHAPES:
        problem = Problem(Operation.MATMUL, m, n, k)
        inputs = random_inputs(problem, seed=m)
        product, timeline = multiply(ranks, variant_id, inputs["A"], inputs["B"])
        assert compute_reference(problem, inputs, never).verify(product, never).reason is None, problem
        expected = volume(variant_id, problem, len(ranks.about))
        assert tuple(timeline.sent_bytes) == expected.sent, problem
        assert tuple(timeline.received_bytes) == expected.received, problem
        _require_whole(timeline)


@pytest.mark.parametrize("variant_id", ON_CORES)
def test_nan_and_infinity_reach_exactly_what_depends_on_them(ranks: Ranks, variant_id: str) -> None:
    a, b = np.ones((5, 6), np.float32), np.ones((6, 7), np.float32)
    a[3, 2], b[4, 5] = np.nan, np.inf
    product, _ = multiply(ranks, variant_id, a, b)
    expected = np.full((5, 7), 6, np.float32)
    expected[:, 5] = np.inf
    expected[3] = np.nan
    np.testing.assert_array_equal(product, expected)


def test_ranks_on_toy_gpus_keep_their_blocks_and_tell_both_of_what_they_do_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TOY_CUPY))
    monkeypatch.setenv("TOY_GPUS", "4")
    ranks = Ranks(MPIEXEC, 4, never)
    try:
        for m, n, k in ((1, 1, 1), (3, 5, 0), (13, 17, 19), (70, 30, 110)):
            problem = Problem(Operation.MATMUL, m, n, k)
            inputs = random_inputs(problem, seed=m)
            product, timeline = multiply(ranks, "mpi.gpu-summa", inputs["A"], inputs["B"], panel=16)
            assert compute_reference(problem, inputs, never).verify(product, never).reason is None, problem
            expected = volume("mpi.gpu-summa", problem, 4)
            assert (tuple(timeline.sent_bytes), tuple(timeline.received_bytes)) == (expected.sent, expected.received), problem
            _require_whole(timeline)
        more = ranks.ask(never, do="begin", variant="mpi.gpu-summa", sizes=(1, 1, 1), parameters={"panel": 1})
        assert conditions([{**each, **own} for each, own in zip(ranks.about, more, strict=True)])["gpu"] == "4 × Toy GPU"
        told = timeline.beside
        assert set(told.rank) == {0, 1, 2, 3}
        assert (told.line > 0).all()
    finally:
        ranks.end()


def _require_whole(timeline: MpiTimeline) -> None:
    """Each rank does something from the beginning to the end, one thing at a time; messages lie within."""
    spent = sum(timeline.spent_ns(activity) for activity in Activity)
    assert list(np.atleast_1d(spent)) == [timeline.duration_ns] * timeline.ranks
    rank, _, start, end, line = timeline.intervals
    for own in range(timeline.ranks):
        mine = rank == own
        assert list(start[mine][1:]) == list(end[mine][:-1])
    assert (line[timeline.intervals.activity == Activity.COMMUNICATING] > 0).all()
    messages = timeline.messages
    assert (messages.bytes > 0).all()
    assert ((messages.start_ns >= 0) & (messages.start_ns < messages.end_ns) & (messages.end_ns <= timeline.duration_ns)).all()


@pytest.mark.parametrize("variant", [each for each in MPI_RUNGS if each.id in ON_CORES], ids=ON_CORES)
def test_a_kernel_makes_no_call_that_is_not_recorded(variant: Variant) -> None:
    helpers = files("kernels").joinpath("mpi/parts.py")
    text = variant.source_text + (helpers.read_text() if variant.id == "mpi.summa" else "")
    called = {node.func.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
    of_mpi = {name for name in called if name[0].isupper()}
    assert of_mpi - {"Free", "Create_vector", "Commit"} <= RECORDED
