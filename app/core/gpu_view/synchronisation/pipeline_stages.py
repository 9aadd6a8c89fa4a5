"""Stages of a pipeline through shared memory: what asynchronous copies fill when, and when the block's warps read it.

A stage is a set of lines of shared memory that copies of one group fill again and again. Which copies are of one group is told by the
barrier intervals in which they were issued and waited for, or by the phase of the barrier in shared memory that they complete on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.synchronisation.warp_waits import engine_reads
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.base.windows import OWN_ADDRESS
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP

LINE = 128
"""Bytes of the shared memory that belong to one stage alone."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Reads of a stage while copies are on their way to it, in steps from `first` to `last`, of which a finding names both lines. `again`:
    it has been filled before, and is overwritten too early; else it is read too early."""

    first: int
    last: int
    copy_line: int
    read_line: int
    again: bool


@dataclass(frozen=True, slots=True)
class Filling:
    """One filling of a stage by copies, in steps of the timeline: on their way from `issued` to `done`, read from `read` to `last_read`
    (None: never). What an engine reads (wgmma, a copy out of shared memory) it may read until its group has been waited for.

    `number` counts the fillings of the block.
    """

    number: int
    stage: int
    issued: int
    done: int
    read: int | None
    last_read: int | None
    bytes: int
    copiers: frozenset[int]
    readers: frozenset[int]
    """The warps of the block that copy, and that read."""
    clash: Clash | None = None
    sizes: tuple[tuple[int, int], ...] = ()
    """The steps that issue its copies, with their bytes; ascending."""

    def issued_by(self, step: int) -> int:
        """Bytes of the copies that are issued when a step is done."""
        return sum(size for issued, size in self.sizes if issued <= step)


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """Pipeline of a block: `names` of its stages by number, all fillings in the order issued, and the stage of each line of memory."""

    names: tuple[str, ...]
    fillings: tuple[Filling, ...]
    lines: Mapping[int, int]

    def on_the_way(self, step: int) -> tuple[Filling, ...]:
        """The fillings whose copies are under way during a step."""
        return tuple(each for each in self.fillings if each.issued <= step < each.done)


@dataclass(slots=True)
class _Batch:
    rows: list[int]
    lines: set[int]
    issued: int
    done: int
    copiers: set[int]
    sizes: dict[int, int]
    """Bytes by the step that issues their copy."""


def stages_of(index: LaunchIndex, block: int) -> Stages:
    """The pipeline of a block; without stages where nothing is copied asynchronously."""
    batches = _batches(index, block)
    stage_of = _stages(batches)
    reads, ends = _reads(index, block), engine_reads(index, block)
    order = sorted(set(stage_of.values()), key=lambda stage: min(line for line, each in stage_of.items() if each == stage))
    numbers = {stage: number for number, stage in enumerate(order)}
    lines = {line: numbers[stage] for line, stage in stage_of.items()}
    own = [lines[min(batch.lines)] for batch in batches]
    fillings = list[Filling]()
    for number, (batch, stage) in enumerate(zip(batches, own, strict=True)):
        next_one = next((each for each in range(number + 1, len(own)) if own[each] == stage), None)
        until = index.steps if next_one is None else max(batches[next_one].issued, batch.done + 1)
        found = [each for line in batch.lines for each in reads.get(line, ()) if batch.done <= each[0] < until]
        first, last = min((step for step, _ in found), default=None), max((ends.get(step, step) for step, _ in found), default=None)
        clash = _clash(index, batch, reads, again=stage in own[:number])
        before = next((each for each in reversed(fillings) if each.stage == stage), None)
        if clash is None and before is not None and before.last_read is not None and before.last_read >= batch.issued:
            clash = _in_use(index, batch, reads, before)
        copiers, readers = frozenset(batch.copiers), frozenset(warp for _, warp in found)
        sizes = batch.sizes
        fillings.append(Filling(number, stage, batch.issued, batch.done, first, last, sum(sizes.values()), copiers, readers, clash,
                                tuple(sorted(sizes.items()))))  # fmt: skip
    names = tuple(_names(index, sorted(line for line, each in lines.items() if each == number)) for number in range(len(order)))
    return Stages(names, tuple(fillings), lines)


class FilledTiles:
    """For steps that issue asynchronous copies the tile step that reads them, which comes later than the one under way."""

    def __init__(self, _index: LaunchIndex) -> None:
        self._known: dict[int, dict[int, int]] = {}

    def of(self, index: LaunchIndex, block: int, step: int) -> int | None:
        """The tile step, from 0; None where the step issues no copy, or nobody reads it."""
        if not copies_ahead(index):
            return None
        if block not in self._known:
            read = ((each, each.read) for each in stages_of(index, block).fillings)
            self._known[block] = {issued: index.tile(first) for each, first in read if first is not None for issued, _ in each.sizes}
        return self._known[block].get(step)


def _clash(index: LaunchIndex, batch: _Batch, reads: dict[int, list[tuple[int, int]]], *, again: bool) -> Clash | None:
    """The reads of a batch's lines before it is done that are a finding."""
    found = [
        {each.location.line, each.other.line}
        for each in index.record.findings
        if each.kind in (FindingKind.DATA_RACE, FindingKind.ASYNCHRONOUS_ACCESS) and each.other is not None
    ]
    copy_line = index.trace.sites[index.trace.rows.site[batch.rows[0]]].location.line
    steps = sorted({step for line in batch.lines for step, _ in reads.get(line, ()) if batch.issued <= step < batch.done})
    early = [step for step in steps if {index.site(step).location.line, copy_line} in found] if found else []
    return Clash(early[0], early[-1], copy_line, index.site(early[0]).location.line, again) if early else None


