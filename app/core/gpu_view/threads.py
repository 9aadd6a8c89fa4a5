"""Threads of the shown block in numbers and words: warps and their state, where each thread is, and what it computes.

The sums of block and thread index that give row and column are found as far as the trace shows them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from app.core.base.picture_parts import Table
from app.core.gpu_view.blocks import place, times
from app.core.gpu_view.frame import Frame, WarpState
from app.core.gpu_view.index import NOWHERE, LaunchIndex
from app.core.gpu_view.print_rows import PRINT
from kernels.analysis.columns import Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import WARP, Site

AXES = "xyz"
_MOST_BLOCKS = 4
"""Blocks that a sum is tried on."""


@dataclass(frozen=True, slots=True)
class IndexSum:
    """blockIdx.`block_axis` * `size` + threadIdx.`thread_axis` is `name`: "row" or "col" of the element written, in `matrix`, or "x", "y"
    or "z" of the grid."""

    name: str
    block_axis: str
    size: int
    thread_axis: str
    matrix: str
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
    def words(self) -> Message:
        """What the sum is. Not what the source calls it: there `row` may be the row of another matrix."""
        return message("row of {matrix}", matrix=self.matrix) if self.name == "row" else message("column of {matrix}", matrix=self.matrix)

    @property
    def numbers(self) -> str:
        return f"{self.block}·{self.size} + {self.thread}"

    @property
    def place(self) -> Message | None:
        """Where the thread is among all threads of the grid; None where the sum is of the element. A kernel may use x, y and z for else."""
        return PLACES[self.name](self.value) if self.name in PLACES else None


PLACES: dict[str, Callable[[int], Message]] = {
    "x": lambda value: message("Place in the grid: column {number}", number=value),
    "y": lambda value: message("Place in the grid: row {number}", number=value),
    "z": lambda value: message("Place in the grid: layer {number}", number=value),
}

Rule = tuple[str, str, int, str, str]
"""`IndexSum` without the numbers of a block and a thread."""


def index_sums(rules: tuple[Rule, ...], block: Dim3, thread: Dim3) -> tuple[IndexSum, ...]:
    """The sums of one thread of one block."""
    return tuple(IndexSum(*rule, block[AXES.index(rule[1])], thread[AXES.index(rule[3])]) for rule in rules)


def index_rules(index: LaunchIndex) -> tuple[Rule, ...]:
    """The sums of row and column if the elements that the threads write follow them in every block that is tried, else the place of the
    thread in the whole grid along each axis that has more than one thread."""
    trace = index.trace
    extents = [trace.grid[axis] * trace.block[axis] for axis in range(3)]
    places = tuple((name, name, trace.block[axis], name, "") for axis, name in enumerate(AXES) if extents[axis] > 1)
    return _element_rules(index) or places


def _element_rules(index: LaunchIndex) -> tuple[Rule, ...]:
    """The only pair of sums that gives row and column; nothing where none does, or where several do."""
    allocation, _ = index.outputs(0)
    role = index.roles.get(allocation)
    if role is None:
        return ()
    tried = dict.fromkeys((*range(min(_MOST_BLOCKS, len(index.trace.blocks))), len(index.trace.blocks) - 1))
    found, matrix = [], index.trace.allocations[allocation].name
    for name in ("row", "col"):
        fitting = [rule for rule in _candidates(index, name, matrix) if all(_fits(index, rule, role.columns, block) for block in tried)]
        if len(fitting) != 1:
            return ()
        found += fitting
    return tuple(found)


def _candidates(index: LaunchIndex, name: str, matrix: str) -> list[Rule]:
    """An axis along which there is one block, or one thread, can be in no sum: nothing would tell it from another."""
    grid, block = index.trace.grid, index.trace.block
    pairs = [(b, t) for b, t in product(range(3), range(3)) if grid[b] > 1 and block[t] > 1]
    return list(dict.fromkeys((name, AXES[b], size, AXES[t], matrix) for b, t in pairs for size in (block[b], block[t])))


def _fits(index: LaunchIndex, rule: Rule, columns: int, block: int) -> bool:
    """Whether each thread of the block that writes an element writes one in this row or column."""
    name, block_axis, size, thread_axis, _ = rule
    _, elements = index.outputs(block)
    threads = np.flatnonzero(elements != NOWHERE)
    place = index.trace.blocks[block][AXES.index(block_axis)] * size + thread_axes(index.trace.block, threads)[AXES.index(thread_axis)]
    written = elements[threads] // columns if name == "row" else elements[threads] % columns
    return bool((written == place).all())


def thread_axes(block: Dim3, numbers: Ints) -> tuple[Ints, ...]:
    """The indices along x, y and z of threads given by number."""
    return numbers % block[0], numbers // block[0] % block[1], numbers // (block[0] * block[1])


STATES = {
    WarpState.RUNNING: message("runs"),
    WarpState.BEHIND: message("not yet there"),
    WarpState.DONE: message("finished"),
    WarpState.WAITING: message("waits at the barrier"),
    WarpState.IDLE: message("takes no part"),
}
INACTIVE = message("inactive")


def threads_of(index: LaunchIndex) -> int:
    """Threads of a block."""
    return prod(index.trace.block)


def thread_place(block: Dim3, number: int) -> Dim3:
    """The index (x, y, z) of a thread in its block: x counts first."""
    return number % block[0], number // block[0] % block[1], number // (block[0] * block[1])


def block_text(index: LaunchIndex) -> tuple[Message, ...]:
    """How many threads a block has, the longest way to say it first."""
    size, threads = times(index.trace.block), threads_of(index)
    return (
        message("Block: {size} = {threads} threads", size=size, threads=threads),
        message("Block: {size} threads", size=size),
        message("{threads} threads", threads=threads),
    )


def warp_text(index: LaunchIndex) -> Message:
    """Return how many warps these are."""
    threads = threads_of(index)
    if index.warps == 1:
        return message("1 warp, {lanes} of 32 lanes", lanes=threads) if threads < WARP else message("1 warp of 32 lanes")
    return message("{warps} warps of 32 lanes", warps=index.warps)


def shown_thread(frame: Frame, threads: int, chosen: int | None) -> int:
    """The thread that is told about: the one chosen, or else lane 0 of the warp that runs; of a step that prints the lane that does."""
    if chosen is not None and chosen < threads:
        return chosen
    return frame.first_thread + (int(frame.lanes.active.argmax()) if frame.site.operation == PRINT else 0)


def thread_text(index: LaunchIndex, thread: int) -> Message:
    """Return which thread a lane is."""
    where = place(thread_place(index.trace.block, thread), index.trace.block)
    return message("Lane {lane} of warp {warp} is thread {place}", lane=thread % WARP, warp=thread // WARP, place=where)


class Writes(NamedTuple):
    """Writes of a thread to the array that its block writes last."""

    elements: int
    """Different ones."""
    last: int | None
    """The step of the last write; None where it writes nothing."""


class ThreadQueries:
    """Answers about the threads of a record that every frame asks for, worked out once for each block or thread."""

    def __init__(self, index: LaunchIndex) -> None:
        self.index = index
        self.rules = index_rules(index)
        self.writes = lru_cache(maxsize=256)(self._writes)
        """(block, thread): what the thread writes in global memory."""
        self.barriers = lru_cache(maxsize=16)(self._barriers)
        """(block): the lines of the barriers that end its intervals, in order."""

    def barrier_line(self, frame: Frame) -> int | None:
        """The line of the barrier that ends the present interval; None where none does."""
        lines = self.barriers(frame.block_number)
        return lines[frame.band.epoch] if frame.band.epoch < len(lines) else None

    def _writes(self, block: int, thread: int) -> Writes:
        trace, rows = self.index.trace, self.index.trace.rows
        target, _ = self.index.outputs(block)
        if target == NOWHERE:
            return Writes(0, None)
        stores = np.array([_reaches(site, target) for site in trace.sites], np.bool_)
        own = np.flatnonzero((rows.block == block) & stores[rows.site])
        own = own[trace.masks[rows.mask[own], thread]]
        array = trace.allocations[target]
        place = trace.bases[rows.base[own], thread] + rows.offset[own] - array.address
        span = self.index.spans(own, target)
        inside = (place >= 0) & (place < array.bytes)
        first, span, own = place[inside] // array.element_bytes, span[inside], own[inside]
        elements = np.concatenate([first[span > each] + each for each in range(int(span.max(initial=0)))] or [first])
        last = int(self.index.record.order.rank[own[-1], thread // WARP]) if len(own) else None
        return Writes(len(np.unique(elements)), last)

    def _barriers(self, block: int) -> tuple[int, ...]:
        events = self.index.trace.barriers
        return tuple(event.location.line for event in events if event.block == block and event.scope is Scope.BLOCK)


def element_text(facts: ThreadQueries, frame: Frame, thread: int) -> Message | None:
    """Which element the thread writes, or has written; None where no thread writes to global memory."""
    name = element_name(facts.index, frame.block_number, thread)
    if not name:
        return message("It writes no element.") if facts.index.outputs(frame.block_number)[0] != NOWHERE else None
    count, last = facts.writes(frame.block_number, thread)
    done = last is not None and last < frame.moment
    if count > 1:
        several = (
            message("It has written {count} elements, last {element}", count=count, element=name),
            message("It will write {count} elements, last {element}", count=count, element=name),
        )
        return several[not done]
    return message("It has written {element}", element=name) if done else message("It will write {element}", element=name)


def element_name(index: LaunchIndex, block: int, thread: int) -> str:
    """The element that a thread writes last, as one writes it: by row and column where the array is a matrix. "" where it writes none."""
    allocation, elements = index.outputs(block)
    if allocation == NOWHERE or elements[thread] == NOWHERE:
        return ""
    element, role = int(elements[thread]), index.roles.get(allocation)
    name = index.trace.allocations[allocation].name
    return f"{name}[{element}]" if role is None else f"{name}[{element // role.columns}][{element % role.columns}]"


def _reaches(site: Site, allocation: int) -> bool:
    """Whether a site writes to global memory and can reach the array."""
    return site.space is Space.GLOBAL and site.operation != "load" and site.allocation in (NOWHERE, allocation)


def state_text(facts: ThreadQueries, frame: Frame) -> tuple[tuple[WarpState, Message], ...]:
    """What the marks at the warps mean, of those states that occur."""
    present = set(frame.warps)
    words = dict(STATES)
    printing = frame.site.operation == PRINT
    words[WarpState.RUNNING] = message("prints, line {line}", line=frame.line) if printing else message("runs line {line}", line=frame.line)
    line = facts.barrier_line(frame) if WarpState.WAITING in present else None
    if line is not None:
        words[WarpState.WAITING] = message("waits at the barrier, line {line}", line=line)
    words[WarpState.BEHIND] = message("no mark: not yet there")
    return tuple((state, words[state]) for state in words if state in present)


def legend_text(facts: ThreadQueries, frame: Frame) -> tuple[tuple[WarpState | None, Message], ...]:
    """Return the state words, and where lanes of the running warp take no part (None) what their hatching means."""
    active, present = lanes_used(facts.index, frame)
    hatched = active < present and frame.site.operation != PRINT
    return (*state_text(facts, frame), *(((None, message("hatched: inactive lanes")),) if hatched else ()))


def lanes_used(index: LaunchIndex, frame: Frame) -> tuple[int, int]:
    """How many lanes of the running warp take part, of how many that are threads."""
    return int(frame.lanes.active.sum()), min(WARP, threads_of(index) - frame.first_thread)


def thread_table(index: LaunchIndex, frame: Frame) -> Table:
    """Return a table with one row for each thread of the block."""
    rows: list[tuple[Message | str, ...]] = []
    for thread in range(threads_of(index)):
        warp, lane = divmod(thread, WARP)
        runs = warp == frame.warp
        state = INACTIVE if runs and not frame.lanes.active[lane] else STATES[frame.warps[warp]]
        where = place(thread_place(index.trace.block, thread), index.trace.block)
        rows.append((str(warp), str(lane), where, state, element_name(index, frame.block_number, thread)))
    titles = (message("Warp"), message("Lane"), message("Thread"), message("State"), message("Element"))
    return Table(titles, tuple(rows))
