"""Records of a run's launches, kept until the program has ended: data races are looked for in them when nobody waits for its output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kernels.base.values import dataclass
from kernels.simt.trace.trace import Trace

ROOM = 256 << 20
"""Bytes of all records that are kept."""
EVENT_BYTES = 200
"""Of a barrier, or of what happened besides accesses."""


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """Record of the launch of this number: one trace of it all, or one each of the blocks that stand for the others."""

    launch: int
    traces: tuple[Trace, ...]


class Records:
    """As many as there is room for. The first of each kind of launch goes before the others of that kind."""

    def __init__(self, room: int = ROOM) -> None:
        self._left = room
        self._firsts: dict[object, Record] = {}
        self._others: list[Record] = []

    def keep(self, launch: int, kind: object, traces: Sequence[Trace]) -> None:
        """Keep a launch's record, those left out that ended early: what did not happen orders nothing."""
        whole = tuple(trace for trace in traces if all(each.kind != "budget-exceeded" for each in trace.findings))
        if not whole:
            return
        record, first = Record(launch, whole), kind not in self._firsts
        while first and _size(record) > self._left and self._others:
            self._left += _size(self._others.pop())
        if _size(record) > self._left:
            return
        self._left -= _size(record)
        if first:
            self._firsts[kind] = record
        else:
            self._others.append(record)

    def __iter__(self) -> Iterator[Record]:
        """The first of each kind, then the others, each in the order of their launches; those that there are now, as a program that was
        stopped may go on."""
        yield from (*self._firsts.values(), *self._others)


def _size(record: Record) -> int:
    """The bytes of a record, about."""
    return sum(_bytes(each) for each in record.traces)


def _bytes(trace: Trace) -> int:
    rows = trace.rows
    columns = (rows.site, rows.mask, rows.base, rows.offset, rows.epoch, rows.warp_epoch, rows.block, rows.changed, rows.lost, rows.issued)
    arrays = [each for each in (*columns, trace.masks, trace.bases) if each is not None]
    if rows.updates is not None:
        arrays += [rows.updates.row, rows.updates.start, rows.updates.before, rows.updates.after]
    return sum(each.nbytes for each in arrays) + EVENT_BYTES * (len(trace.barriers) + len(trace.events))
