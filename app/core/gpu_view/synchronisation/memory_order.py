"""Memory order around two accesses: who synchronises how along the timeline, and what orders the two, or that nothing does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain, pairwise

import numpy as np

from app.core.base.picture_parts import Table
from app.core.gpu_view.blocks import place
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.print_rows import thread_number
from app.core.gpu_view.synchronisation.access_pairs import Access, AccessPair, pair_of, raced_pair, site_of, touching
from kernels.analysis.columns import Ints
from kernels.analysis.order_paths import Means, OrderPaths
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope, ThreadScope
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP

MOST_TRACKS = 6
AROUND = 2
"""Columns before, and behind, the two accesses."""


class Sign(StrEnum):
    """Sign of a mark: what a warp does there."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    FENCE = "fence"
    WARP = "warp"
    BARRIER = "barrier"


SIGNS = {
    Sign.LOAD: message("load"),
    Sign.STORE: message("store"),
    Sign.ATOMIC: message("atomic"),
    Sign.FENCE: message("fence"),
    Sign.WARP: message("warp barrier"),
    Sign.BARRIER: message("barrier"),
}
SCOPES = {
    ThreadScope.BLOCK: message("of the block"),
    ThreadScope.DEVICE: message("of the device"),
    ThreadScope.SYSTEM: message("of the system"),
}


