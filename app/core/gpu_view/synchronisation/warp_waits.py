"""Waits of a block's warps, in steps of the timeline: for phases of barriers in shared memory, for groups of copies and of wgmma.

At a barrier a wait lasts from a warp's first look at it, before which copies come in that complete there, to the look that finds the phase
complete. A wait for a group lasts from the warp's step before it, or from the first copy that comes in for it, to what the warp does next,
if no barrier of the block stands between.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP

_TEST = "mbarrier.test_wait"


@dataclass(frozen=True, slots=True)
class WarpWait:
    """Wait of a warp from step `start` to `stop` (exclusive), for what at length and in short."""

    warp: int
    start: int
    stop: int
    what: Message
    short: Message


@dataclass(frozen=True, slots=True, eq=False)
class WarpSteps:
    """Steps of a warp: its rows of the trace, ascending, and their steps."""

    warp: int
    rows: Ints
    steps: Ints

    def around(self, index: LaunchIndex, event: Event) -> tuple[int, int]:
        """The steps from which and before which an event of the warp happens: from behind its last step to its next one, if that is in the
        same barrier interval."""
        at = int(np.searchsorted(self.rows, event.row))
        before = int(self.steps[at - 1]) + 1 if at else 0
        if at == len(self.rows):
            return before, before
        epoch, row = index.trace.rows.epoch, int(self.rows[at])
        same = not at or epoch[row] == epoch[self.rows[at - 1]]
        looks = looks_at_barrier(index)[index.trace.rows.site[row]]
        after = _begin_of_look(index, row, event.row) if looks else int(self.steps[at])
        return before, max(min(after, int(self.steps[at])), before) if same else before

    def landed_before(self, index: LaunchIndex, at: int) -> int | None:
        """The first of the copies that come in one after the other just before the warp's row number `at`; None where none does."""
        issued, first = index.trace.rows.issued, at
        while first and issued is not None and issued[self.rows[first - 1]] >= 0:
            first -= 1
        return first if first < at else None


def steps_of_warps(index: LaunchIndex, block: int) -> list[WarpSteps]:
    """Those of all warps of a block."""
    own = index.trace.rows.block == block
    found = []
    for warp, ranks in enumerate(index.record.order.rank.T):
        rows = np.flatnonzero(own & (ranks >= 0))
        found.append(WarpSteps(warp, rows, ranks[rows].astype(np.int64)))
    return found


