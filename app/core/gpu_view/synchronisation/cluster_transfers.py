"""What goes between the blocks of a cluster: copies in bulk to one or several of them, accesses of other blocks' shared memory, and the
waits at the cluster's barrier, in steps of the timeline."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import StrEnum
from math import prod

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.tracks import step_of
from kernels.analysis.columns import Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.base.windows import OWN_ADDRESS, RANK_SHIFT
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import Allocation

_BULK = "cp.async.bulk"
Span = tuple[int, int]
"""First byte and end."""


class Way(StrEnum):
    """Way of a transfer: by the copy engine, or by threads of another block."""

    COPY = "copy"
    """The copy engine brings it from global memory or a block's shared memory, or a thread has sent it out of registers."""
    READ = "read"
    WRITE = "write"
    UPDATE = "update"
    """Threads read, write or update it in another block."""


_WAYS = {"load": Way.READ, "store": Way.WRITE, "atomic": Way.UPDATE}


@dataclass(frozen=True, slots=True)
class Transfer:
    """Transfer that block `sender` asked for at step `start`; blocks are ranks. It is there in `receivers[i]` from step `stops[i]` on (of
    a READ: these are the blocks that are read). All find it at the same `address` of their shared memory."""

    way: Way
    sender: int
    receivers: tuple[int, ...]
    start: int
    stops: tuple[int, ...]
    address: int
    bytes: int
    line: int
    source: str
    """The part of an array in global memory that was read; "" where none was."""

    @property
    def stop(self) -> int:
        """The step from which on it is everywhere."""
        return max(self.stops)

    def coming(self, rank: int, step: int) -> bool:
        """Whether it is on its way to a block during a step."""
        return self.start <= step < self.stops[self.receivers.index(rank)]


@dataclass(frozen=True, slots=True)
class Wait:
    """Time that a block waits at the cluster's barrier: from its first arrival in a phase until all threads of the cluster have arrived."""

    phase: int
    start: int
    stop: int


def transfers_of(index: LaunchIndex, members: tuple[int, ...]) -> tuple[Transfer, ...]:
    """All transfers of a cluster in the order of their beginning; `members` are its blocks in the trace, by rank."""
    found = [*_copies(index, members), *_accesses(index, members)]
    return tuple(sorted(found, key=lambda each: (each.start, each.sender, each.address)))


def places_of(transfers: Iterable[Transfer]) -> tuple[Span, ...]:
    """The parts of shared memory that transfers touch, in order: those of copies as they are, of threads what lies together."""
    spans = {(each.address, each.address + each.bytes) for each in transfers if each.way is Way.COPY}
    lines: dict[int, set[Span]] = {}
    for each in transfers:
        if each.way is not Way.COPY:
            lines.setdefault(each.line, set()).add((each.address, each.address + each.bytes))
    for own in lines.values():
        spans |= set(_merged(own, touching=True))
    return tuple(_merged(spans, touching=False))


def place_number(places: tuple[Span, ...], address: int) -> int:
    """The number of the place in which an address lies, or before which it would."""
    return max(bisect_right(places, (address, 1 << 62)) - 1, 0)


def waits_of(index: LaunchIndex, members: tuple[int, ...]) -> tuple[tuple[Wait, ...], ...]:
    """The waits of each block at the cluster's barrier, from where the last of its threads has arrived: others work on until then."""
    arrived, last, threads = dict[tuple[int, int], int](), dict[int, int](), dict[int, int]()
    for event in index.trace.events:
        if event.kind is Happening.CLUSTER_ARRIVED and event.block in members:
            step = step_of(index, event) + 1
            arrived[event.block, event.value] = max(arrived.get((event.block, event.value), 0), step)
            last[event.value] = max(last.get(event.value, 0), step)
            threads[event.value] = threads.get(event.value, 0) + int(index.trace.masks[event.mask].sum())
    needed = prod(index.trace.block) * len(members)
    stops = {phase: step if threads[phase] >= needed else index.steps for phase, step in last.items()}
    waits = [(block, Wait(phase, start, stops[phase])) for (block, phase), start in arrived.items() if start < stops[phase]]
    return tuple(tuple(wait for block, wait in waits if block == member) for member in members)


def _merged(spans: Iterable[Span], *, touching: bool) -> Iterator[Span]:
    """Spans that overlap, or also those that touch, as one."""
    start, stop = -1, -1
    for first, end in sorted(spans):
        if first < stop or (touching and first == stop):
            stop = max(stop, end)
            continue
        if stop > start:
            yield start, stop
        start, stop = first, end
    if stop > start:
        yield start, stop


# ------------------------------------------------------------ copies


