"""The two accesses of a race in an execution that shows it: which threads, which of their accesses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kernels.analysis.clusters import Homes
from kernels.analysis.columns import Ints
from kernels.analysis.value_chains import Moved
from kernels.base.values import dataclass
from kernels.simt.base.schedule import Thread
from kernels.simt.base.types import Location, Space
from kernels.simt.trace.trace import Finding, Trace

_MOST_PAIRS = 4096


@dataclass(frozen=True, slots=True)
class Access:
    """A thread's access: its number among the thread's own."""

    thread: Thread
    ordinal: int
    row: int


Pair = tuple[Access, Access]


class Racing:
    """Looks for the accesses of a finding in a trace, of which `moved` are all accesses thread by thread."""

    def __init__(self, trace: Trace, moved: Moved, finding: Finding) -> None:
        self._trace = trace
        self._homes = Homes(trace)
        self._moved = moved
        self._finding = finding

    def pairs(self) -> Iterator[Pair]:
        """Two accesses of different threads at the finding's lines that touch the same bytes and of which one writes: those of the
        finding's own threads first, then one of each other barrier interval."""
        trace, seen = self._trace, set[int]()
        one, other = (self._at(each) for each in (self._finding.location, self._finding.other or self._finding.location))
        told = list(self._told())
        own = [part[np.isin(self._moved.thread[part], told)] for part in (one, other)]
        for some in (own, (one, other)):
            for pair in self._meeting(*some):
                epoch = int(trace.rows.epoch[pair[0].row])
                if epoch not in seen:
                    seen.add(epoch)
                    yield pair

    def _told(self) -> Iterator[int]:
        """The threads of the finding, as `Moved` numbers them."""
        finding, trace = self._finding, self._trace
        for block, (x, y, z) in zip((finding.block, finding.other_block or finding.block), finding.threads, strict=False):
            if block in trace.blocks:
                lane = x + trace.block[0] * (y + trace.block[1] * z)
                yield trace.blocks.index(block) * trace.masks.shape[1] + lane

    def _meeting(self, one: Ints, other: Ints) -> list[Pair]:
        """Pairs of accesses, by their places in `Moved`, that race: for each of the ones the first and the last other at the same bytes,
        and those next to it."""
        mine, place = self._pieces(one)
        theirs, known = self._pieces(other)
        if not len(known) or not len(place):
            return []
        number, rows = np.unique(np.concatenate([place, known]), return_inverse=True)[1], len(self._trace.rows.site) + 1
        wanted, held = number[: len(place)] * rows, number[len(place) :] * rows
        order = np.argsort(held + self._moved.row[theirs], kind="stable")
        theirs, held = theirs[order], (held + self._moved.row[theirs])[order]
        first, last = np.searchsorted(held, wanted, "left"), np.searchsorted(held, wanted + rows, "left") - 1
        found = np.flatnonzero(last >= first)
        near = np.searchsorted(held, (wanted + self._moved.row[mine])[found])
        ends = (first[found], last[found], *(np.clip(near + step, first[found], last[found]) for step in (-1, 0, 1)))
        pairs = {(int(a), int(theirs[b])) for end in ends for a, b in zip(mine[found], end, strict=True)}
        racing = [(self._access(a), self._access(b)) for a, b in sorted(pairs)[:_MOST_PAIRS] if self._race(a, b)]
        return sorted(racing, key=lambda pair: (pair[0].row, pair[1].row))

    def _pieces(self, chosen: Ints) -> tuple[Ints, Ints]:
        """The pieces that accesses touch, of as many bytes as the smallest access moves: which access, and the piece. Those of shared
        memory are the block's."""
        trace, row = self._trace, self._moved.row[chosen]
        sizes = np.array([site.bytes for site in trace.sites], np.int64)
        shared = np.array([site.space is Space.SHARED for site in trace.sites], np.bool_)
        least = int(sizes.min(initial=16))
        count = np.maximum(sizes[trace.rows.site[row]] // least, 1)
        address = self._moved.address[chosen]
        home, own = self._homes.of(trace.rows.block[row].astype(np.int64), address)
        begin = np.where(shared[trace.rows.site[row]], own // least + ((home + 1) << 54), address // least)
        each = np.repeat(np.arange(len(chosen)), count)
        return chosen[each], begin[each] + np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)

    def _at(self, location: Location) -> Ints:
        sites = np.array(
            [(each.location.file, each.location.line) == (location.file, location.line) for each in self._trace.sites], np.bool_
        )
        return np.flatnonzero(sites[self._trace.rows.site[self._moved.row]])

    def _access(self, index: int) -> Access:
        """An access as `Moved` numbers it; that of an asynchronous copy is the one with which it was issued."""
        trace, all_moved = self._trace, self._moved
        row, thread, lanes = int(all_moved.row[index]), int(all_moved.thread[index]), trace.masks.shape[1]
        issued = -1 if trace.rows.issued is None else int(trace.rows.issued[row])
        first = int(np.searchsorted(all_moved.thread, thread))
        ordinal = int(all_moved.ordinal[index]) if issued < 0 else int(np.searchsorted(all_moved.row[first:index], issued))
        return Access(Thread(thread // lanes, thread % lanes), ordinal, row)

    def _race(self, one: int, other: int) -> bool:
        trace, rows = self._trace, (self._moved.row[one], self._moved.row[other])
        if self._moved.thread[one] == self._moved.thread[other] or all(
            trace.sites[trace.rows.site[row]].operation == "load" for row in rows
        ):
            return False
        if trace.rows.block[rows[0]] != trace.rows.block[rows[1]]:
            return True
        begin, end = zip(*map(self._interval, rows), strict=True)
        return bool(max(begin) <= min(end))

    def _interval(self, row: int) -> tuple[int, int]:
        """The barrier intervals in which a row may happen: an asynchronous copy from where it was issued."""
        rows = self._trace.rows
        issued = row if rows.issued is None or rows.issued[row] < 0 else rows.issued[row]
        return int(rows.epoch[issued]), int(rows.epoch[row])

    def updates(self, pair: Pair) -> bool:
        """Whether both threads read the element and then write it: what they do ought to happen as one."""
        rows, parts = self._trace.rows, []
        epoch = rows.epoch[pair[0].row]
        for each in pair:
            thread = each.thread.block * self._trace.masks.shape[1] + each.thread.lane
            span = np.arange(*np.searchsorted(self._moved.thread, [thread, thread + 1]))
            parts.append(self._pieces(span[rows.epoch[self._moved.row[span]] == epoch]))
        common = np.intersect1d(*(place[self._moved.row[which] == each.row] for (which, place), each in zip(parts, pair, strict=True)))
        return all(self._updated(which[np.isin(place, common)]) for which, place in parts)

    def _updated(self, chosen: Ints) -> bool:
        operations = [self._trace.sites[self._trace.rows.site[self._moved.row[index]]].operation for index in chosen.tolist()]
        return "load" in operations and "store" in operations[operations.index("load") :]
