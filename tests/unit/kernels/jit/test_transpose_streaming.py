"""Streaming stores are what the processor is really given, and wherever the lines of the output begin, all of it is written."""

from __future__ import annotations

import platform
from itertools import product

import numpy as np
import pytest

from kernels.base.arrays import never
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.cachesim.count import Counts, count
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue.case import Case
from kernels.catalogue.catalogue import by_id
from kernels.cpu.simd import LANES
from kernels.cpu.transpose_streaming import BAND
from kernels.cpusim.execute import trace
from kernels.cpusim.trace import WRITE
from kernels.jit.compile import Specialization, compiled, machine_code
from kernels.jit.runner import CpuRunner
from tests.devices.cpu_settings import with_tile

X86 = platform.machine().lower() in ("x86_64", "amd64")
STREAMING = ("cpu.transpose-streaming", "cpu.transpose-parallel")
BETWEEN_LINES = ((40, BAND + 50), (33, 16), (40, 50), (47, 31), (250, 17), (111, 112))
"""Rows of A that are no whole number of lines; once more columns than a band has."""


def instructions(variant_id: str) -> str:
    """The machine code of a kernel, as the assembler writes it."""
    build = Specialization(variant_id)
    return machine_code(build, compiled(build))


@pytest.mark.skipif(not X86, reason="the name of the instruction is that of x86")
def test_only_the_streaming_kernels_store_past_the_caches() -> None:
    assert "movntps" in instructions("cpu.transpose-streaming")
    assert "movntps" in instructions("cpu.transpose-parallel")
    assert "movntps" not in instructions("cpu.transpose-simd")
    assert "movntps" not in instructions("cpu.transpose-parallel-cached")


@pytest.mark.skipif(not X86, reason="the name of the instruction is that of x86")
def test_what_is_only_read_is_not_asked_for_to_be_written() -> None:
    streaming, packed = instructions("cpu.transpose-streaming"), instructions("cpu.packed")
    assert "prefetcht0" in streaming
    assert "prefetchw" not in streaming
    assert "prefetchw" in packed or "prefetcht0" in packed, "some processors have no instruction for it"


@pytest.mark.skipif(LANES < 8, reason="a half of a shorter vector is no register")
def test_halves_of_rows_are_loaded_into_halves_of_registers() -> None:
    machine = [line for line in instructions("cpu.transpose-simd").splitlines() if "vinsertf" in line and "(" in line]
    assert len(machine) >= LANES, "from memory, once for each row of a block"


@pytest.mark.parametrize("variant_id", STREAMING)
def test_where_lines_begin_between_blocks_every_element_is_written(variant_id: str) -> None:
    variant, runner = by_id(variant_id), CpuRunner()
    for shape, tile in product(BETWEEN_LINES, (4, 16, 64)):
        problem = Problem(Operation.TRANSPOSE, *shape)
        parameters = with_tile(variant, tile) | ({"threads": 3, "schedule": 1} if "threads" in variant.defaults else {})
        inputs = random_inputs(problem, 1)
        with runner.prepare(Case(variant_id, problem, parameters), inputs, never) as run:
            run.poison()
            run.sample(never)
            np.testing.assert_array_equal(run.output(), inputs["A"].T)
    shown = trace(variant, problem, parameters, 1)
    np.testing.assert_array_equal(shown.outputs["C"], shown.inputs["A"].T)


@pytest.mark.skipif(LANES < 16, reason="shorter vectors would write half lines")
def test_lines_that_begin_between_blocks_are_written_whole_and_miss_nowhere() -> None:
    problem, variant = Problem(Operation.TRANSPOSE, 250, 160), by_id("cpu.transpose-streaming")
    shown = trace(variant, problem, {"tile": 64}, 1)
    lines = (shown.kind == WRITE) & (shown.rows == 1) & (shown.columns == 16)
    starts = shown.row[lines].astype(int) * 250 + shown.column[lines]
    assert (starts % 16 == 0).all()
    assert len(starts) >= 160 * 14, "all but the ends of rows"
    counted = count(variant, problem, {"tile": 64}, preset(SCALED))
    assert isinstance(counted, Counts)
    assert counted.levels[0].arrays["C"].writes > len(starts)
    assert counted.levels[0].arrays["C"].write_misses <= 160 * (250 % 16 + 3), "only those ends are fetched"