def _copies(index: LaunchIndex, members: tuple[int, ...]) -> list[Transfer]:
    """The copies into shared memory; those of one instruction to one place of several blocks are one."""
    done = _completions(index, members)
    issued: dict[tuple[int, ...], list[Event]] = {}
    for event in index.trace.events:
        if event.kind is Happening.COPY_ISSUED and event.other >= 0 and event.block in members:
            key = event.block, event.row, event.mask, event.address & OWN_ADDRESS, event.value
            issued.setdefault(key, []).append(event)
    found = []
    for events in issued.values():
        event, sender = events[0], members.index(events[0].block)
        receivers = tuple(sorted((each.address >> RANK_SHIFT) - 1 if each.address >> RANK_SHIFT else sender for each in events))
        rows = _read_rows(index, event)
        start = int(index.record.order.rank[rows[0]].max()) if rows else step_of(index, event)
        stops = tuple(_arrival(index, done, sender, each, event, start) for each in receivers)
        address = event.address & OWN_ADDRESS
        found.append(Transfer(Way.COPY, sender, receivers, start, stops, address, event.value, event.location.line, _source(index, rows)))
    return found


def _completions(index: LaunchIndex, members: tuple[int, ...]) -> dict[tuple[int, int, int], list[Event]]:
    """The ends of copies by sender, receiver and address, in order."""
    found: dict[tuple[int, int, int], list[Event]] = {}
    for event in index.trace.events:
        if event.kind is Happening.COPY_COMPLETED and event.block in members:
            receiver = members.index(event.block)
            found.setdefault((event.other if event.other >= 0 else receiver, receiver, event.address), []).append(event)
    return found


def _arrival(
    index: LaunchIndex, done: dict[tuple[int, int, int], list[Event]], sender: int, receiver: int, issued: Event, start: int
) -> int:
    """The step from which on a copy is there: that after its end; of one that nobody waits for, the last one."""
    ends = done.get((sender, receiver, issued.address & OWN_ADDRESS), [])
    end = next((each for each in ends if each.row >= issued.row), None)
    if end is None:
        return index.steps
    ends.remove(end)
    return max(step_of(index, end), start) + 1


def _read_rows(index: LaunchIndex, event: Event) -> list[int]:
    """The rows that read for a copy: those just before it."""
    rows, sites, found, size = index.trace.rows, index.trace.sites, list[int](), 0
    for row in range(event.row - 1, -1, -1):
        site = sites[rows.site[row]]
        reads = site.space in (Space.GLOBAL, Space.SHARED) and site.operation == "load" and site.function.startswith(_BULK)
        if not reads or rows.block[row] != event.block or size >= event.value:
            break
        found.insert(0, row)
        size += site.bytes
    return found


def _source(index: LaunchIndex, rows: list[int]) -> str:
    """The part of an array that some rows read."""
    if not rows:
        return ""
    trace = index.trace
    lane = [int(trace.masks[trace.rows.mask[row]].argmax()) for row in rows]
    first = np.array([trace.bases[trace.rows.base[row], at] + trace.rows.offset[row] for row, at in zip(rows, lane, strict=True)])
    last = first + np.array([trace.sites[trace.rows.site[row]].bytes for row in rows])
    space = trace.sites[trace.rows.site[rows[0]]].space
    for number, each in enumerate(trace.allocations):
        if each.space is space and each.address <= first[0] < each.address + each.bytes:
            return _part(index, number, each, first, last)
    return ""


def _part(index: LaunchIndex, number: int, array: Allocation, first: Ints, last: Ints) -> str:
    """Elements of an array: rows and columns of a matrix, else from the first to the last."""
    begin, end = (first - array.address) // array.element_bytes, (last - 1 - array.address) // array.element_bytes
    role = index.roles.get(number)
    if role is None:
        return f"{array.name}{between(int(begin.min()), int(end.max()))}"
    whole = bool((end // role.columns > begin // role.columns).any())
    left, right = (0, role.columns - 1) if whole else (int((begin % role.columns).min()), int((end % role.columns).max()))
    rows = between(int(begin.min()) // role.columns, int(end.max()) // role.columns)
    return f"{role.name}{rows}{between(left, right)}"


def between(first: int, last: int) -> str:
    """Indices as they are written."""
    return f"[{first}]" if first == last else f"[{first}..{last}]"


# ------------------------------------------------------------ accesses


def _accesses(index: LaunchIndex, members: tuple[int, ...]) -> Iterator[Transfer]:
    """What threads read and write in other blocks' shared memory: one for each step and block that they reach."""
    trace, order = index.trace, index.record.order
    shared = np.array([each.space is Space.SHARED for each in trace.sites], np.bool_)
    lowest = trace.bases.max(axis=1)[trace.rows.base] + trace.rows.offset
    rows = np.flatnonzero(shared[trace.rows.site] & (lowest > OWN_ADDRESS) & np.isin(trace.rows.block, members))
    for row in rows.tolist():
        site, sender = trace.sites[trace.rows.site[row]], members.index(int(trace.rows.block[row]))
        for warp in np.flatnonzero(order.rank[row] >= 0).tolist():
            step = int(order.rank[row, warp])
            lanes = index.lanes(step)
            address = lanes.address[lanes.active]
            for rank in np.unique(address >> RANK_SHIFT).tolist():
                own = address[address >> RANK_SHIFT == rank] & OWN_ADDRESS
                if rank:
                    first, size = int(own.min()), int(own.max() - own.min()) + site.bytes
                    yield Transfer(
                        _WAYS[site.operation], sender, (rank - 1,), step, (step + 1,), first, size, site.location.line, ""
                    )  # fmt: skip
