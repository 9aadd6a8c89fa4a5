"""Trace of a CPU kernel: steps, the accesses of each, the loops around them, and where the tiles lie at a step."""

from __future__ import annotations

from dataclasses import field

import numpy as np
import numpy.typing as npt

from kernels.base.spec import Parameters, Problem
from kernels.base.values import dataclass

Ints = npt.NDArray[np.int32]
READ, WRITE, COPY = 0, 1, 2
"""Kinds of access. COPY: a packed copy is read; the access says where its original is."""
NOT_STARTED = np.iinfo(np.int32).min
"""Value of a loop index in `Trace.indices` while its loop is not running."""
CHUNK_FIELDS = 4


@dataclass(frozen=True, slots=True)
class Loop:
    """One `for` of the kernel, outermost first. `tile_loop` is True where it steps by more than one: over tiles."""

    name: str
    line: int
    depth: int
    tile_loop: bool


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The record of one execution. A step is one execution of one source line that touches a matrix.

    Step s has the source line `lines[s]`, the loop indices `indices[s, l]` (one column for each of `loops`) and the
    accesses `access_start[s]` to `access_start[s + 1]` (exclusive). Access a touches, of matrix `arrays[matrix[a]]`, the
    rectangle of `rows[a]` x `columns[a]` elements whose upper left corner is (`row[a]`, `column[a]`); `kind[a]` is READ, WRITE or COPY;
    `value[a]` is the value of every element of the rectangle where they are all the same (as in a single one), else NaN; then
    `values[a]`, for up to a register tile, has all of them in row-major order.
    """

    variant_id: str
    problem: Problem
    parameters: Parameters
    arrays: tuple[str, ...]
    loops: tuple[Loop, ...]
    lines: Ints
    indices: Ints
    access_start: Ints
    kind: npt.NDArray[np.uint8]
    matrix: npt.NDArray[np.uint8]
    row: Ints
    column: Ints
    rows: Ints
    columns: Ints
    value: npt.NDArray[np.float32]
    inputs: dict[str, npt.NDArray[np.float32]]
    """The input matrices that the kernel was executed on."""
    outputs: dict[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    """The output matrices after the execution; before it they were full of NaN."""
    values: dict[int, npt.NDArray[np.float32]] = field(default_factory=dict)
    products: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """How many multiplications each step does, without those of two packed copies, which the accesses tell."""
    threads: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """The thread that did each step, in a multi-threaded kernel; else empty."""
    chunks: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, CHUNK_FIELDS), np.int64))
    """What was handed out to the threads, one row a chunk in this order: thread, loop, first and last iteration (exclusive)."""
    chains: tuple[tuple[int, ...], ...] = ()
    """In a kernel that calls itself: the lines that its running functions are at, as far as the innermost that calls itself."""
    chain: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """Which of the chains each step is in; empty where nothing calls itself."""

    @property
    def steps(self) -> int:
        """How many steps the execution has."""
        return len(self.lines)


def region_depth(trace: Trace) -> int:
    """How many of the outer loops say where in the matrices the kernel works: the loops over tiles; without any, all but the inner one.

    Where a kernel calls itself, its calls say that.
    """
    tile_loops = sum(loop.tile_loop for loop in trace.loops)
    if trace.chains:
        return tile_loops
    depth = max((loop.depth + 1 for loop in trace.loops), default=0)
    return tile_loops or min(depth, max(depth - 1, 1))


def groups(trace: Trace, depth: int) -> Ints:
    """For each step its group's number, from 0 on: consecutive steps in the same iteration of all loops less than `depth` deep.

    Where a kernel calls itself they are in the same call too.
    """
    outer = [number for number, loop in enumerate(trace.loops) if loop.depth < depth]
    indices = trace.indices[:, outer]
    if not trace.steps:
        return np.zeros(0, np.int32)
    changes = (indices[1:] != indices[:-1]).any(axis=1)
    if trace.chains:
        changes |= trace.chain[1:] != trace.chain[:-1]
    return np.concatenate(([0], np.cumsum(changes))).astype(np.int32)
