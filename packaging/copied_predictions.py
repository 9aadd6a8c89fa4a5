"""All that a prediction and the caches of a kernel need, imported and used once: copies of a process that has imported this answer at once.

The machine code of no kernel is asked for: the compiler of the GPU's texts is loaded by each process for itself.
"""

from __future__ import annotations

import contextlib

import numpy as np

from app.core.predictions.recorded_counters import recorded_counters, recorded_results
from app.core.session.session import DEFAULT_PROFILE
from kernels.base.spec import Operation, Problem
from kernels.cachesim.count import count
from kernels.cachesim.history import history
from kernels.cachesim.presets import SCALED, preset
from kernels.catalogue.catalogue import by_id
from kernels.compiled.control import Control
from kernels.compiled.listing import Instruction
from kernels.compiled.multiprocessor import Costs, cycles_of


def use() -> None:
    """Read what was recorded; have numba load what it compiled, or compile it, of the multiprocessor model and of the caches."""
    recorded_counters(DEFAULT_PROFILE)
    recorded_results(DEFAULT_PROFILE)
    free = Control(1, yields=False, write_barrier=None, read_barrier=None, waits=())
    cycles_of([Instruction(0, 1, "", "FFMA", "R0, R1, R2, R3", None, free)], 1, 1, 1, Costs(*np.ones(len(Costs._fields)).tolist()))
    blocked = by_id("cpu.blocked")
    for ask in (count, history):
        ask(blocked, Problem.square(Operation.MATMUL, 8), blocked.defaults, preset(SCALED))


with contextlib.suppress(Exception):
    use()
