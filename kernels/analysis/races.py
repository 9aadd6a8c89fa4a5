"""Data races: two threads access the same bytes, one of them writes, and nothing orders the two.

`__syncthreads` orders the threads of its own block only; `__syncwarp` those of a warp that take part, shuffles and votes none; blocks are
ordered by nothing but a barrier of the whole grid. Besides, fences order with atomics and volatile flags, and locks (`happens_before`).
That the interpreter runs warps in lock step means nothing: of two rows in one barrier interval either may come first on a GPU. Atomics do
not race with each other, nor do volatile accesses to a flag that is waited for; both do with plain accesses. Stores of equal values are no
finding but a diagnostic, nor is a read beside them by a thread that stored the same itself. Findings of one kind at one place are merged.

Excepted are plain loads that only begin a compare-and-swap:

    old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (assumed != old);

This reads without order what other threads update, but whatever it reads is a guess: the atomic compares it with what is there. NVIDIA's
guide writes atomics of other types so.

An asynchronous copy into shared memory may write at any time from its issue to the wait. The trace has the store where it has been waited
for; races look for it in every barrier interval in which it may happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernels.analysis.accesses import LOAD, STORE, Accesses, Region, Spread, contested, operation_of_rows, regions
from kernels.analysis.cluster_memory import ClusterMemory
from kernels.analysis.clusters import in_one_cluster, with_homes
from kernels.analysis.columns import Ints
from kernels.analysis.orders import Orders
from kernels.analysis.race_pairs import WIDTHS, Conflict, Level, conflicts
from kernels.analysis.warp_syncs import NONE, WarpSyncs
from kernels.base.messages import Message, message
from kernels.simt.base.launch import index_in
from kernels.simt.base.types import Location, Scope, Space
from kernels.simt.base.windows import OWN_ADDRESS
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, Finding, Trace

_Lines = tuple[str, frozenset[tuple[str, int]]]
"""What findings have in common that are told as one: kind and lines."""


def merged(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of equal kind and lines as one, whose count is their sum, in order of their first rows."""
    first: dict[_Lines, Finding] = {}
    for finding in sorted(found, key=_first_row):
        known = first.get(_lines(finding))
        first[_lines(finding)] = finding if known is None else replace(known, count=known.count + finding.count)
    return tuple(first.values())


def _by_lines(found: Iterable[tuple[Finding, str]]) -> tuple[Finding, ...]:
    """As `merged`; the example is one of the widest scope: what orders that orders the others too, but `__syncwarp` no other warp."""
    pairs = list(found)
    widest: dict[_Lines, int] = {}
    for finding, scope in pairs:
        widest[_lines(finding)] = max(widest.get(_lines(finding), 0), WIDTHS.index(scope))
    first = [finding for finding, scope in pairs if WIDTHS.index(scope) == widest[_lines(finding)]]
    counts = Counter[_Lines]()
    for finding, _ in pairs:
        counts[_lines(finding)] += finding.count
    return tuple(replace(each, count=counts[_lines(each)]) for each in merged(first))


def _lines(finding: Finding) -> _Lines:
    return finding.kind, frozenset(location.whole_line for location in (finding.location, finding.other or finding.location))


def _first_row(finding: Finding) -> tuple[bool, int]:
    return finding.row < 0, finding.row


COMPARE_AND_SWAP = "atomicCAS"


def without_guesses(trace: Trace, accesses: Accesses) -> Accesses:
    """The accesses, less the loads after which their thread's next access to the same piece is a compare-and-swap in the same interval.

    No race is lost: plain stores that would meet such a load meet its compare-and-swap.
    """
    swaps = np.array([site.function.startswith(COMPARE_AND_SWAP) for site in trace.sites], np.bool_)
    if not swaps.any():
        return accesses
    rows = trace.rows
    order = np.lexsort((accesses.row, accesses.lane, rows.block[accesses.row], accesses.piece))
    row, lane, piece = accesses.row[order], accesses.lane[order], accesses.piece[order]
    this, following = row[:-1], row[1:]
    same = (piece[:-1] == piece[1:]) & (lane[:-1] == lane[1:])
    same &= (rows.block[this] == rows.block[following]) & (rows.epoch[this] == rows.epoch[following])
    kept = np.ones(len(row), np.bool_)
    kept[order[:-1]] = ~(same & (operation_of_rows(trace)[this] == LOAD) & swaps[rows.site[following]])
    return accesses.only(kept)


