"""Shared memory between threads and the engines that access it by themselves: tensor cores (wgmma) and copies in bulk.

What a thread writes, an engine need not see unless a `fence.proxy.async` stands between, of the thread that wrote or of the one that asks
the engine. What wgmma reads must stay as it is until its group has been waited for. And what an asynchronous update comes to has no
value to rely on before its barrier has been waited for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np

from kernels.analysis.clusters import Homes
from kernels.analysis.columns import Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import index_in
from kernels.simt.base.types import MemoryOrder, Scope, Space
from kernels.simt.base.windows import OWN_ADDRESS
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, BarrierEvent, Finding, Trace

WORD = 4
PRODUCTS, COPIES = "wgmma.", "cp.async.bulk."
UPDATES = ("cp.async.bulk.reduce.cluster.", "red.async.")


def asynchronous(trace: Trace) -> tuple[Finding, ...]:
    """What engines may see too early or too late, in the order executed."""
    updates = [each for each in trace.events if each.kind is Happening.COPY_ISSUED and each.name.startswith(UPDATES)]
    if not updates and not any(_is_read_by_engine(trace, number) for number in range(len(trace.sites))):
        return ()
    sent = _sent(trace, updates)
    return tuple(finding for block in range(len(trace.blocks)) for finding in _Block(trace, block, sent.get(block, [])).findings())


def _sent(trace: Trace, updates: list[Event]) -> dict[int, list[Event]]:
    """The updates that blocks ask for in another block's shared memory, by that block."""
    found: dict[int, list[Event]] = {}
    if updates:
        block, address = (np.array([getattr(each, name) for each in updates], np.int64) for name in ("block", "address"))
        for home, event in zip(Homes(trace).of(block, address)[0].tolist(), updates, strict=True):
            if home != event.block:
                found.setdefault(home, []).append(event)
    return found


def _is_read_by_engine(trace: Trace, number: int) -> bool:
    site = trace.sites[number]
    return site.space is Space.SHARED and site.operation == "load" and site.engine


@dataclass(slots=True)
class _Reads:
    """What the products of a warp read, in words of shared memory: not committed yet, and by group."""

    open: list[Ints] = field(default_factory=list)
    groups: list[list[Ints]] = field(default_factory=list)