def warps_of(index: LaunchIndex, event: Event) -> list[int]:
    """The warps that an event is of."""
    warps: list[int] = np.unique(np.flatnonzero(index.trace.masks[event.mask]) // WARP).tolist()
    return warps


def barrier_numbers(index: LaunchIndex, block: int) -> dict[int, int]:
    """The barriers in a block's shared memory: their numbers by address."""
    inits = (each for each in index.trace.events if each.block == block and each.kind is Happening.BARRIER_INIT)
    return {address: number for number, address in enumerate(sorted({each.address for each in inits}))}


def looks_at_barrier(index: LaunchIndex) -> Bools:
    """Of each site whether threads look there whether a phase of a barrier is complete."""
    return np.array([site.function.startswith(_TEST) for site in index.trace.sites], np.bool_)


def warp_waits(index: LaunchIndex, block: int) -> tuple[WarpWait, ...]:
    """All waits in a block, by their beginning."""
    warps = steps_of_warps(index, block)
    groups = list(_for_groups(index, block, warps))
    found = [*(_behind(each, groups) for each in _at_barriers(index, block, warps)), *groups, *_for_copies(index, warps)]
    return tuple(sorted(found, key=lambda each: (each.start, each.warp)))


def _behind(wait: WarpWait, groups: list[WarpWait]) -> WarpWait:
    """A wait at a barrier from when the warp has waited for its groups on: copies may come in for the barrier while it does."""
    ends = (each.stop for each in groups if each.warp == wait.warp and each.start <= wait.start < each.stop < wait.stop)
    return replace(wait, start=max(ends, default=wait.start))


def _at_barriers(index: LaunchIndex, block: int, warps: list[WarpSteps]) -> Iterator[WarpWait]:
    trace = index.trace
    numbers, phases, passed = barrier_numbers(index, block), dict[int, list[int]](), set[tuple[int, int]]()
    for event in trace.events:
        if event.block == block and event.kind is Happening.BARRIER_PHASE:
            phases.setdefault(event.address, []).append(event.row)
        elif event.block == block and event.kind is Happening.BARRIER_WAITED:
            passed.add((event.row - 1, event.address))
    tests = looks_at_barrier(index)
    for warp in warps:
        begun: tuple[int, int] | None = None
        """The barrier and the step of the first look."""
        for row, step, looks in zip(warp.rows.tolist(), warp.steps.tolist(), tests[trace.rows.site[warp.rows]].tolist(), strict=True):
            address = _address(index, row, warp.warp) if looks else -1
            if begun is None or begun[0] != address:
                begun = (address, min(_begin_of_look(index, row), step)) if looks else None
            if begun is not None and (row, address) in passed:
                complete = sum(each <= row + 1 for each in phases.get(address, ()))
                yield WarpWait(warp.warp, begun[1], step + 1, *_barrier(numbers.get(address, -1), complete - 1))
                begun = None
        if begun is not None:
            yield WarpWait(warp.warp, begun[1], index.steps, *_barrier(numbers.get(begun[0], -1), len(phases.get(begun[0], ()))))


def _begin_of_look(index: LaunchIndex, row: int, least: int = 0) -> int:
    """The step at which the first of the copies comes in that complete at the barrier of a look; without copies that of the look."""
    rows, first, engine = index.trace.rows, row, _moves_for_threads(index)
    while first > least and rows.block[first - 1] == rows.block[row]:
        if not engine[rows.site[first - 1]]:
            break
        first -= 1
    ranks = index.record.order.rank[first]
    return int(ranks[ranks >= 0].min())


def _moves_for_threads(index: LaunchIndex) -> Bools:
    """Of each site whether copies come in there, or are counted at their barrier."""
    return np.array([site.operation != "load" and site.function.startswith("cp.async.bulk.") for site in index.trace.sites], np.bool_)


def _address(index: LaunchIndex, row: int, warp: int) -> int:
    """The barrier that a warp looks at: the first lane's."""
    rows, part = index.trace.rows, slice(warp * WARP, (warp + 1) * WARP)
    lane = warp * WARP + int(index.trace.masks[rows.mask[row], part].argmax())
    return int(index.trace.bases[rows.base[row], lane] + rows.offset[row])


def _barrier(number: int, phase: int) -> tuple[Message, Message]:
    """A barrier's first round is free: what waits for the phase before the first one finds it complete."""
    short = message("barrier {number}", number=number)
    if phase < 0:
        return message("barrier {number}, free from the start", number=number), short
    return message("barrier {number}, phase {phase}", number=number, phase=phase), short


def _for_groups(index: LaunchIndex, block: int, warps: list[WarpSteps]) -> Iterator[WarpWait]:
    """Of wgmma, and of copies in bulk out of shared memory. Of waits between the same steps the one that leaves the fewest groups."""
    left: dict[tuple[int, int, int, str], int] = {}
    for event in index.trace.events:
        if event.block != block or event.kind is not Happening.GROUP_WAITED:
            continue
        for warp in (warps[number] for number in warps_of(index, event)):
            start, stop = warp.around(index, event)
            landed = warp.landed_before(index, int(np.searchsorted(warp.rows, event.row)))
            start = start if landed is None else int(warp.steps[landed])
            if start < stop:
                place = warp.warp, start, stop, event.name
                left[place] = min(event.value, left.get(place, event.value))
    for (number, start, stop, name), groups in left.items():
        what, short = message("groups ({name} {left})", name=name, left=groups), message("{name}", name=name.rpartition(".")[2])
        yield WarpWait(number, start, stop, what, short)


def _for_copies(index: LaunchIndex, warps: list[WarpSteps]) -> Iterator[WarpWait]:
    """For a thread's own copies (cp.async): as long as they come in. What arrives at a barrier when it has come is waited for there."""
    sites, issued = index.trace.sites, index.trace.rows.issued
    if issued is None:
        return
    own = np.array([not site.engine for site in sites], np.bool_)
    at_barrier = np.array([site.function.startswith("cp.async.mbarrier") for site in sites], np.bool_)
    for warp in warps:
        site = index.trace.rows.site[warp.rows]
        edges = np.diff(np.concatenate(([0], ((issued[warp.rows] >= 0) & own[site]).astype(np.int8), [0])))
        for first, end in zip(np.flatnonzero(edges > 0).tolist(), np.flatnonzero(edges < 0).tolist(), strict=True):
            if end == len(site) or at_barrier[site[end]]:
                continue
            what, short = message("its own copies (wait_group)"), message("{name}", name="wait_group")
            yield WarpWait(warp.warp, int(warp.steps[first]), int(warp.steps[end - 1]) + 1, what, short)


# ------------------------------------------------------------ engines


_ENGINES = ("wgmma.", "cp.async.bulk.")
"""Families of instructions by which an engine reads shared memory: each has groups of its own that are committed and waited for."""


def engine_reads(index: LaunchIndex, block: int) -> dict[int, int]:
    """For each step at which an engine reads shared memory the last one at which it may still read: its group is not waited for before."""
    trace, found = index.trace, dict[int, int]()
    kinds = (Happening.GROUP_COMMITTED, Happening.GROUP_WAITED)
    for family in _ENGINES:
        loads = [site.space is Space.SHARED and site.operation == "load" and site.function.startswith(family) for site in trace.sites]
        events = [each for each in trace.events if each.block == block and each.kind in kinds and each.name.startswith(family)]
        for warp in steps_of_warps(index, block) if any(loads) else ():
            own = [each for each in events if warp.warp in warps_of(index, each)]
            read = np.array(loads, np.bool_)[trace.rows.site[warp.rows]]
            reads = list(zip(warp.rows[read].tolist(), warp.steps[read].tolist(), strict=True))
            found.update(_waited(index, warp, reads, own))
    return found


def _waited(index: LaunchIndex, warp: WarpSteps, reads: list[tuple[int, int]], events: list[Event]) -> Iterator[tuple[int, int]]:
    """For each read of a warp, a row and a step, the step before which it has been waited for."""
    at, open_, groups = 0, list[int](), list[list[int]]()
    for event in events:
        until = bisect_left(reads, (event.row, -1))
        open_ += [step for _, step in reads[at:until]]
        at = until
        if event.kind is Happening.GROUP_COMMITTED:
            groups.append(open_)
            open_ = []
            continue
        kept = max(len(groups) - event.value, 0)
        done, groups = groups[:kept], groups[kept:]
        end = warp.around(index, event)[1] - 1
        yield from ((step, max(end, step)) for group in done for step in group)
    left = [*open_, *(step for _, step in reads[at:]), *(step for group in groups for step in group)]
    yield from ((step, index.steps - 1) for step in left)