def with_pending(trace: Trace) -> tuple[Trace, Ints]:
    """A trace in which such a store also stands where it was issued and in each barrier interval between, and its rows' numbers in the
    given one."""
    rows = trace.rows
    everything = np.arange(len(rows.site))
    if rows.issued is None:
        return trace, everything
    store, place = _places(trace, rows.issued.astype(np.int64))
    order = np.argsort(np.concatenate([2 * everything + 1, 2 * place]), kind="stable")
    number, at = np.concatenate([everything, store])[order], np.concatenate([everything, place])[order]
    taken = {name: getattr(rows, name)[number] for name in ("site", "mask", "base", "offset", "block")}
    timed = {name: getattr(rows, name)[at] for name in ("epoch", "warp_epoch")}
    changed, lost = (None if column is None else column[number] for column in (rows.changed, rows.lost))
    moved = np.zeros(len(everything), np.int64)
    moved[number] = np.arange(len(number))
    updates = None if rows.updates is None else replace(rows.updates, row=moved[rows.updates.row])
    before = np.sort(place)
    barriers = tuple(replace(event, row=event.row + int(np.searchsorted(before, event.row))) for event in trace.barriers)
    events = tuple(replace(event, row=event.row + int(np.searchsorted(before, event.row))) for event in trace.events)
    return replace(
        trace,
        rows=replace(rows, **taken, **timed, changed=changed, lost=lost, issued=None, updates=updates),
        barriers=barriers,
        events=events,
    ), number


def _places(trace: Trace, issued: Ints) -> tuple[Ints, Ints]:
    """The stores, each as often as it is repeated, and the rows before which: the first after the issue, and the first of every barrier
    interval between that one's and the store's own."""
    rows = trace.rows
    store = np.flatnonzero(issued >= 0)
    begin = issued[store]
    other = (rows.epoch[begin] != rows.epoch[store]) | (rows.warp_epoch[begin] != rows.warp_epoch[store])
    starts = np.flatnonzero(np.r_[True, (rows.block[1:] != rows.block[:-1]) | (rows.epoch[1:] != rows.epoch[:-1])])
    first, last = np.searchsorted(starts, begin, "right"), np.searchsorted(starts, store, "right") - 1
    count = np.maximum(last - first, 0)
    each = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.concatenate([store[other], np.repeat(store, count)]), np.concatenate([begin[other], starts[each]])


def as_finding(trace: Trace, region: Region, conflict: Conflict, orders: Orders) -> Finding:
    """The conflict as a finding, at the later of its two accesses."""
    rows, sites = trace.rows, trace.sites
    site, other = sites[rows.site[conflict.row]], sites[rows.site[conflict.other_row]]
    block, other_block = trace.blocks[rows.block[conflict.row]], trace.blocks[rows.block[conflict.other_row]]
    text = message(
        "{what} {why}",
        what=_what(trace, conflict, element(trace, region, conflict.piece)),
        why=orders.reason(conflict) or _why(trace, conflict, atomics=site.operation == other.operation == "atomic"),
    )  # fmt: skip
    return Finding(
        FindingKind.DATA_RACE,
        site.location,
        block,
        (index_in(trace.block, conflict.lane), index_in(trace.block, conflict.other_lane)),
        text,
        other.location,
        other_block if other_block != block else None,
        conflict.row,
        conflict.count,
    )


