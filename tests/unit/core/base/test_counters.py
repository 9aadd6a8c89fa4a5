from __future__ import annotations

import numpy as np

from app.core.base.picture_parts import Counters
from kernels.base.spec import Operation, Problem
from kernels.catalogue import catalogue
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import Trace


def _trace(variant_id: str, problem: Problem, parameters: dict[str, int]) -> Trace:
    variant = catalogue.by_id(variant_id)
    return trace(variant, problem, parameters, seed=1)


def test_naive_multiplication_reads_each_operand_once_a_multiply_add() -> None:
    run = _trace("cpu.naive", Problem(Operation.MATMUL, 3, 4, 5), {})
    last = {str(counter.title): counter for counter in Counters(run).at(run.steps - 1)}
    assert last["Reads of A"].whole_run == last["Reads of A"].so_far == 3 * 4 * 5
    assert last["Reads of B"].whole_run == 3 * 4 * 5
    assert last["Writes of C"].whole_run == 3 * 4


def test_steps_add_up_to_the_running_count() -> None:
    run = _trace("cpu.blocked", Problem.square(Operation.MATMUL, 6), {"tile": 4})
    counters = Counters(run)
    totals = np.zeros(len(counters.at(0)), dtype=int)
    for step in range(run.steps):
        rows = counters.at(step)
        totals += [row.this_step for row in rows]
        assert totals.tolist() == [row.so_far for row in rows]
    assert totals.tolist() == [row.whole_run for row in counters.at(0)]
