"""Tile steps of blocks whose tensor cores read shared memory themselves (wgmma): no barrier of the block parts these.

What groups of wgmma multiply that share anything of what was filled is one tile step. Where warps go back to a tile step that another one
has left, no number is right for all of them: none is told then.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt

from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.events import Event, Happening
from kernels.simt.trace.trace import WARP, Trace

_TYPE_OF_A = 3
"""Where it stands in the name of a product: `mma.m16n8k16.f32.bf16.bf16.f32`."""
_WORD = 4
_NOBODY = -1
_Group = tuple[int, int]
"""A warp, and the number of its group of wgmma."""


@dataclass(frozen=True, slots=True)
class Multiplied:
    """Tile step that tensor cores multiply: read from the step `start` on, and waited for before the step `complete`."""

    start: int
    complete: int


def operand_kind(trace: Trace) -> str:
    """The type of A in all products of tensor cores, as PTX spells it; nothing where there are none, or several types."""
    kinds = {event.name.split(".")[_TYPE_OF_A] for event in trace.events if event.kind is Happening.PRODUCT}
    return kinds.pop() if len(kinds) == 1 else ""


def steps_multiplied(trace: Trace, rank: npt.NDArray[np.int32]) -> dict[int, tuple[Multiplied, ...]]:
    """For each block that wgmma multiplies in its tile steps in order, none where that cannot be told. `rank` is rows x warps: the step in
    which a warp executes a row."""
    operands = np.array([site.operand for site in trace.sites], np.bool_)
    if not operands.any():
        return {}
    reading = operands[trace.rows.site]
    return {block: _multiplied(trace, rank, block, reading) for block in np.unique(trace.rows.block[reading]).tolist()}


def _multiplied(trace: Trace, rank: npt.NDArray[np.int32], block: int, reading: Bools) -> tuple[Multiplied, ...]:
    committed = _of_warps(trace, block, Happening.GROUP_COMMITTED)
    tiles, reads = _Tiles(), list[tuple[int, _Group]]()
    for row, warp, fillings in _reads(trace, block, reading):
        group = warp, bisect_right(committed.get(warp, ()), row, key=_row)
        tiles.join(group, fillings)
        reads.append((int(rank[row, warp]), group))
    runs = [(tile, next(own)[0]) for tile, own in groupby(sorted(reads), lambda read: tiles.of(read[1]))]
    starts = dict(runs)
    if len(starts) < len(runs):
        return ()
    complete = dict.fromkeys(starts, 0)
    for group in {group for _, group in reads}:
        tile = tiles.of(group)
        complete[tile] = max(complete[tile], _waited(trace, rank, block, group, committed))
    return tuple(Multiplied(start, complete[tile]) for tile, start in starts.items())


def _waited(trace: Trace, rank: npt.NDArray[np.int32], block: int, group: _Group, committed: dict[int, list[Event]]) -> int:
    """The step before which a warp has waited for a group of its own; behind the last where it never does."""
    warp, number = group
    for event in _of_warps(trace, block, Happening.GROUP_WAITED).get(warp, ()):
        if number < bisect_right(committed.get(warp, ()), event.row, key=_row) - event.value:
            own = rank[: event.row, warp][trace.rows.block[: event.row] == block]
            return int(own.max(initial=_NOBODY)) + 1
    return int(rank.max(initial=_NOBODY)) + 1


def _of_warps(trace: Trace, block: int, kind: Happening) -> dict[int, list[Event]]:
    """Events of groups of wgmma in a block, by warp."""
    found: dict[int, list[Event]] = {}
    for event in trace.events:
        if event.block == block and event.kind is kind and event.name.startswith("wgmma."):
            for warp in np.unique(np.flatnonzero(trace.masks[event.mask]) // WARP).tolist():
                found.setdefault(warp, []).append(event)
    return found


def _row(event: Event) -> int:
    return event.row


def _reads(trace: Trace, block: int, reading: Bools) -> Iterator[tuple[int, int, list[int]]]:
    """What each warp reads in each row that reads operands: the fillings, each by its number. All that one copy brings is one."""
    rows, issued = trace.rows, trace.rows.issued
    stores = np.array([each.space is Space.SHARED and each.operation != "load" for each in trace.sites], np.bool_)
    size = max((each.address + each.bytes for each in trace.allocations if each.space is Space.SHARED), default=0)
    filler: Ints = np.full(-(-size // _WORD), _NOBODY)
    for row in np.flatnonzero((rows.block == block) & (stores[rows.site] | reading)).tolist():
        lanes = np.flatnonzero(trace.masks[rows.mask[row]])
        first = (trace.bases[rows.base[row], lanes] + rows.offset[row]) // _WORD
        words = first[:, None] + np.arange(max(trace.sites[rows.site[row]].bytes // _WORD, 1))
        known = (words >= 0) & (words < len(filler))  # else of another block, or past the end
        if not reading[row]:
            copied = issued is not None and issued[row] >= 0
            filler[words[known]] = 2 * int(issued[row]) if issued is not None and copied else 2 * row + 1
            continue
        for warp in np.unique(lanes // WARP).tolist():
            own = words[known & (lanes // WARP == warp)[:, None]]
            yield row, warp, np.setdiff1d(filler[own], _NOBODY).tolist()


class _Tiles:
    """Groups of wgmma, put together where they share a filling."""

    def __init__(self) -> None:
        self._parents: dict[_Group | int, _Group | int] = {}

    def join(self, group: _Group, fillings: list[int]) -> None:
        """Note what a group multiplies."""
        for each in fillings:
            self._parents[self.of(each)] = self.of(group)

    def of(self, one: _Group | int) -> _Group | int:
        """What stands for all that a group or a filling is together with."""
        path = list[_Group | int]()
        while (parent := self._parents.setdefault(one, one)) != one:
            path.append(one)
            one = parent
        self._parents.update(dict.fromkeys(path, one))
        return one