def element(trace: Trace, region: Region, piece: int) -> str:
    """The element that a piece of a region belongs to, as in "As[3][5]"."""
    address = region.address + piece * region.piece
    if region.space is Space.SHARED:
        address &= OWN_ADDRESS
    for array in trace.allocations:
        if array.space is region.space and array.address <= address < array.address + array.bytes:
            index = (address - array.address) // max(array.element_bytes, 1)
            places: list[str] = []
            for extent in reversed(array.shape):
                index, place = divmod(index, max(extent, 1))
                places.insert(0, f"[{place}]")
            return array.name + "".join(places)
    return hex(address)


def _what(trace: Trace, conflict: Conflict, place: str) -> Message:
    """Who does what to `place` on which line, the one that writes first."""
    rows, ways = trace.rows, [(conflict.row, conflict.lane), (conflict.other_row, conflict.other_lane)]
    ranks = {"atomic": 0, "store": 1}
    (row, lane), (other_row, other_lane) = sorted(ways, key=lambda way: ranks.get(trace.sites[rows.site[way[0]]].operation, 2))
    site, other = trace.sites[rows.site[row]], trace.sites[rows.site[other_row]]
    values: dict[str, str | Message] = {
        "place": place, "who": _who(trace, conflict, row, lane), "other": _who(trace, conflict, other_row, other_lane),
        "line": _line_text(site.location), "other_line": _line_text(other.location),
    }  # fmt: skip
    if site.operation == other.operation == "atomic":
        return message(
            "{place}: {who} (line {line}) and {other} (line {other_line}) update it with atomics, one of which excludes threads of its"
            " own block only.", **values,
        )  # fmt: skip
    if site.operation == "atomic":
        return message(
            "{place}: {who} updates it with an atomic on line {line}, {other} accesses it without on line {other_line}.", **values
        )
    if site.operation == other.operation:
        return message("{place}: {who} (line {line}) and {other} (line {other_line}) store different values to it.", **values)
    return message("{place}: {who} writes it on line {line}, {other} reads it on line {other_line}.", **values)


def _who(trace: Trace, conflict: Conflict, row: int, lane: int) -> Message:
    """The thread as far as it is another than the one that it meets: by its warp, within a warp by its lane, with its block by both."""
    rows, warp = trace.rows, lane // WARP
    if rows.block[conflict.row] != rows.block[conflict.other_row]:
        x, y, z = trace.blocks[rows.block[row]]
        block = f"({x}, {y}, {z})" if z else f"({x}, {y})"
        return message("warp {warp} of block {block}", warp=warp, block=block)
    if conflict.lane // WARP == conflict.other_lane // WARP:
        return message("lane {lane} of warp {warp}", warp=warp, lane=lane % WARP)
    return message("warp {warp}", warp=warp)


def _line_text(location: Location) -> str:
    return f"{location.file}:{location.line}" if location.file else str(location.line)


def _why(trace: Trace, conflict: Conflict, *, atomics: bool) -> Message:
    scope = conflict.scope
    if atomics:
        return message("Between blocks an atomic of the device's scope is needed: without _block, or of cuda::thread_scope_device.")
    if scope == "grid" and in_one_cluster(trace, conflict.row, conflict.other_row):
        return message(
            "They are in two blocks of a cluster: no cluster.sync() stands between, nor an arrival at the cluster's barrier that releases"
            " (.relaxed does not, but behind a fence)."
        )
    if scope == "grid":
        return message(
            "They are in different blocks: only a grid-wide barrier, another launch, or an atomic or volatile flag behind a fence orders"
            " these."
        )
    if scope == "warp":
        return message("Threads of one warp need not run in step: no __syncwarp() stands between.")
    return message("No __syncthreads() stands between.")


