"""The same threads in two executions: which of their accesses moved other values, from the first wrong one to the output.

Accesses are compared thread by thread: the n-th of a thread in one execution with its n-th in the other. Where a thread makes another
access than in the other execution, that one and all that follow count as wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kernels.analysis.clusters import Homes
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import Held, Trace, Written

_WIDEST = 16
_POISON = 0xFF


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """All accesses of all threads, in the order of `thread` and of the rows; a column each."""

    thread: Ints
    """Block's place times the lanes of a block, and the lane."""
    ordinal: Ints
    """How many accesses the thread had made before."""
    row: Ints
    lane: Ints
    site: Ints
    """Equal for one site, in every trace of the text."""
    address: Ints
    values: npt.NDArray[np.uint8]
    """What was read, or is there after a write: up to 16 bytes, then zeros. Of an atomic what was read and what was written."""

    def find(self, thread: int, ordinal: int) -> int:
        """The row of an access; -1 where the thread makes no such."""
        first, end = np.searchsorted(self.thread, [thread, thread + 1])
        return int(self.row[first + ordinal]) if 0 <= ordinal < end - first else -1


def moved(trace: Trace) -> Moved:
    """What the accesses of a trace that kept its history moved."""
    rows = trace.rows
    order, lane = np.nonzero(trace.masks[rows.mask])
    address = trace.bases[rows.base[order], lane] + rows.offset[order]
    values = np.zeros((len(order), 2 * _WIDEST), np.uint8)
    starts = np.searchsorted(order, np.arange(len(rows.site) + 1))
    memory = _Memory(trace)
    for row in range(len(rows.site)):
        some = slice(starts[row], starts[row + 1])
        memory.move(row, address[some], values[some])
    thread = rows.block[order].astype(np.int64) * trace.masks.shape[1] + lane
    placed = np.lexsort((_made(trace)[order], thread))
    thread = thread[placed]
    begins = np.flatnonzero(np.r_[True, thread[1:] != thread[:-1]]) if len(thread) else np.zeros(0, np.int64)
    ordinal = np.arange(len(thread)) - np.repeat(begins, np.diff(np.r_[begins, len(thread)]))
    sites = np.array([hash(each) for each in trace.sites], np.int64)  # which are numbered as they are met
    return Moved(thread, ordinal, order[placed], lane[placed], sites[rows.site[order[placed]]], address[placed], values[placed])


def _made(trace: Trace) -> Ints:
    """Numbers in the order in which threads made the rows' accesses, though others saw some of them only later."""
    rows, unordered = np.arange(len(trace.rows.site)), trace.unordered
    if unordered is None:
        return rows
    made, turn = 2 * rows + 1, np.zeros(len(rows), np.int64)
    made[unordered.row], turn[unordered.row] = 2 * unordered.made, np.arange(len(unordered.row))
    number = np.empty(len(rows), np.int64)
    number[np.lexsort((turn, made))] = rows
    return number


class _Memory:
    """All memory of a launch while its trace is gone through."""

    def __init__(self, trace: Trace) -> None:
        assert trace.written is not None
        self._trace, self._written = trace, trace.written
        self._place = dict(zip(trace.written.row.tolist(), range(len(trace.written.row)), strict=True))
        self._old = trace.unordered.read if trace.unordered is not None else None
        self._old_place = {} if self._old is None else dict(zip(self._old.row.tolist(), range(len(self._old.row)), strict=True))
        self._global = [
            (each.address, _begun(each.bytes, begun.held, begun.bytes))
            for each, begun in zip(trace.allocations, trace.initial, strict=True)
            if each.space is not Space.SHARED
        ]
        size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
        shared, homes = [np.full(size, _POISON, np.uint8) for _ in trace.blocks], Homes(trace)
        self._shared = [[(above, shared[home]) for home, above in homes.reached(block)] for block in range(len(trace.blocks))]

    def move(self, row: int, address: Ints, values: npt.NDArray[np.uint8]) -> None:
        """Let a row happen; what its lanes move goes into `values`."""
        trace = self._trace
        site = trace.sites[trace.rows.site[row]]
        held, old = self._held(site.bytes, row, len(address)), self._older(site.bytes, row, len(address))
        arrays = self._shared[trace.rows.block[row]] if site.space is Space.SHARED else self._global
        for start, content in arrays:
            inside = np.flatnonzero((address >= start) & (address + site.bytes <= start + len(content)))
            if not len(inside):
                continue
            place = (address[inside] - start)[:, None] + np.arange(site.bytes)
            if site.operation != "store":
                seen = content[place] if old is None else old[inside]
                values[inside, : min(site.bytes, _WIDEST)] = seen[:, :_WIDEST]
            if held is not None:
                content[place] = held[inside]
                values[inside, _WIDEST : _WIDEST + min(site.bytes, _WIDEST)] = held[inside][:, :_WIDEST]

    def _held(self, size: int, row: int, lanes: int) -> npt.NDArray[np.uint8] | None:
        number = self._place.get(row)
        if number is None:
            return None
        return _lanes(self._written, number, size, lanes)

    def _older(self, size: int, row: int, lanes: int) -> npt.NDArray[np.uint8] | None:
        """What a row read that did not read what was there."""
        number = self._old_place.get(row)
        return None if number is None or self._old is None else _lanes(self._old, number, size, lanes)