@dataclass(frozen=True, slots=True)
class WarpTrack:
    """Warp of a block."""

    block: int
    warp: int


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that a warp does: in which column (they follow the order executed), at which step, on which line."""

    column: int
    track: int
    sign: Sign
    lane: int | None
    step: int | None
    line: int
    reach: ThreadScope | None
    """Of an atomic or a fence."""


@dataclass(frozen=True, slots=True)
class OrderPicture:
    """Picture of the order of memory: marks on tracks, and the way from the first access of the pair to the second, as indices of marks.

    `ordered` is False where that is a data race, None where it is none, and where there is no pair.
    """

    tracks: tuple[WarpTrack, ...]
    marks: tuple[Mark, ...]
    columns: int
    way: tuple[int, ...]
    ordered: bool | None
    sentence: Message


@dataclass(frozen=True, slots=True)
class _Event:
    time: int
    track: WarpTrack
    sign: Sign
    lane: int | None
    row: int
    line: int
    reach: ThreadScope | None


def order_picture(index: LaunchIndex, frame: Frame, thread: int | None, other: Access | None, most: int) -> OrderPicture:
    """The picture for the access of a step: by the selected thread, else by the first active lane, with another thread's access to the
    same bytes: `other`, else the one next to it. Where there is none, of the first data race of the launch. Of what lies on the way all is
    drawn, else up to `most` columns.
    """
    paths = index.once(_paths)
    lane = _lane(index, frame, thread)
    pair = pair_of(index, paths, (frame.row, lane), other) or raced_pair(index, paths)
    tracks = _tracks(index, paths, frame, pair)
    now = int(paths.times.row[frame.row])
    events = _events(index, paths, tracks, pair)
    chosen = _nearest(events, _musts(paths, pair), now, most)
    columns = {time: column for column, time in enumerate(sorted({each.time for each in chosen}))}
    marks = tuple(_mark(index, each, columns[each.time], tracks.index(each.track)) for each in chosen)
    way = _way(paths, pair, chosen)
    ordered = True if pair is not None and pair.way is not None else False if pair is not None and pair.finding is not None else None
    return OrderPicture(tracks, marks, len(columns), way, ordered, _sentence(index, pair, events, frame.site.operation))


def order_table(index: LaunchIndex, picture: OrderPicture) -> Table:
    """The marks as a table."""
    rows: list[tuple[Message | str, ...]] = []
    for mark in sorted(picture.marks, key=lambda each: (each.column, each.track)):
        track = picture.tracks[mark.track]
        scope = SCOPES[mark.reach] if mark.reach is not None else ""
        lane = "" if mark.lane is None else str(mark.lane)
        block = place(index.trace.blocks[track.block], index.trace.grid)
        rows.append((block, str(track.warp), lane, SIGNS[mark.sign], scope, str(mark.line)))
    titles = (message("Block"), message("Warp"), message("Lane"), message("Event"), message("Scope"), message("Line"))
    return Table(titles, tuple(rows))


def mark_text(mark: Mark) -> Message:
    """What a mark stands for, in a tip."""
    if mark.reach is not None:
        return message("{what} {scope}, line {line}", what=SIGNS[mark.sign], scope=SCOPES[mark.reach], line=mark.line)
    return message("{what}, line {line}", what=SIGNS[mark.sign], line=mark.line)


def synchronises(index: LaunchIndex) -> bool:
    """Whether the launch has more to order than barriers of its blocks: fences, warp barriers, or a data race."""
    events = any(each.scope in (Scope.FENCE, Scope.WARP, Scope.GRID) for each in index.trace.barriers)
    return events or any(each.kind is FindingKind.DATA_RACE for each in index.record.findings)


# ------------------------------------------------------------ what is drawn


def _paths(index: LaunchIndex) -> OrderPaths:
    return OrderPaths(index.trace)


def _lane(index: LaunchIndex, frame: Frame, thread: int | None) -> int:
    active = np.flatnonzero(frame.lanes.active)
    if thread is not None and thread - frame.first_thread in active:
        return thread
    for finding in index.record.findings:
        if finding.kind is FindingKind.DATA_RACE and finding.row == frame.row:
            lane = thread_number(index.trace.block, finding.threads[0])
            if lane // WARP == frame.warp:
                return lane
    return frame.first_thread + int(active[0])


def _tracks(index: LaunchIndex, paths: OrderPaths, frame: Frame, pair: AccessPair | None) -> tuple[WarpTrack, ...]:
    """The warps of the pair and of the way between them, then others that touch the same; without a pair the warp that runs, and others of
    its block that synchronise through memory."""
    lanes = index.trace.masks.shape[1]
    if pair is not None:
        threads = [paths.thread(*pair.first), paths.thread(*pair.second), *(link.thread for link in pair.way or ())]
        needed = dict.fromkeys(_track(each, lanes) for each in threads)
        more = (_track(paths.thread(*each), lanes) for each in touching(index, pair.second))
    else:
        needed = {WarpTrack(frame.block_number, frame.warp): None}
        warps = paths.operations.thread[paths.operations.thread // lanes == frame.block_number] // WARP
        more = (_track(each * WARP, lanes) for each in dict.fromkeys(warps.tolist()))
    kept = list(dict.fromkeys(chain(needed, more)))[: max(MOST_TRACKS, len(needed))]
    return tuple(sorted(kept, key=lambda each: (each.block, each.warp)))


def _track(thread: int, lanes: int) -> WarpTrack:
    return WarpTrack(thread // lanes, thread % lanes // WARP)


def _events(index: LaunchIndex, paths: OrderPaths, tracks: Sequence[WarpTrack], pair: AccessPair | None) -> list[_Event]:
    """All that the tracks do to synchronise, and their accesses to the memory of the pair."""
    found = dict.fromkeys(chain(_synchronising(index, paths, tracks, _musts(paths, pair)), _operating(index, paths, tracks)))
    if pair is not None:
        both = {pair.first, pair.second}
        others = _last_lanes(each for each in touching(index, pair.second) if each not in both)
        found.update(dict.fromkeys(_event_of(index, paths, each) for each in others))
        unlike = {(each.time, each.track) for each in (_event_of(index, paths, access) for access in both)}
        found = {each: None for each in found if each.sign is Sign.BARRIER or (each.time, each.track) not in unlike}
        found.update(dict.fromkeys(_event_of(index, paths, each) for each in (pair.first, pair.second)))
    seen: dict[tuple[int, WarpTrack, Sign], _Event] = {}
    for event in reversed(found):
        if event.track in tracks:
            seen.setdefault((event.time, event.track, event.sign), event)
    return list(seen.values())


def _last_lanes(accesses: Iterable[Access]) -> list[Access]:
    """Of each instruction of a warp the access that comes last: a track has one mark for it, however many lanes it has."""
    last: dict[tuple[int, int], Access] = {}
    for row, lane in reversed(tuple(accesses)):
        last.setdefault((row, lane // WARP), (row, lane))
    return list(last.values())[::-1]


def _event_of(index: LaunchIndex, paths: OrderPaths, access: Access) -> _Event:
    (row, lane), site = access, site_of(index, access)
    atomic = site.operation == "atomic"
    sign = Sign.ATOMIC if atomic else Sign.STORE if site.operation == "store" else Sign.LOAD
    track = WarpTrack(int(index.trace.rows.block[row]), lane // WARP)
    return _Event(int(paths.times.row[row]), track, sign, lane % WARP, row, site.location.line, site.scope if atomic else None)


def _operating(index: LaunchIndex, paths: OrderPaths, tracks: Sequence[WarpTrack]) -> Iterable[_Event]:
    operations, lanes = paths.operations, index.trace.masks.shape[1]
    wanted = [each.block * (lanes // WARP) + each.warp for each in tracks]
    chosen: Ints = np.flatnonzero(np.isin(operations.thread // WARP, wanted))
    accesses = zip(operations.row[chosen].tolist(), (operations.thread[chosen] % lanes).tolist(), strict=True)
    return (_event_of(index, paths, each) for each in _last_lanes(accesses))


def _synchronising(index: LaunchIndex, paths: OrderPaths, tracks: Sequence[WarpTrack], musts: set[int]) -> Iterable[_Event]:
    signs = {Scope.FENCE: Sign.FENCE, Scope.WARP: Sign.WARP, Scope.BLOCK: Sign.BARRIER, Scope.GRID: Sign.BARRIER}
    warps: dict[int, list[int]] = {}
    for track in tracks:
        warps.setdefault(track.block, []).append(track.warp)
    arrivals = _arrivals(index, paths, musts)
    for number, event in enumerate(index.trace.barriers):
        joins = event.scope in (Scope.BLOCK, Scope.GRID)
        if event.block not in warps or (joins and number not in arrivals):
            continue
        present = index.once(_warps_present)[event.mask]
        reach = event.reach if event.scope is Scope.FENCE else None
        time = int(paths.times.event[number])
        for warp in warps[event.block]:
            if present[warp] or joins:
                yield _Event(time, WarpTrack(event.block, warp), signs[event.scope], None, event.row, event.location.line, reach)


def _warps_present(index: LaunchIndex) -> list[list[bool]]:
    """Of each mask, which warps have a lane in it."""
    masks = index.trace.masks
    return [each.reshape(-1, WARP).any(axis=1).tolist() for each in masks]


def _arrivals(index: LaunchIndex, paths: OrderPaths, musts: set[int]) -> set[int]:
    """Of the arrivals of a block's warps at a barrier the one that is drawn: that on the way, or the last."""
    found: dict[tuple[int, int], int] = {}
    for number, event in enumerate(index.trace.barriers):
        if event.scope in (Scope.BLOCK, Scope.GRID):
            before = found.get((event.block, event.epoch))
            if before is None or int(paths.times.event[before]) not in musts:
                found[event.block, event.epoch] = number
    return set(found.values())