def _by_barrier(trace: Trace, found: Sequence[tuple[Region, Conflict]]) -> Iterator[tuple[Region, Conflict]]:
    """The conflicts; within a warp, but at a line that also meets other warps, one that the barrier of the block ends too: who is told of
    `__syncwarp` first mends half."""
    lines = {line for _, conflict in found if conflict.scope == "block" for line in _lines_of(trace, conflict)}
    for region, conflict in found:
        meets = conflict.scope == "warp" and not lines.isdisjoint(_lines_of(trace, conflict))
        yield region, replace(conflict, scope="block") if meets else conflict


def _lines_of(trace: Trace, conflict: Conflict) -> Iterator[tuple[str, int]]:
    return (trace.sites[trace.rows.site[row]].location.whole_line for row in (conflict.row, conflict.other_row))


ONCE = 0
"""How often an interval occurs in which threads hand over to each other: it is looked at for itself."""


def races(trace: Trace) -> tuple[Finding, ...]:
    """The data races of a launch, in shared and in global memory: one for each pair of lines, the first to show first.

    Its count is of the different accesses that run into another's. Unordered stores of the same value to the same place are harmless;
    stores whose values the trace does not record count as unequal.
    """
    trace, number = with_pending(trace)
    syncs, joined = WarpSyncs(trace), with_homes(trace)
    orders = Orders(joined)
    found = [(region, conflict) for region, rows in regions(trace) for conflict in _conflicts_in(trace, region, rows, syncs, orders)]
    if joined is not trace:
        memory = ClusterMemory(joined)
        found += ((memory.region, conflict) for conflict in _conflicts_in_clusters(joined, memory, syncs, orders))
    told = _by_lines((as_finding(trace, region, conflict, orders), conflict.scope) for region, conflict in _by_barrier(trace, found))
    return tuple(replace(finding, row=int(number[finding.row])) for finding in told)


def _conflicts_in(trace: Trace, region: Region, rows: Ints, syncs: WarpSyncs, orders: Orders) -> Iterator[Conflict]:
    if region.space is Space.GLOBAL:
        accesses = _racing(trace, region, rows)
        if accesses is not None:
            levels = _levels(trace, accesses, syncs, between_blocks=True)
            yield from conflicts(trace, accesses, orders.operation(region, accesses), levels, 1, orders.of(region, accesses))
        return
    for interval, times in _distinct_intervals(trace, rows, syncs, orders.intervals):
        some = _racing(trace, region, interval if times == ONCE else _without_repeated_loads(trace, interval))
        if some is not None:
            ordered = orders.of(region, some) if times == ONCE else None
            levels = _levels(trace, some, syncs, between_blocks=False)
            yield from conflicts(trace, some, orders.operation(region, some), levels, max(times, 1), ordered)


def _conflicts_in_clusters(trace: Trace, memory: ClusterMemory, syncs: WarpSyncs, orders: Orders) -> Iterator[Conflict]:
    """Conflicts in shared memory that blocks of a cluster reach in each other, of which at least one access is from elsewhere."""
    accesses = memory.contested()
    if accesses is None:
        return
    accesses = without_guesses(trace, accesses)
    own = memory.at_home(accesses)
    *inner, grid = _levels(trace, accesses, syncs, between_blocks=True)
    levels = (*(replace(each, key=_number(each.key, own.astype(np.int64)), party=np.where(own, NONE, each.party)) for each in inner), grid)
    yield from conflicts(trace, accesses, orders.operation(memory.region, accesses), levels, 1, orders.of(memory.region, accesses))


def _racing(trace: Trace, region: Region, rows: Ints) -> Accesses | None:
    """The accesses among which races can be, in ascending order of row; None where there are none."""
    accesses = contested(trace, region, Spread(trace, region, rows))
    return None if accesses is None else without_guesses(trace, accesses)