def _lanes(held: Written, number: int, size: int, lanes: int) -> npt.NDArray[np.uint8]:
    """The bytes of one row, lane by lane."""
    start = int(held.start[number])
    return held.bytes[start : start + size * lanes].reshape(lanes, size)


def _begun(size: int, held: Held, given: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint8]:
    if given is not None:
        return given[:size].copy()
    return np.full(size, _POISON if held is Held.UNDEFINED else 0, np.uint8)


@dataclass(frozen=True, slots=True)
class WrongAccess:
    """Wrong access: the lanes of a row that moved other values than in the other execution."""

    row: int
    lanes: tuple[int, ...]
    operation: str


def wrong_accesses(right: Moved, wrong: Moved, trace: Trace) -> tuple[WrongAccess, ...]:
    """The accesses of `trace`, of which `wrong` are the values, that differ from `right`: in the order of the rows."""
    width = int(max(right.ordinal.max(initial=0), wrong.ordinal.max(initial=0))) + 1
    keys, known = wrong.thread * width + wrong.ordinal, right.thread * width + right.ordinal
    place = np.minimum(np.searchsorted(known, keys), max(len(known) - 1, 0))
    same = known[place] == keys if len(known) else np.zeros(len(keys), np.bool_)
    alike = same & (right.site[place] == wrong.site) & (right.address[place] == wrong.address)
    parted = np.full(int(wrong.thread.max(initial=-1)) + 1, width, np.int64)
    np.minimum.at(parted, wrong.thread[~alike], wrong.ordinal[~alike])
    differs = (wrong.ordinal >= parted[wrong.thread]) | (alike & (right.values[place] != wrong.values).any(axis=1))
    found: dict[int, list[int]] = {}
    for row, lane in zip(wrong.row[differs].tolist(), wrong.lane[differs].tolist(), strict=True):
        found.setdefault(row, []).append(lane)
    return tuple(
        WrongAccess(row, tuple(sorted(lanes)), trace.sites[trace.rows.site[row]].operation) for row, lanes in sorted(found.items())
    )


def with_last_writes(found: tuple[WrongAccess, ...], values: Moved, trace: Trace, addresses: Sequence[int]) -> tuple[WrongAccess, ...]:
    """The wrong accesses, and the last write to each of some wrong elements, though it be of a right value: it came at the wrong time."""
    rows = {each.row: set(each.lanes) for each in found}
    writing = np.array([each.operation != "load" and each.space is not Space.SHARED for each in trace.sites], np.bool_)
    size = np.array([each.bytes for each in trace.sites], np.int64)
    chosen = np.flatnonzero(writing[trace.rows.site[values.row]])
    row, begin = values.row[chosen], values.address[chosen]
    for address in addresses:
        there = np.flatnonzero((begin <= address) & (address < begin + size[trace.rows.site[row]]))
        if len(there):
            last = there[np.argmax(row[there] * len(trace.masks[0]) + values.lane[chosen[there]])]
            rows.setdefault(int(row[last]), set()).add(int(values.lane[chosen[last]]))
    return tuple(
        WrongAccess(each, tuple(sorted(lanes)), trace.sites[trace.rows.site[each]].operation) for each, lanes in sorted(rows.items())
    )
