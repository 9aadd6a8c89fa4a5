"""The threads of the shown block: warps and their state, where each thread is, and what it computes. Numbers and words, no picture."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np

from app.core.launch.block_grid import place, times
from app.core.launch.frame import Frame, WarpState
from app.core.launch.index import NOWHERE, LaunchIndex
from app.core.launch.index_sums import index_rules
from app.core.launch.print_rows import PRINT
from app.core.table import Table
from kernels.messages import Message, message
from kernels.simt.launch import Dim3
from kernels.simt.trace import WARP, Site
from kernels.simt.types import Scope, Space

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


def block_words(index: LaunchIndex) -> tuple[Message, ...]:
    """How many threads a block has, the longest way to say it first."""
    size, threads = times(index.trace.block), threads_of(index)
    return (
        message("Block: {size} = {threads} threads", size=size, threads=threads),
        message("Block: {size} threads", size=size),
        message("{threads} threads", threads=threads),
    )


def warp_words(index: LaunchIndex) -> Message:
    """How many warps these are."""
    threads = threads_of(index)
    if index.warps == 1:
        return message("1 warp, {lanes} of 32 lanes", lanes=threads) if threads < WARP else message("1 warp of 32 lanes")
    return message("{warps} warps of 32 lanes", warps=index.warps)


def shown_thread(frame: Frame, threads: int, chosen: int | None) -> int:
    """The thread that is told about: the one chosen, or else lane 0 of the warp that runs; of a step that prints the lane that does."""
    if chosen is not None and chosen < threads:
        return chosen
    return frame.first_thread + (int(frame.lanes.active.argmax()) if frame.site.operation == PRINT else 0)


def thread_words(index: LaunchIndex, thread: int) -> Message:
    """Which thread a lane is."""
    where = place(thread_place(index.trace.block, thread), index.trace.block)
    return message("Lane {lane} of warp {warp} is thread {place}", lane=thread % WARP, warp=thread // WARP, place=where)


class Writes(NamedTuple):
    """What a thread writes to the array that its block writes last."""

    elements: int
    """Different ones."""
    last: int | None
    """The step of the last write; None where it writes nothing."""


class ThreadFacts:
    """What is asked of a record in every frame, worked out once for each block or thread."""

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


def element_words(facts: ThreadFacts, frame: Frame, thread: int) -> Message | None:
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


def state_words(facts: ThreadFacts, frame: Frame) -> tuple[tuple[WarpState, Message], ...]:
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


def legend_words(facts: ThreadFacts, frame: Frame) -> tuple[tuple[WarpState | None, Message], ...]:
    """The same, and where lanes of the running warp take no part (None) what their hatching means."""
    active, present = lanes_used(facts.index, frame)
    hatched = active < present and frame.site.operation != PRINT
    return (*state_words(facts, frame), *(((None, message("hatched: inactive lanes")),) if hatched else ()))


def lanes_used(index: LaunchIndex, frame: Frame) -> tuple[int, int]:
    """How many lanes of the running warp take part, of how many that are threads."""
    return int(frame.lanes.active.sum()), min(WARP, threads_of(index) - frame.first_thread)


def thread_table(index: LaunchIndex, frame: Frame) -> Table:
    """One row for each thread of the block."""
    rows: list[tuple[Message | str, ...]] = []
    for thread in range(threads_of(index)):
        warp, lane = divmod(thread, WARP)
        runs = warp == frame.warp
        state = INACTIVE if runs and not frame.lanes.active[lane] else STATES[frame.warps[warp]]
        where = place(thread_place(index.trace.block, thread), index.trace.block)
        rows.append((str(warp), str(lane), where, state, element_name(index, frame.block_number, thread)))
    titles = (message("Warp"), message("Lane"), message("Thread"), message("State"), message("Element"))
    return Table(titles, tuple(rows))
