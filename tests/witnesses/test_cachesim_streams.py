"""What an instrumented kernel touches, beside what the recorder of the stage notes of the same source: two ways to the same accesses."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
import pytest

from kernels.base.spec import FLOAT32_BYTES, Device, Problem, Variant
from kernels.cachesim.execute import addresses_of
from kernels.cachesim.history import History, history
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue.catalogue import VARIANTS
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import COPY, WRITE, Trace
from kernels.jit.team_run import COPIES

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="needs numba")

COUNTED = [variant for variant in VARIANTS if variant.device is Device.CPU and not variant.library]
IN_ORDER = {"cpu.naive", "cpu.loop-order", "cpu.transpose-naive", "cpu.transpose-blocked"}
"""These touch single elements only, so that even within one line of source the order is the same."""
Numbers = npt.NDArray[np.int64]


def case(variant: Variant) -> tuple[Problem, dict[str, int]]:
    problem = Problem.of(variant.operation, 21, 18, 19)
    return problem, {**variant.defaults, **{name: value for name, value in (("tile", 8), ("threads", 1)) if name in variant.defaults}}


def executed(variant: Variant) -> History:
    found = history(variant, *case(variant), preset(SCALED))
    assert isinstance(found, History), found
    assert found.complete
    return found


def elements_of_history(found: History, problem: Problem, steps: Numbers) -> Numbers:
    """Step, kind and address of every float that is touched of the matrices. A thread's own copy of C counts as C, as on the stage."""
    accesses = found.accesses
    step = np.searchsorted(steps, np.arange(len(accesses)), side="right") - 1
    names = np.array(found.arrays)[accesses.array]
    times = np.where(np.isin(names, (*problem.shapes, COPIES)), accesses.size // FLOAT32_BYTES, 0)
    addresses = addresses_of({**problem.shapes, COPIES: problem.shapes["C"]})
    origin = np.where(names == COPIES, addresses[COPIES] - addresses["C"], 0)
    number = np.repeat(np.arange(len(accesses)), times)
    within = np.arange(len(number)) - np.repeat(np.cumsum(times) - times, times)
    return np.stack([step[number], accesses.write[number], (accesses.address - origin)[number] + FLOAT32_BYTES * within])


def elements_of_trace(noted: Trace, problem: Problem) -> Numbers:
    """The same of what the recorder noted."""
    assert noted.arrays == tuple(problem.shapes)
    start = np.array([addresses_of(problem.shapes)[name] for name in problem.shapes])
    width = np.array([columns for _, columns in problem.shapes.values()])
    step = np.repeat(np.arange(noted.steps), np.diff(noted.access_start))
    packed = (noted.kind == COPY) & (noted.matrix != noted.arrays.index("C"))
    times = np.where(packed, 0, noted.rows.astype(np.int64) * noted.columns)
    number = np.repeat(np.arange(len(times)), times)
    within = np.arange(len(number)) - np.repeat(np.cumsum(times) - times, times)
    down, along = np.divmod(within, noted.columns[number])
    matrix = noted.matrix[number]
    address = start[matrix] + FLOAT32_BYTES * ((noted.row[number] + down) * width[matrix] + noted.column[number] + along)
    return np.stack([step[number], noted.kind[number] == WRITE, address])


@pytest.mark.parametrize("variant", COUNTED, ids=lambda variant: variant.id)
def test_both_see_the_same_elements_at_the_same_steps(variant: Variant) -> None:
    problem, parameters = case(variant)
    noted = trace(variant, problem, parameters, seed=1)
    found = executed(variant)
    steps = found.access_at_steps(noted)
    here, there = elements_of_history(found, problem, steps), elements_of_trace(noted, problem)
    if variant.id not in IN_ORDER:
        here, there = (columns[:, np.lexsort(columns[::-1])] for columns in (here, there))
    assert np.array_equal(here, there)
