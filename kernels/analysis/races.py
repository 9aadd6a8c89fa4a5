"""Data races: two threads access the same bytes, one of them writes, and nothing orders the two.

`__syncthreads` orders the threads of its own block only; `__syncwarp`, shuffles and votes those of a warp that take part; blocks are
ordered by nothing but publication through an atomic (see `publication`). That the interpreter runs warps in lock step means nothing: of
two rows in one barrier interval either may come first on a GPU. Atomics do not race with each other, but do with plain accesses, save loads
that only begin a compare-and-swap (see `guesses`). Stores of equal values are no finding but a diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kernels.analysis.accesses import STORE, Accesses, Region, contested, operation_of_rows, regions
from kernels.analysis.cases import Ints
from kernels.analysis.conflicts import Conflict, Level, conflicts
from kernels.analysis.guesses import without_guesses
from kernels.analysis.meetings import NONE, Meetings
from kernels.analysis.merge import merged
from kernels.analysis.pending import with_pending
from kernels.analysis.publication import Publications
from kernels.analysis.race_words import as_finding
from kernels.simt.trace import WARP, Finding, Trace
from kernels.simt.types import Space


@dataclass(frozen=True, slots=True)
class Races:
    """One entry for each pair of lines, the first to show first. Its count is of the different accesses that run into another's."""

    findings: tuple[Finding, ...]
    equal_stores: tuple[Finding, ...]
    """Unordered stores of the same value to the same place: harmless here, worth knowing. Their kind is "equal-stores"."""


def races(trace: Trace) -> Races:
    """The data races of a launch, in shared and in global memory. Stores whose values the trace does not record count as unequal."""
    trace, number = with_pending(trace)
    meetings = Meetings(trace)
    found = merged(
        as_finding(trace, region, conflict) for region, rows in regions(trace) for conflict in _conflicts_in(trace, region, rows, meetings)
    )
    found = tuple(replace(finding, row=int(number[finding.row])) for finding in found)
    real = tuple(finding for finding in found if finding.kind == "data-race")
    return Races(real, tuple(finding for finding in found if finding.kind != "data-race"))


def _conflicts_in(trace: Trace, region: Region, rows: Ints, meetings: Meetings) -> Iterator[Conflict]:
    if region.space is Space.GLOBAL:
        accesses = _racing(trace, region, rows)
        if accesses is not None:
            yield from conflicts(trace, accesses, _levels(trace, accesses, meetings, between_blocks=True), times=1)
        return
    for interval, times in _distinct_intervals(trace, rows, meetings):
        accesses = _racing(trace, region, _without_repeated_loads(trace, interval))
        if accesses is not None:
            yield from conflicts(trace, accesses, _levels(trace, accesses, meetings, between_blocks=False), times)


def _racing(trace: Trace, region: Region, rows: Ints) -> Accesses | None:
    """The accesses among which races can be, in ascending order of row; None where there are none."""
    accesses = contested(trace, region, rows)
    return None if accesses is None else without_guesses(trace, accesses)


def _levels(trace: Trace, accesses: Accesses, meetings: Meetings, *, between_blocks: bool) -> tuple[Level, ...]:
    """What two accesses to one piece must share, and in what they must differ, to be unordered."""
    rows, row = trace.rows, accesses.row
    block, epoch, warp = rows.block[row].astype(np.int64), rows.epoch[row].astype(np.int64), accesses.lane // WARP
    interval = _number(accesses.piece, block, epoch)
    levels = [Level("block", interval, warp), *_levels_of_warp(row, accesses.lane, _number(interval, warp), meetings)]
    if not between_blocks:
        return tuple(levels)
    return (*levels, Level("grid", _number(accesses.piece), block, Publications(trace, accesses)))


def _levels_of_warp(row: Ints, lane: Ints, interval: Ints, meetings: Meetings) -> Iterator[Level]:
    """How accesses of one warp in one of the numbered intervals are unordered: no meeting of both threads stands between."""
    if not meetings.partial:
        yield Level("warp", _number(interval, meetings.last_of_warp(row, lane)), lane)
        return
    for pair in meetings.group_pairs():
        party = pair.party(lane)
        yield Level("warp", _number(interval, meetings.last_of(pair, row, lane), party != NONE), party)


def _number(*columns: Ints) -> Ints:
    """Equal numbers, from 0 on, where all columns are equal."""
    number = np.unique(columns[0], return_inverse=True)[1]
    for column in columns[1:]:
        values, code = np.unique(column, return_inverse=True)
        number = np.unique(number * len(values) + code, return_inverse=True)[1]
    return number


def _distinct_intervals(trace: Trace, rows: Ints, meetings: Meetings) -> list[tuple[Ints, int]]:
    """The barrier intervals of all blocks, each as its rows; those in which the same happened are given once, with how often they occur."""
    columns = trace.rows
    order = np.lexsort((columns.epoch[rows], columns.block[rows]))
    met, rows = meetings.since_row_before(rows)[order], rows[order]
    block, epoch = columns.block[rows], columns.epoch[rows]
    starts = np.flatnonzero(np.r_[True, (block[1:] != block[:-1]) | (epoch[1:] != epoch[:-1])]) if len(rows) else np.zeros(0, np.int64)
    ends = np.r_[starts[1:], len(rows)]
    changed, lost = (columns.mask if column is None else column for column in (columns.changed, columns.lost))
    met[starts] = 0
    what = [column[rows] for column in (columns.site, columns.mask, columns.base, columns.offset, changed, lost)]
    content = np.stack([*what, met], axis=1).astype(np.int64).tobytes()
    width = len(content) // max(len(rows), 1)
    seen: dict[bytes, list[int]] = {}
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        seen.setdefault(content[start * width : end * width], [start, end, 0])[2] += 1
    return [(rows[start:end], times) for start, end, times in seen.values()]


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