def _in_use(index: LaunchIndex, batch: _Batch, reads: dict[int, list[tuple[int, int]]], before: Filling) -> Clash | None:
    """The rest of what wgmma may read of the filling before, where a finding says that copies overwrite it."""
    copy_line = index.trace.sites[index.trace.rows.site[batch.rows[0]]].location.line
    alone = {each.location.line for each in index.record.findings if each.kind is FindingKind.ASYNCHRONOUS_ACCESS and each.other is None}
    steps = [step for line in batch.lines for step, _ in reads.get(line, ()) if before.done <= step < batch.issued]
    if copy_line not in alone or not steps or before.last_read is None:
        return None
    last = max(min(before.last_read, batch.done - 1), batch.issued)
    return Clash(batch.issued, last, copy_line, index.site(max(steps)).location.line, again=True)


def copies_ahead(index: LaunchIndex) -> bool:
    """Whether the launch copies asynchronously."""
    issued = index.trace.rows.issued
    return issued is not None and bool((issued >= 0).any())


def _batches(index: LaunchIndex, block: int) -> list[_Batch]:
    """The copies of a block, together as far as they were issued in one barrier interval and waited for in one."""
    trace, rank = index.trace, index.record.order.rank
    rows, issued = trace.rows, trace.rows.issued
    if issued is None:
        return []
    found: dict[tuple[int, int], _Batch] = {}
    phases, landed = _phases(index, block)
    for row in np.flatnonzero((rows.block == block) & (issued >= 0)).tolist():
        mask: Bools = trace.masks[rows.mask[row]]
        lanes = np.flatnonzero(mask)
        warps = np.unique(lanes // WARP)
        if not len(lanes):
            continue
        begin = int(issued[row])
        first = _first_step(rank, begin, row, warps)
        key = landed.get(row) or phases.get(begin) or (int(rows.epoch[min(begin, len(rows.epoch) - 1)]), int(rows.epoch[row]))
        size = trace.sites[rows.site[row]].bytes
        address = trace.bases[rows.base[row], lanes] + rows.offset[row]
        batch = found.setdefault(key, _Batch([], set(), first, 0, set(), {}))
        batch.rows.append(row)
        batch.lines.update(np.unique(address // LINE).tolist())
        batch.issued = min(batch.issued, first)
        batch.done = max(batch.done, int(rank[row].max()))
        for warp in warps.tolist():
            step = _first_step(rank, begin, row, np.array([warp]))
            batch.sizes[step] = batch.sizes.get(step, 0) + int(np.count_nonzero(lanes // WARP == warp)) * size
        batch.copiers.update(() if row in landed else warps.tolist())
    return sorted(found.values(), key=lambda each: (each.issued, each.done))


Phase = tuple[int, int]


def _phases(index: LaunchIndex, block: int) -> tuple[dict[int, Phase], dict[int, Phase]]:
    """The barrier in shared memory that each copy completes on, and its phase: of copies of the block by the number of rows when they were
    issued, of those that came from other blocks of the cluster by their rows."""
    complete, own, landed = dict[int, int](), dict[int, Phase](), dict[int, Phase]()
    barriers = _barriers_by_place(index)
    for event in index.trace.events:
        if event.block != block:
            continue
        if event.kind is Happening.BARRIER_PHASE:
            complete[event.address] = complete.get(event.address, 0) + 1
        elif event.kind is Happening.COPY_ISSUED and event.other >= 0:
            own[event.row] = -1 - event.other, complete.get(event.other, 0)
        elif event.kind is Happening.COPY_COMPLETED and event.other >= 0 and len(barriers.get(event.address, ())) == 1:
            (barrier,) = barriers[event.address]
            landed |= dict.fromkeys(_landed_rows(index, event), (-1 - barrier, complete.get(barrier, 0)))
    return own, landed


def _barriers_by_place(index: LaunchIndex) -> dict[int, set[int]]:
    """The barriers that copies to a place in shared memory complete on, whichever block's it is."""
    found: dict[int, set[int]] = {}
    for event in index.trace.events:
        if event.kind is Happening.COPY_ISSUED and event.other >= 0:
            found.setdefault(event.address & OWN_ADDRESS, set()).add(event.other)
    return found


def _landed_rows(index: LaunchIndex, completed: Event) -> Iterator[int]:
    """The rows that wrote what came from another block: those just before its end."""
    rows = index.trace.rows
    assert rows.issued is not None
    for row in range(completed.row - 1, -1, -1):
        if rows.block[row] != completed.block or rows.issued[row] != rows.issued[completed.row - 1]:
            return
        yield row


def _first_step(rank: npt.NDArray[np.int32], begin: int, row: int, warps: Ints) -> int:
    """The step at which the first of some warps issues a copy: that of the row that reads for it, else of its next one."""
    for each in range(begin, row + 1):
        steps = rank[each, warps]
        if (steps >= 0).any():
            return int(steps[steps >= 0].min())
    return int(rank[row].max())


def _stages(batches: Iterable[_Batch]) -> dict[int, int]:
    """For each line of shared memory that copies fill the number of its stage."""
    found: dict[int, int] = {}
    for number, batch in enumerate(batches):
        known = [found[line] for line in batch.lines if line in found]
        found.update(dict.fromkeys(batch.lines - found.keys(), known[0] if known else number))
    return found


def _reads(index: LaunchIndex, block: int) -> dict[int, list[tuple[int, int]]]:
    """For each line of shared memory the steps that read it, with their warps: of each row and warp the first lane's line."""
    trace, order = index.trace, index.record.order
    loads = np.array([site.space is Space.SHARED and site.operation == "load" for site in trace.sites], np.bool_)
    row = order.row
    steps = np.flatnonzero(loads[trace.rows.site[row]] & (trace.rows.block[row] == block))
    rows, warps = row[steps], order.warp[steps].astype(np.int64)
    masks = trace.masks.reshape(len(trace.masks), -1, WARP)[trace.rows.mask[rows], warps]
    lane = warps * WARP + masks.argmax(axis=1)
    line = (trace.bases[trace.rows.base[rows], lane] + trace.rows.offset[rows]) // LINE
    found: dict[int, list[tuple[int, int]]] = {}
    for each, step, warp in zip(line.tolist(), steps.tolist(), warps.tolist(), strict=True):
        found.setdefault(each, []).append((step, warp))
    return found


def _names(index: LaunchIndex, lines: list[int]) -> str:
    """The arrays that some lines of shared memory are of, and which of their outermost parts, or from which byte on."""
    found: dict[str, str] = {}
    for line in lines:
        for each in index.trace.allocations:
            if each.space is Space.SHARED and each.address < (line + 1) * LINE and line * LINE < each.address + each.bytes:
                place = max(line * LINE - each.address, 0)
                part = each.bytes // each.shape[0] if len(each.shape) > 1 and each.shape[0] else 0
                found.setdefault(each.name, f"{each.name}[{place // part}]" if part else f"{each.name} + {place}")
    return ", ".join(found.values())
