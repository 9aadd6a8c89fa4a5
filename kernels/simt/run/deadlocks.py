"""Loops that never end because every thread that could end them waits itself, or has ended: who waits for whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import index_in
from kernels.simt.base.types import Location, Space
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, Finding, Trace

_THREADS_TOLD = 31


@dataclass(frozen=True, slots=True, eq=False)
class Wait:
    """Threads of a block that wait: in a loop, from which they would go on `behind`, or at a barrier (then None). `others` are threads of
    their warp that are elsewhere. Both by place in the block."""

    block: int
    threads: tuple[int, ...]
    others: tuple[int, ...]
    location: Location
    behind: Location | None


@dataclass(frozen=True, slots=True)
class _Partner:
    """Who could end a loop: some threads of a block, and where they stand."""

    block: int
    thread: int
    location: Location
    text: Message


def deadlocks(trace: Trace, waits: Sequence[Wait], room: int | None) -> tuple[Finding, ...]:
    """A finding for each loop that threads wait in, and for each place where those wait who could end it. `room`: how many blocks a GPU
    holds at once, where others had not begun."""
    found: dict[tuple[Location, Location | None], Finding] = {}
    for wait in waits:
        if wait.behind is None:
            continue
        partner = _Search(trace, waits, wait, room).partner()
        key = wait.location, None if partner is None else partner.location
        first = found.get(key)
        found[key] = _finding(trace, wait, partner) if first is None else replace(first, count=first.count + 1)
    told = {location for location, partner in found if partner is not None}
    return tuple(finding for (location, partner), finding in found.items() if partner is not None or location not in told)


def _finding(trace: Trace, wait: Wait, partner: _Partner | None) -> Finding:
    told = wait.threads[:_THREADS_TOLD] if partner is None else wait.threads[:1]
    threads = [index_in(trace.block, lane) for lane in told]
    block = trace.blocks[wait.block]
    if partner is None:
        text = message("This loop never ends: no other thread is left that could end it.")
        return Finding(FindingKind.DEADLOCK, wait.location, block, tuple(threads), text)
    threads.append(index_in(trace.block, partner.thread))
    elsewhere = trace.blocks[partner.block] if partner.block != wait.block else None
    return Finding(FindingKind.DEADLOCK, wait.location, block, tuple(threads), partner.text, partner.location, elsewhere)


class _Search:
    """Looks for who could end one wait: who last wrote what it reads, else who waits at a barrier, else who waits elsewhere, or ended."""

    def __init__(self, trace: Trace, waits: Sequence[Wait], wait: Wait, room: int | None) -> None:
        self._trace = trace
        self._waits = waits
        self._wait = wait
        self._room = room
        self._last = self._last_row(wait)

    def _last_row(self, wait: Wait) -> int:
        """The last access by threads that wait; -1 for none."""
        trace, mine = self._trace, list(wait.threads)
        rows = np.flatnonzero((trace.rows.block == wait.block) & trace.masks[trace.rows.mask][:, mine].any(axis=1))
        return int(rows[-1]) if len(rows) else -1

    def _place(self, wait: Wait) -> tuple[Space, int] | None:
        """Where threads in a loop last accessed memory."""
        trace, row = self._trace, self._last_row(wait)
        if row < 0 or wait.behind is None:
            return None
        mine = list(wait.threads)
        lane = mine[int(np.argmax(trace.masks[trace.rows.mask[row], mine]))]
        return trace.sites[trace.rows.site[row]].space, int(trace.bases[trace.rows.base[row], lane] + trace.rows.offset[row])

    def partner(self) -> _Partner | None:
        """The first that is found."""
        return self._own_warp() or self._writer() or self._waiting() or self._not_begun() or self._ended()

    def _own_warp(self) -> _Partner | None:
        """Threads of the same warp that have left the loop: they go on only with those that are in it."""
        wait, rows = self._wait, self._trace.rows
        if self._last < 0 or not wait.others:
            return None
        same = np.flatnonzero((rows.site == rows.site[self._last]) & (rows.block == wait.block))
        left = [lane for lane in wait.others if self._trace.masks[rows.mask[same], lane].any()]
        if not left:
            return None
        assert wait.behind is not None
        text = message(
            "This loop never ends: threads of the same warp have left it, and could end it from line {line} on, but wait there for those"
            " that spin. GPUs before Volta stop here; later ones let single threads go on, in no promised order.",
            line=wait.behind.line,
        )  # fmt: skip
        return _Partner(wait.block, left[0], wait.behind, text)

    def _writer(self) -> _Partner | None:
        """Who last wrote where the loop reads, and does not wait for the same place."""
        trace, rows, place = self._trace, self._trace.rows, self._place(self._wait)
        if place is None:
            return None
        space, address = place
        writing = np.array([each.operation != "load" and each.space is space for each in trace.sites], np.bool_)
        here = rows.block == self._wait.block
        candidates = np.flatnonzero(writing[rows.site] & (here if space is Space.SHARED else True))
        for row in candidates[::-1].tolist():
            lanes = trace.masks[rows.mask[row]] & (trace.bases[rows.base[row]] + rows.offset[row] == address)
            for lane in np.flatnonzero(lanes).tolist():
                stands = self._stands(int(rows.block[row]), lane)
                if stands is None or self._place(stands) != place:
                    return self._told(int(rows.block[row]), lane, stands)
        return None

    def _waiting(self) -> _Partner | None:
        """Who waits at a barrier of the same block, else who waits elsewhere."""
        wait = self._wait
        at_barrier = (each for each in self._waits if each.behind is None and each.block == wait.block)
        elsewhere = (each for each in self._waits if each.location != wait.location)
        for each in (*at_barrier, *elsewhere):
            return self._told(each.block, each.threads[0], each)
        return None

    def _not_begun(self) -> _Partner | None:
        if self._room is None:
            return None
        text = message(
            "This loop never ends: it waits for blocks that have not begun. A GPU has room for {limit} of these blocks at once, and none of"
            " them ends.",
            limit=self._room,
        )  # fmt: skip
        return _Partner(self._wait.block, self._wait.threads[0], self._wait.location, text)

    def _ended(self) -> _Partner | None:
        """A thread that has ended, of the same block if there is one, else of the last."""
        trace = self._trace
        threads = int(np.prod(trace.block))
        for block in (self._wait.block, *reversed(range(len(trace.blocks)))):
            waiting = {lane for each in self._waits if each.block == block for lane in (*each.threads, *each.others)}
            ended = next((lane for lane in range(threads) if lane not in waiting), None)
            if ended is not None:
                return self._told(block, ended, None)
        return None

    def _stands(self, block: int, lane: int) -> Wait | None:
        return next((each for each in self._waits if each.block == block and lane in (*each.threads, *each.others)), None)

    def _told(self, block: int, lane: int, stands: Wait | None) -> _Partner:
        """A partner in words: the thread that could end the loop, by its warp."""
        location = self._last_line(block, lane) if stands is None else stands.location
        if stands is None:
            where = message("has ended after line {line}", line=location.line)
        elif stands.behind is None:
            where = message("waits at the barrier of line {line}", line=location.line)
        else:
            where = message("itself waits in the loop of line {line}", line=location.line)
        text = message(
            "This loop never ends: warp {warp} of block {block}, which could end it, {where}.",
            warp=lane // WARP, block=str(self._trace.blocks[block]), where=where,
        )  # fmt: skip
        return _Partner(block, lane, location, text)

    def _last_line(self, block: int, lane: int) -> Location:
        """Where a thread that has ended last accessed memory."""
        trace = self._trace
        rows = np.flatnonzero((trace.rows.block == block) & trace.masks[trace.rows.mask, lane])
        return trace.sites[trace.rows.site[rows[-1]]].location if len(rows) else self._wait.location
