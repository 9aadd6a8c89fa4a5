"""One random program through everything that can execute it: all must write the same bits."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kernels.simt.base.launch import Budget, LaunchRequest, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from tests.oracle import launch as oracle
from tests.oracle.programs import BLOCK, ENTRY, GRID
from tests.oracle.walker import TooLong

Arrays = Mapping[str, npt.NDArray[np.generic]]
MODES = tuple(Mode)
WRITTEN = ("scratch", "out")
WALK = 60_000
"""Statements of all threads: more than most programs have."""
BUDGET = Budget(seconds=60.0, rows=20_000_000)


def agree(
    text: str,
    arguments: Mapping[str, npt.NDArray[np.generic] | int],
    expected: Arrays | None = None,
    modes: Sequence[Mode] = MODES,
    walk: bool = True,
    block: int = BLOCK,
    seed: int = 0,
) -> None:
    """Fails where two ways of executing the program differ, or where one finds something wrong with it.

    `expected` is what g++ made of it. `walk`: the oracle executes it too, unless that takes too long, and only its last block is compared.
    """
    kernel = lower(parse(text), ENTRY)
    results = {mode.value: executed(kernel, arguments, mode, block, seed, text) for mode in modes}
    if expected is not None:
        results["g++"] = expected
    if walk:
        with contextlib.suppress(TooLong):
            last = [(GRID - 1, 0, 0)]
            results["oracle"] = oracle.run(kernel, (GRID, 1, 1), (block, 1, 1), arguments, blocks=last, most_statements=WALK)
    for name in WRITTEN:
        parts = {way: np.array_split(result[name], GRID)[-1 if "oracle" in results else 0 :] for way, result in results.items()}
        for (one, first), (other, second) in pairwise(parts.items()):
            a, b = np.concatenate(first), np.concatenate(second)
            at = np.flatnonzero(a != b)[:4].tolist()
            assert not at, f"{name}{at} is {a[at]} by {one}, {b[at]} by {other} in\n{text}"


def executed(
    kernel: Kernel, arguments: Mapping[str, npt.NDArray[np.generic] | int], mode: Mode, block: int, seed: int, text: str
) -> Arrays:
    """What generated code leaves in the arrays."""
    request = LaunchRequest((GRID, 1, 1), (block, 1, 1), arguments, mode=mode, seed=seed, budget=BUDGET)
    trace = execute(kernel, request)
    assert trace.findings == (), f"{[str(each.message) for each in trace.findings]} in\n{text}"
    return {name: trace.values[name].view(value.dtype) for name, value in arguments.items() if isinstance(value, np.ndarray)}