class _Block:
    """Goes through what happened in one block."""

    def __init__(self, trace: Trace, block: int, sent: list[Event]) -> None:
        self._trace, self._number, self._sent = trace, block, sent
        size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0) // WORD + WORD
        self._row, self._lane, self._pending = np.full(size, -1), np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._updating = np.zeros(size, np.int64)
        """How many updates of each word have been asked for that have not come."""
        self._fenced = np.full(trace.masks.shape[1], -1)
        self._reads: dict[int, _Reads] = {}
        self._by_engine = np.array([_is_read_by_engine(trace, number) for number in range(len(trace.sites))], np.bool_)

    def findings(self) -> Iterator[Finding]:
        """What goes wrong, each pair of places once."""
        rows, trace = self._trace.rows, self._trace
        shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
        mine = np.flatnonzero((rows.block == self._number) & shared[rows.site])
        between: list[Event | BarrierEvent] = [each for each in trace.events if each.block == self._number]
        between += [each for each in trace.barriers if each.block == self._number and each.order is MemoryOrder.PROXY]
        between += self._sent
        steps: list[tuple[int, int, Event | BarrierEvent | int]] = [(each.row, 0, each) for each in between]
        steps += [(row, 1, row) for row in mine.tolist()]
        seen: set[tuple[object, object]] = set()
        for _, _, step in sorted(steps, key=lambda each: each[:2]):
            found = self._access(step) if isinstance(step, int) else self._event(step)
            if found is not None and (found.location, found.other) not in seen:
                seen.add((found.location, found.other))
                yield found

    def _event(self, event: Event | BarrierEvent) -> Finding | None:
        lanes = np.flatnonzero(self._trace.masks[event.mask])
        if isinstance(event, BarrierEvent):
            if event.scope is Scope.FENCE:
                self._fenced[lanes] = event.row
            return None
        if event.name.startswith(UPDATES) and event.kind in (Happening.COPY_ISSUED, Happening.COPY_COMPLETED):
            self._update(event)
            return None
        if event.kind is Happening.COPY_ISSUED and event.other >= 0:
            words = np.arange(event.address // WORD, (event.address + event.value) // WORD)
            return self._overwritten(words, lanes, event.row, event)
        if event.name.startswith(PRODUCTS):
            for warp in np.unique(lanes // WARP).tolist():
                self._group(self._reads.setdefault(warp, _Reads()), event)
        return None

    def _update(self, event: Event) -> None:
        """An update has been asked for, or has come, here or from here in another block."""
        if event.kind is Happening.COPY_ISSUED and event.block == self._number and event.address > OWN_ADDRESS:
            return
        first = (event.address & OWN_ADDRESS) // WORD
        self._updating[first : first + event.value // WORD] += 1 if event.kind is Happening.COPY_ISSUED else -1

    def _group(self, reads: _Reads, event: Event) -> None:
        if event.kind is Happening.GROUP_COMMITTED:
            reads.groups.append(reads.open)
            reads.open = []
        elif event.kind is Happening.GROUP_WAITED:
            done = reads.groups[: len(reads.groups) - event.value]
            reads.groups = reads.groups[len(done) :]
            for words in (each for group in done for each in group):
                np.subtract.at(self._pending, words, 1)

    def _access(self, row: int) -> Finding | None:
        rows, trace = self._trace.rows, self._trace
        site = trace.sites[rows.site[row]]
        lanes = np.flatnonzero(trace.masks[rows.mask[row]])
        first = (trace.bases[rows.base[row], lanes] + rows.offset[row]) // WORD
        width = max(1, site.bytes // WORD)
        words, lane = (first[:, None] + np.arange(width)).ravel(), np.repeat(lanes, width)
        inside = (words >= 0) & (words < len(self._row))
        words, lane = words[inside], lane[inside]
        if self._by_engine[rows.site[row]]:
            found = self._unseen(row, words, lanes)
            if site.function.startswith(PRODUCTS):
                np.add.at(self._pending, words, 1)
                for warp in np.unique(lanes // WARP).tolist():
                    self._reads.setdefault(warp, _Reads()).open.append(words[lane // WARP == warp])
            return found
        if site.operation != "atomic" and (self._updating[words] > 0).any():
            text = message("An asynchronous update of this may not have come yet: its barrier has not been waited for.")
            return self._finding(row, lane[self._updating[words] > 0][:1], text, None)
        if site.operation == "load":
            return None
        if site.function.startswith(COPIES):
            self._row[words] = -1
            return None
        self._row[words], self._lane[words] = row, lane
        return self._overwritten(words, lanes, row, None)

    def _unseen(self, row: int, words: Ints, lanes: Ints) -> Finding | None:
        """An engine reads what a thread wrote without a fence behind."""
        written, writer = self._row[words], self._lane[words]
        fence = np.maximum(self._fenced[writer], self._fenced[lanes].max(initial=-1))
        wrong = np.flatnonzero((written >= 0) & (fence <= written))
        if not len(wrong):
            return None
        first = int(written[wrong[0]])
        other = self._trace.sites[self._trace.rows.site[first]].location
        text = message(
            "This reads what line {line} wrote, by an engine of its own that sees it only behind a fence: fence.proxy.async is missing.",
            line=other.line,
        )
        return self._finding(row, np.array([lanes[0], writer[wrong[0]]]), text, first)

    def _overwritten(self, words: Ints, lanes: Ints, row: int, event: Event | None) -> Finding | None:
        """Something writes what a product still reads."""
        words = words[(words >= 0) & (words < len(self._pending))]
        if not (self._pending[words] > 0).any():
            return None
        text = message("This overwrites what wgmma may still read: its group has not been waited for (wgmma.wait_group).")
        if event is None:
            return self._finding(row, lanes[:1], text, None)
        return Finding(
            FindingKind.ASYNCHRONOUS_ACCESS,
            event.location,
            self._trace.blocks[self._number],
            self._threads(lanes[:1]),
            text,
            row=min(row, self._last),
        )

    @property
    def _last(self) -> int:
        return len(self._trace.rows.site) - 1

    def _finding(self, row: int, lanes: Ints, text: Message, other: int | None) -> Finding:
        trace = self._trace
        location = trace.sites[trace.rows.site[row]].location
        there = None if other is None else trace.sites[trace.rows.site[other]].location
        return Finding(FindingKind.ASYNCHRONOUS_ACCESS, location, trace.blocks[self._number], self._threads(lanes), text, there, row=row)

    def _threads(self, lanes: Ints) -> tuple[tuple[int, int, int], ...]:
        return tuple(index_in(self._trace.block, lane) for lane in lanes.tolist())
