"""Tiles of the output that a block computes one after the other, as persistent blocks do.

A tile is what is stored between two tile steps: each store belongs to the last tile step that its warp has computed with. What is stored
again, as by a kernel that adds to C in memory, is the same tile. Where that yields no rectangles that follow each other, or something is
computed that is not stored, no number is right for all warps: none is told then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from app.core.frames.matrix import Box
from app.core.gpu_view.phases import StepOrder, StepPhase, TileStep
from kernels.analysis.columns import Bools, Ints
from kernels.base.values import dataclass
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Trace

_NOTHING = -1


@dataclass(frozen=True, slots=True)
class OutputTile:
    """Tile of the output of a block: what its tile steps from `first` to `stop` (exclusive) are computed for."""

    first: int
    stop: int
    box: Box

    @property
    def steps(self) -> int:
        """How many tile steps it takes."""
        return self.stop - self.first

    def held(self, row: Ints, column: Ints) -> Bools:
        """Whether elements of the output belong to it, by their places."""
        box = self.box
        inside: Bools = (row >= box.row) & (row < box.row + box.rows) & (column >= box.column) & (column < box.column + box.columns)
        return inside


@dataclass(frozen=True, slots=True)
class _Stored:
    """What is stored after the tile step `step`: elements, each once, ascending; and the warps that do."""

    step: int
    elements: Ints
    warps: frozenset[int]


@dataclass(frozen=True, slots=True)
class Output:
    """Output of a launch: a matrix among its arrays."""

    allocation: int
    columns: int


def output_tiles(
    trace: Trace, order: StepOrder, phases: Ints, tiles: Sequence[TileStep], output: Output
) -> dict[int, tuple[OutputTile, ...]]:  # fmt: skip
    """The tiles of each block that computes several, in order; none where there are several and they cannot be told."""
    blocks, found = _Blocks(trace, order, phases, tiles, output), dict[int, tuple[OutputTile, ...]]()
    for block, last in {each.block: each.number for each in tiles}.items():
        parts = blocks.stored(block) if last else ()
        if len(parts) > 1 or (parts and parts[0].step == _NOTHING):
            found[block] = _tiles(parts, output.columns, last)
    return found


def _tiles(parts: Sequence[_Stored], columns: int, last: int) -> tuple[OutputTile, ...]:
    """What is stored after some tile steps as tiles, if they can be told: `last` is the block's last tile step."""
    elements = np.concatenate([each.elements for each in parts])
    boxes = [box for each in parts if (box := _filled(each.elements, columns)) is not None]
    apart = len(np.unique(elements)) == len(elements) and len(boxes) == len(parts)
    handed_on = all(one.warps & other.warps for one, other in pairwise(parts))
    if not apart or not handed_on or parts[0].step == _NOTHING or parts[-1].step < last:
        return ()
    begins = (0, *(each.step + 1 for each in parts))
    return tuple(OutputTile(*span, box) for span, box in zip(pairwise(begins), boxes, strict=True))


def _filled(elements: Ints, columns: int) -> Box | None:
    """The rectangle that some elements fill; None where they fill none."""
    row, column = np.divmod(elements, columns)
    top, left = int(row.min()), int(column.min())
    box = Box(top, left, int(row.max()) - top + 1, int(column.max()) - left + 1)
    return box if box.rows * box.columns == len(elements) else None


class _Blocks:
    """Blocks of a trace with what they store of the output, and when they compute."""

    def __init__(self, trace: Trace, order: StepOrder, phases: Ints, tiles: Sequence[TileStep], output: Output) -> None:
        self._trace, self._rank, self._array = trace, order.rank, trace.allocations[output.allocation]
        self._starts, self._numbers = (np.array(column, np.int64) for column in zip(*((t.start, t.number) for t in tiles), strict=True))
        reached = (output.allocation, _NOTHING)
        storing = [each.space is not Space.SHARED and each.operation != "load" and each.allocation in reached for each in trace.sites]
        self._stores = _by_block(trace, storing)
        computing = zip(trace.sites, phases.tolist(), strict=True)
        self._computes = _by_block(trace, [each.space is Space.SHARED and phase == StepPhase.COMPUTE for each, phase in computing])

    def stored(self, block: int) -> tuple[_Stored, ...]:
        """What a block stores after its tile steps; nothing where it stores after all that it computes, as most kernels do."""
        stores, computing = self._stores[block], self._computes[block]
        if not len(stores) or not len(computing) or stores[0] > computing[-1]:
            return ()
        found: dict[int, list[tuple[int, Ints]]] = {}
        for warp in range(self._rank.shape[1]):
            mine = computing[self._rank[computing, warp] >= 0]
            rows = stores[self._rank[stores, warp] >= 0]
            before = np.searchsorted(mine, rows)
            computed = np.append(self._tile_of(self._rank[mine, warp]), _NOTHING)[before - 1]
            for step in np.unique(computed[(computed != _NOTHING) | (len(mine) == 0)]).tolist():  # else it only makes the output ready
                elements = self._elements(rows[computed == step], warp)
                if len(elements):
                    found.setdefault(step, []).append((warp, elements))
        parts = [
            _Stored(step, np.unique(np.concatenate([each for _, each in of])), frozenset(warp for warp, _ in of))
            for step, of in sorted(found.items())
        ]
        return tuple(_joined(parts))

    def _tile_of(self, steps: Ints) -> Ints:
        found: Ints = self._numbers[np.searchsorted(self._starts, steps, side="right") - 1]
        return found

    def _elements(self, rows: Ints, warp: int) -> Ints:
        """The elements of the output that a warp stores in some rows."""
        trace, lanes, array = self._trace, slice(warp * WARP, (warp + 1) * WARP), self._array
        first = trace.bases[trace.rows.base[rows], lanes] + trace.rows.offset[rows][:, None]
        size = np.array([each.bytes for each in trace.sites])[trace.rows.site[rows]]
        inside = trace.masks[trace.rows.mask[rows], lanes] & (first >= array.address) & (first < array.address + array.bytes)
        element = (first - array.address) // array.element_bytes
        spans = np.broadcast_to(np.maximum(size // array.element_bytes, 1)[:, None], inside.shape)
        widest = int(spans.max(initial=1))
        return np.concatenate([(element + part)[inside & (spans > part)] for part in range(widest)])


def _joined(parts: Sequence[_Stored]) -> Iterator[_Stored]:
    """Parts with those that store the same elements again, one after the other, as one."""
    before: _Stored | None = None
    for part in parts:
        if before is not None and not np.array_equal(before.elements, part.elements):
            yield before
        same = before is not None and np.array_equal(before.elements, part.elements)
        before = _Stored(part.step, part.elements, part.warps | (before.warps if before is not None and same else frozenset()))
    if before is not None:
        yield before


def _by_block(trace: Trace, chosen: Sequence[bool]) -> list[Ints]:
    """The rows of chosen sites, for each block, ascending."""
    rows = np.flatnonzero(np.array(chosen, np.bool_)[trace.rows.site])
    rows = rows[np.argsort(trace.rows.block[rows], kind="stable")]
    return np.split(rows, np.searchsorted(trace.rows.block[rows], np.arange(1, len(trace.blocks))))
