"""How a thread comes to its element: the sums of block and thread index that give row and column, as far as the trace shows them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from app.core.launch.index import NOWHERE, LaunchIndex
from kernels.analysis.cases import Ints
from kernels.simt.launch import Dim3

AXES = "xyz"
_MOST_BLOCKS = 4
"""Blocks that a sum is tried on."""


@dataclass(frozen=True, slots=True)
class IndexSum:
    """`name` = blockIdx.`block_axis` * `size` + threadIdx.`thread_axis`; `name` is "row" or "col" of the element, or "x", "y" or "z"."""

    name: str
    block_axis: str
    size: int
    thread_axis: str
    block: int
    thread: int

    @property
    def value(self) -> int:
        return self.block * self.size + self.thread

    @property
    def names(self) -> str:
        """The left sum, as a kernel writes it."""
        return f"blockIdx.{self.block_axis}·{self.size} + threadIdx.{self.thread_axis}"

    @property
    def numbers(self) -> str:
        return f"{self.block}·{self.size} + {self.thread}"


Rule = tuple[str, str, int, str]
"""`IndexSum` without the numbers of a block and a thread."""


def index_sums(rules: tuple[Rule, ...], block: Dim3, thread: Dim3) -> tuple[IndexSum, ...]:
    """The sums of one thread of one block."""
    return tuple(IndexSum(*rule, block[AXES.index(rule[1])], thread[AXES.index(rule[3])]) for rule in rules)


def index_rules(index: LaunchIndex) -> tuple[Rule, ...]:
    """The sums of row and column if the elements that the threads write follow them in every block that is tried, else the place of the
    thread in the whole grid along each axis that has more than one thread."""
    trace = index.trace
    extents = [trace.grid[axis] * trace.block[axis] for axis in range(3)]
    places = tuple((name, name, trace.block[axis], name) for axis, name in enumerate(AXES) if extents[axis] > 1)
    return _element_rules(index) or places


def _element_rules(index: LaunchIndex) -> tuple[Rule, ...]:
    """The only pair of sums that gives row and column; nothing where none does, or where several do."""
    allocation, _ = index.outputs(0)
    role = index.roles.get(allocation)
    if role is None:
        return ()
    tried = dict.fromkeys((*range(min(_MOST_BLOCKS, len(index.trace.blocks))), len(index.trace.blocks) - 1))
    found = []
    for name in ("row", "col"):
        fitting = [rule for rule in _candidates(index, name) if all(_fits(index, rule, role.columns, block) for block in tried)]
        if len(fitting) != 1:
            return ()
        found += fitting
    return tuple(found)


def _candidates(index: LaunchIndex, name: str) -> list[Rule]:
    """An axis along which there is one block, or one thread, can be in no sum: nothing would tell it from another."""
    grid, block = index.trace.grid, index.trace.block
    pairs = [(b, t) for b, t in product(range(3), range(3)) if grid[b] > 1 and block[t] > 1]
    return list(dict.fromkeys((name, AXES[b], size, AXES[t]) for b, t in pairs for size in (block[b], block[t])))


def _fits(index: LaunchIndex, rule: Rule, columns: int, block: int) -> bool:
    """Whether each thread of the block that writes an element writes one in this row or column."""
    name, block_axis, size, thread_axis = rule
    _, elements = index.outputs(block)
    threads = np.flatnonzero(elements != NOWHERE)
    place = index.trace.blocks[block][AXES.index(block_axis)] * size + thread_axes(index.trace.block, threads)[AXES.index(thread_axis)]
    written = elements[threads] // columns if name == "row" else elements[threads] % columns
    return bool((written == place).all())


def thread_axes(block: Dim3, numbers: Ints) -> tuple[Ints, ...]:
    """The indices along x, y and z of threads given by number."""
    return numbers % block[0], numbers // block[0] % block[1], numbers // (block[0] * block[1])