def _musts(paths: OrderPaths, pair: AccessPair | None) -> set[int]:
    """The times that must be drawn."""
    if pair is None:
        return set()
    return {int(paths.times.row[row]) for row, _ in (pair.first, pair.second)} | {link.time for link in pair.way or ()}


def _nearest(events: Sequence[_Event], musts: set[int], now: int, most: int) -> list[_Event]:
    """Those of the times that must be drawn, of others between them as many as there is room for, and few around; where nothing must be
    drawn, those next to the step."""
    times = sorted({each.time for each in events} - musts)
    if not musts:
        kept = set(sorted(times, key=lambda time: abs(time - now))[:most])
    else:
        first, last = min(musts), max(musts)
        between = [time for time in times if first < time < last]
        around = [time for time in times if time < first][-AROUND:] + [time for time in times if time > last][:AROUND]
        between.sort(key=lambda time: min(abs(time - each) for each in musts))
        kept = musts | set([*between, *around][: max(most - len(musts), 0)])
    return [each for each in events if each.time in kept]


def _mark(index: LaunchIndex, event: _Event, column: int, track: int) -> Mark:
    row = min(event.row, len(index.trace.rows.site) - 1)
    return Mark(column, track, event.sign, event.lane, index.record.order.step_of(row, event.track.warp), event.line, event.reach)


def _way(paths: OrderPaths, pair: AccessPair | None, chosen: Sequence[_Event]) -> tuple[int, ...]:
    """The marks from the first access of the pair to the second."""
    if pair is None:
        return ()
    lanes = paths.trace.masks.shape[1]
    stops = [(int(paths.times.row[pair.first[0]]), paths.thread(*pair.first))]
    stops += [(link.time, link.thread) for link in pair.way or ()]
    stops.append((int(paths.times.row[pair.second[0]]), paths.thread(*pair.second)))
    marks = {(each.time, each.track): number for number, each in enumerate(chosen)}
    return tuple(marks[time, _track(thread, lanes)] for time, thread in stops)


# ------------------------------------------------------------ words

_LINKS = {
    Means.GRID: message("the grid's barrier in line {line}"),
    Means.CLUSTER: message("the cluster's barrier in line {line}"),
    Means.BARRIER: message("the barrier in line {line}"),
    Means.WARP: message("the warp's barrier in line {line}"),
    Means.FENCE: message("the fence in line {line}"),
    Means.TELLS: message("what tells it in line {line}"),
    Means.HEARS: message("what hears it in line {line}"),
}


_ALONE = {
    "load": message("no other thread writes what this one reads"),
    "store": message("no other thread touches what this one writes"),
    "atomic": message("what other threads do there, if anything, is atomic too"),
}


def _sentence(index: LaunchIndex, pair: AccessPair | None, events: Sequence[_Event], operation: str) -> Message:
    """`operation` is what the step does."""
    if pair is None and operation not in _ALONE:
        return message("This step touches no memory.")
    if pair is None and not events:
        return message("Nothing here orders threads, and none needs it: {reason}.", reason=_ALONE[operation])
    if pair is None:
        return message("No order is needed here: {reason}.", reason=_ALONE[operation])
    if pair.finding is not None:
        return pair.finding.message
    first, second = (site_of(index, each).location.line for each in (pair.first, pair.second))
    if pair.way is None:
        return message("Nothing orders lines {first} and {second}, and nothing has to: it is no data race.", first=first, second=second)
    means = [Message(_LINKS[link.means].template, (("line", link.location.line),)) for link in pair.way]
    through = means[0]
    for _, each in pairwise(means):
        through = message("{first}, then {then}", first=through, then=each)
    return message("Line {first} comes before line {second}, through {through}.", first=first, second=second, through=through)
