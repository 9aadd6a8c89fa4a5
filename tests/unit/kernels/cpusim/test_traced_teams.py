"""Packed copies and teams of threads in a trace: copies are shown where their originals are, threads take turns."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.base.spec import Operation, Problem
from kernels.catalogue.catalogue import by_id
from kernels.cpusim.execute import locate, place_matrices, trace
from kernels.cpusim.trace import COPY, READ, WRITE, Trace
from kernels.cpusim.turns import TurnTaking


def traced(variant_id: str, m: int, n: int, k: int, **parameters: int) -> Trace:
    variant = by_id(variant_id)
    return trace(variant, Problem(Operation.MATMUL, m, n, k), {**variant.defaults, **parameters}, seed=3)


@pytest.mark.parametrize(("variant_id", "settings"), [
    ("cpu.packed", {"mr": 4, "nr": 16}),
    ("cpu.parallel", {"threads": 3, "schedule": 1, "chunk": 1}),
    ("cpu.parallel-private", {"threads": 3}),
])  # fmt: skip
@pytest.mark.parametrize("shape", [(9, 20, 7), (1, 1, 1), (5, 33, 2)])
def test_the_trace_computes_the_product(variant_id: str, settings: dict[str, int], shape: tuple[int, int, int]) -> None:
    run = traced(variant_id, *shape, **settings)
    np.testing.assert_array_equal(run.outputs["C"], run.inputs["A"] @ run.inputs["B"])


def test_what_is_read_of_a_panel_is_shown_where_it_was_copied_from() -> None:
    run = traced("cpu.packed", 4, 16, 3, mr=4, nr=16)
    copies = np.flatnonzero(run.kind == COPY)
    fields = zip(run.matrix[copies], run.row[copies], run.column[copies], run.rows[copies], run.columns[copies], strict=True)
    places = [tuple(map(int, access)) for access in fields]
    # step k of the tile takes column k of A and row k of B
    assert places == [place for k in range(3) for place in ((0, 0, k, 4, 1), (1, k, 0, 1, 16))]
    steps = np.searchsorted(run.access_start, copies, side="right") - 1
    assert steps.tolist() == [step for step in range(steps[0], steps[0] + 3) for _ in range(2)], "one step for each k"


def test_a_copy_of_nothing_but_filling_has_no_rows() -> None:
    shapes = {"A": (2, 3), "B": (3, 2)}
    places = place_matrices(shapes)
    accesses = np.zeros((7, 2))
    accesses[0] = COPY
    locate(accesses, {0: np.zeros(4, np.float32), 1: np.array([0, *places["B"][2]], np.float32)}, shapes)
    assert accesses[1:6, 0].tolist() == [0, 0, 0, 0, 0]
    assert accesses[1:6, 1].tolist() == [1, 2, 0, 1, 2]


def test_every_row_of_c_belongs_to_the_thread_that_got_it() -> None:
    run = traced("cpu.parallel", 40, 8, 4, threads=2, schedule=0)
    assert set(run.threads.tolist()) == {0, 1}
    step_of = np.repeat(np.arange(run.steps), np.diff(run.access_start))
    written = (run.kind == WRITE) & (run.matrix == 2)
    owners: dict[int, set[int]] = {int(row): set() for row in run.row[written]}
    for row, step in zip(run.row[written], step_of[written], strict=True):
        owners[int(row)].add(int(run.threads[step]))
    assert all(len(threads) == 1 for threads in owners.values())
    assert len(set.union(*owners.values())) == 2


def test_private_copies_are_shown_where_c_is() -> None:
    run = traced("cpu.parallel-private", 3, 4, 130, threads=2, schedule=0)
    written = (run.kind == WRITE) & (run.matrix == 2)
    step_of = np.repeat(np.arange(run.steps), np.diff(run.access_start))
    assert {0, 1} == set(run.threads[step_of[written]].tolist())
    assert run.row[written].max() == 2
    assert np.count_nonzero(run.kind == READ)


def test_the_order_of_the_threads_is_the_same_each_time() -> None:
    settings = {"threads": 4, "schedule": 1, "chunk": 1}
    first, second = (traced("cpu.parallel", 60, 8, 3, **settings) for _ in range(2))
    assert first.threads.tolist() == second.threads.tolist()
    assert first.lines.tolist() == second.lines.tolist()
    assert len(set(first.threads.tolist())) == 4


def test_a_thread_that_only_waits_does_not_keep_the_others_from_working() -> None:
    done: list[int] = []
    turns = TurnTaking(3, lambda: len(done))

    def work(thread: int) -> None:
        if thread == 0:
            for _ in range(50):
                done.append(thread)
                turns.give_way()
        else:
            while len(done) < 50:
                turns.give_way()
            done.append(thread)

    turns.run(work)
    assert sorted(done[50:]) == [1, 2]


def test_what_one_thread_raises_ends_them_all() -> None:
    turns = TurnTaking(3, lambda: 0)

    def work(thread: int) -> None:
        if thread == 2:
            raise ValueError("in thread 2")
        while True:
            turns.give_way()

    with pytest.raises(ValueError, match="in thread 2"):
        turns.run(work)