def _levels(trace: Trace, accesses: Accesses, syncs: WarpSyncs, *, between_blocks: bool) -> tuple[Level, ...]:
    """What two accesses to one piece must share, and in what they must differ, to be unordered."""
    rows, row = trace.rows, accesses.row
    block, epoch, warp = rows.block[row].astype(np.int64), rows.epoch[row].astype(np.int64), accesses.lane // WARP
    interval = _number(accesses.piece, block, epoch)
    levels = [Level("block", interval, warp), *_levels_of_warp(row, accesses.lane, _number(interval, warp), syncs)]
    if not between_blocks:
        return tuple(levels)
    return (*levels, Level("grid", _number(accesses.piece, _meetings_of_grid(trace, row)), block))


def _meetings_of_grid(trace: Trace, row: Ints) -> Ints:
    """For each row how often its block had met all others before."""
    count = len(trace.rows.site) + 1
    met = np.sort(np.array([event.block * count + event.row for event in trace.barriers if event.scope is Scope.GRID], np.int64))
    begins = trace.rows.block[row].astype(np.int64) * count
    return np.searchsorted(met, begins + row, side="right") - np.searchsorted(met, begins)


def _levels_of_warp(row: Ints, lane: Ints, interval: Ints, syncs: WarpSyncs) -> Iterator[Level]:
    """Return how accesses of one warp in one of the numbered intervals are unordered: no synchronisation of both threads stands between."""
    if not syncs.partial:
        yield Level("warp", _number(interval, syncs.last_of_warp(row, lane)), lane)
        return
    for pair in syncs.group_pairs():
        party = pair.party(lane)
        yield Level("warp", _number(interval, syncs.last_of(pair, row, lane), party != NONE), party)


def _number(*columns: Ints) -> Ints:
    """Equal numbers, from 0 on, where all columns are equal."""
    number = np.unique(columns[0], return_inverse=True)[1]
    for column in columns[1:]:
        values, code = np.unique(column, return_inverse=True)
        number = np.unique(number * len(values) + code, return_inverse=True)[1]
    return number


def _distinct_intervals(trace: Trace, rows: Ints, syncs: WarpSyncs, alone: set[tuple[int, int]]) -> list[tuple[Ints, int]]:
    """The barrier intervals of all blocks, each as its rows; those in which the same happened are given once, with how often they occur.

    ONCE stands for those (block, epoch) that are to be given alone.
    """
    columns = trace.rows
    order = np.lexsort((columns.epoch[rows], columns.block[rows]))
    met, rows = syncs.since_row_before(rows)[order], rows[order]
    block, epoch = columns.block[rows], columns.epoch[rows]
    starts = np.flatnonzero(np.r_[True, (block[1:] != block[:-1]) | (epoch[1:] != epoch[:-1])]) if len(rows) else np.zeros(0, np.int64)
    ends = np.r_[starts[1:], len(rows)]
    changed, lost = (columns.mask if column is None else column for column in (columns.changed, columns.lost))
    met[starts] = 0
    what = [column[rows] for column in (columns.site, columns.mask, columns.base, columns.offset, changed, lost)]
    content = np.stack([*what, met], axis=1).astype(np.int64).tobytes()
    width = len(content) // max(len(rows), 1)
    seen: dict[bytes, list[int]] = {}
    found: list[tuple[Ints, int]] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if alone and (int(block[start]), int(epoch[start])) in alone:
            found.append((np.sort(rows[start:end]), ONCE))
        else:
            seen.setdefault(content[start * width : end * width], [start, end, 0])[2] += 1
    return found + [(rows[start:end], times) for start, end, times in seen.values()]


def _without_repeated_loads(trace: Trace, rows: Ints) -> Ints:
    """The rows, without loads and atomics that repeat an earlier row."""
    columns = trace.rows
    plain_store = operation_of_rows(trace)[rows] == STORE
    other = rows[~plain_store]
    keys = [column[other] for column in (columns.site, columns.mask, columns.base, columns.offset, columns.warp_epoch)]
    order = np.lexsort(keys)
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.logical_or.reduce([key[order[1:]] != key[order[:-1]] for key in keys])
    return np.sort(np.r_[rows[plain_store], other[order[new]]])
