"""Random kernels: compiled code leaves every bit as the interpreter does, or leaves the launch to it.

TILESCOPE_FUZZ_COMPILED says how many of each kind are compared, TILESCOPE_FUZZ_SEED from which seed on.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from kernels.simt.base.launch import Budget, LaunchRequest
from kernels.simt.frontend.parse import parse
from kernels.simt.host.grids import TOO_MUCH
from kernels.simt.lower import Unsupported, lower
from kernels.simt.run.execution import execute
from tests.launches.compiled_launch import leave
from tests.oracle import cooperation, programs
from tests.oracle.fuzz import Threads, write

PROGRAMS = int(os.environ.get("TILESCOPE_FUZZ_COMPILED", "12"))
FIRST = int(os.environ.get("TILESCOPE_FUZZ_SEED", "40000"))
ENOUGH = {Threads.ALONE: 0.8, Threads.TOGETHER: 0.5}
"""Share of them, at least, that compiled code executes."""


@pytest.mark.parametrize("threads", Threads)
@pytest.mark.timeout(1800)
def test_compiled_code_and_the_interpreter_agree(threads: Threads) -> None:
    block = programs.BLOCK if threads is Threads.ALONE else cooperation.COOPERATING_BLOCK
    compiled = read = 0
    for seed in range(FIRST, FIRST + PROGRAMS):
        text = write(threads, seed)
        try:
            kernel = lower(parse(text), programs.ENTRY)
        except Unsupported:  # because of its size
            continue
        read += 1
        arguments = programs.arguments(seed, programs.GRID * block)
        request = LaunchRequest((programs.GRID, 1, 1), (block, 1, 1), arguments, budget=Budget(60.0, 20_000_000))
        left = leave(kernel, request)
        assert left.refused != TOO_MUCH, f"seed {seed}"
        if left.refused is not None:
            continue
        compiled += 1
        for name, values in execute(kernel, request, text).values.items():
            held = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
            assert np.array_equal(held, left.arrays[name]), f"seed {seed}, {name}\n{text}"
    assert compiled >= ENOUGH[threads] * read
