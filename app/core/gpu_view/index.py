"""Index of a launch's record: what frames ask of it, computed once; all answers are functions of the record.

The place on the timeline is also given as a share of the grid, so that a trace of other blocks or of another grid can take up there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from app.core.base.picture_parts import MatrixRole
from app.core.base.timeline import Unit
from app.core.frames.matrix import OUTPUT
from app.core.gpu_view.output_tiles import OutputTile
from app.core.gpu_view.phases import BarrierInterval, StepPhase
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from kernels.analysis.columns import Bools, Ints
from kernels.simt.base.launch import Dim3, index_in
from kernels.simt.base.types import Space
from kernels.simt.trace.trace import WARP, Site, Trace

T = TypeVar("T")
NOWHERE = -1


class OutputPlace(NamedTuple):
    """Place of a step in the tiles of C that its block computes one after the other: of `of` tiles the one with `number`, of that the tile
    step `step`, all counted from 0."""

    number: int
    of: int
    tile: OutputTile
    step: int


class Lanes(NamedTuple):
    """Lanes of one warp instruction, all 32 of them: who is active, and what each accesses. -1 stands for none."""

    active: Bools
    address: Ints
    """First byte of each lane."""
    allocation: Ints
    """The array that it lies in."""
    element: Ints
    """The element of that array, counted row-major, in which it begins."""


class LaunchIndex:
    """Index of the record of one subject: what frames ask of it, computed once."""

    def __init__(self, subject: Subject, record: LaunchRecord) -> None:
        self.subject = subject
        self.record = record
        self._tiles = {each.block: each.number + 1 for each in record.tiles}
        self._band_starts = [band.start for band in record.bands]
        self._tile_starts = [each.start for each in record.tiles]
        self._answers: dict[Callable[[LaunchIndex], Any], Any] = {}
        self._lanes = lru_cache(maxsize=256)(self._find_lanes)
        self._ranges = lru_cache(maxsize=256)(self._find_ranges)
        self._outputs = lru_cache(maxsize=8)(self._find_outputs)
        self._steps_in = lru_cache(maxsize=None)(self._find_steps_in)
        self._conflicts = lru_cache(maxsize=1)(self._find_conflicts)
        self._spans = lru_cache(maxsize=None)(self._find_spans)
        self.roles: Mapping[int, MatrixRole] = record.roles
        """The arguments that are matrices, by allocation."""

    def once(self, make: Callable[[LaunchIndex], T]) -> T:
        """What `make` says of this launch, asked once; it is kept here, so that it goes when the launch does."""
        if make not in self._answers:
            self._answers[make] = make(self)
        found: T = self._answers[make]
        return found

    @property
    def trace(self) -> Trace:
        return self.record.trace

    @property
    def steps(self) -> int:
        return self.record.order.steps

    @property
    def computes_from(self) -> int:
        """The first step that computes; 0 where none does."""
        phases = self.record.phases[self.trace.rows.site[self.record.order.row]]
        return next(iter(np.flatnonzero(phases == StepPhase.COMPUTE).tolist()), 0)

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return int(self.trace.masks.shape[1]) // WARP

    def place(self, step: int) -> tuple[int, int]:
        """The access row and the warp of a step."""
        order = self.record.order
        return int(order.row[step]), int(order.warp[step])

    def site(self, step: int) -> Site:
        return self.trace.sites[int(self.trace.rows.site[self.record.order.row[step]])]

    def span(self, site: Site, allocation: int) -> int:
        """How many elements of an array, one after the other, a lane of a site touches."""
        return max(1, site.bytes // max(1, self.trace.allocations[allocation].element_bytes))

    def spans(self, rows: npt.NDArray[np.integer[Any]], allocation: int) -> Ints:
        """Return, for each of some access rows, how many elements of an array a lane touches, as `span` does for a site."""
        found: Ints = self._spans(allocation)[self.trace.rows.site[rows]]
        return found

    def _find_spans(self, allocation: int) -> Ints:
        """The same for each site."""
        return np.array([self.span(site, allocation) for site in self.trace.sites], np.int64)

    def band(self, step: int) -> BarrierInterval:
        """The barrier interval that a step is in."""
        return self.record.bands[bisect_right(self._band_starts, step) - 1]

    def tile(self, step: int) -> int:
        """The tile step of its block that a step is in, from 0."""
        place = self.output(step)
        return self._begun(step) if place is None else place.tile.first + place.step

    def _begun(self, step: int) -> int:
        """The tile step that its block has begun at a step."""
        return self.record.tiles[bisect_right(self._tile_starts, step) - 1].number

    def tiles(self, block: int) -> int:
        """How many tile steps a block has."""
        return self._tiles[block]

    def output(self, step: int) -> OutputPlace | None:
        """Where a step is in the tiles of C of its block; None where the block computes one, or where that cannot be told. What stores a
        tile belongs to it, though other warps have begun the next one."""
        tiles = self.record.outputs.get(self.band(step).block, ())
        if not tiles:
            return None
        stored, tile = self._stored_of_output(step), self._begun(step)
        for number, each in enumerate(tiles):
            if stored is not None and each.held(*stored).any():
                return OutputPlace(number, len(tiles), each, each.steps - 1)
            if stored is None and tile < each.stop:
                return OutputPlace(number, len(tiles), each, tile - each.first)
        return None

    def _stored_of_output(self, step: int) -> tuple[Ints, Ints] | None:
        """Rows and columns of the elements of C that a step stores; None where it stores none."""
        lanes = self.lanes(step)
        for number, role in self.roles.items() if self.site(step).operation != "load" else ():
            own = lanes.element[lanes.active & (lanes.allocation == number)]
            if role.letter == OUTPUT and len(own):
                return np.divmod(own, role.columns)
        return None

    def lanes(self, step: int) -> Lanes:
        """Return what the lanes of a step do."""
        return self._lanes(step)

    def warp_ranges(self, band: BarrierInterval) -> dict[int, tuple[int, int]]:
        """For each warp that executes something in the interval its first and its last step."""
        return self._ranges(band)

    def outputs(self, block: int) -> tuple[int, Ints]:
        """The array that the block's threads write last in global memory, and the element that each thread writes last there (-1: none)."""
        return self._outputs(block)

    def steps_in(self, space: Space) -> npt.NDArray[np.intp]:
        """The steps that access a memory, in order."""
        return self._steps_in(space)

    @property
    def conflicts(self) -> npt.NDArray[np.intp]:
        """The steps whose access has a bank conflict, in order."""
        return self._conflicts()

    def _find_conflicts(self) -> npt.NDArray[np.intp]:
        order, costs = self.record.order, self.record.costs
        return np.flatnonzero(costs.degree[costs.case[order.row], order.warp] > 1)

    def steps_of_line(self, line: int) -> npt.NDArray[np.intp]:
        """The steps of one line of the shown text, in order."""
        chosen = [number for number, site in enumerate(self.trace.sites) if site.location.line == line and not site.location.file]
        return np.flatnonzero(np.isin(self.trace.rows.site, chosen)[self.record.order.row])

    def _find_steps_in(self, space: Space) -> npt.NDArray[np.intp]:
        chosen = np.array([site.space is space for site in self.trace.sites], np.bool_)
        return np.flatnonzero(chosen[self.trace.rows.site[self.record.order.row]])

    def _find_lanes(self, step: int) -> Lanes:
        row, warp = self.place(step)
        rows, part = self.trace.rows, slice(warp * WARP, (warp + 1) * WARP)
        active = self.trace.masks[rows.mask[row], part]
        address = np.where(active, self.trace.bases[rows.base[row], part] + rows.offset[row], NOWHERE)
        site = self.trace.sites[rows.site[row]]
        allocation, element = self._elements(address, active, site)
        return Lanes(active, address, allocation, element)

    def _elements(self, address: Ints, active: Bools, site: Site) -> tuple[Ints, Ints]:
        allocation, element = np.full(len(address), NOWHERE), np.full(len(address), NOWHERE)
        for number, each in enumerate(self.trace.allocations):
            if (each.space is Space.SHARED) != (site.space is Space.SHARED) or site.allocation not in (NOWHERE, number):
                continue
            inside = active & (address >= each.address) & (address < each.address + each.bytes) & (allocation == NOWHERE)
            allocation[inside] = number
            element[inside] = (address[inside] - each.address) // each.element_bytes
        return allocation, element

    def _find_ranges(self, band: BarrierInterval) -> dict[int, tuple[int, int]]:
        warps = self.record.order.warp[band.start : band.stop]
        found, first = np.unique(warps, return_index=True)
        last = len(warps) - 1 - np.unique(warps[::-1], return_index=True)[1]
        return {int(w): (band.start + int(a), band.start + int(b)) for w, a, b in zip(found, first, last, strict=True)}

    def _find_outputs(self, block: int) -> tuple[int, Ints]:
        rows = self.trace.rows
        stores = np.array([site.space is Space.GLOBAL and site.operation != "load" for site in self.trace.sites], np.bool_)
        written = np.full(self.trace.masks.shape[1], NOWHERE)
        own = np.flatnonzero((rows.block == block) & stores[rows.site])
        target = NOWHERE
        for row in own[::-1]:
            mask = self.trace.masks[rows.mask[row]] & (written == NOWHERE)
            site = self.trace.sites[rows.site[row]]
            address = self.trace.bases[rows.base[row]] + rows.offset[row]
            allocation, element = self._elements(address, mask, site)
            target = int(allocation[mask][0]) if target == NOWHERE and mask.any() else target
            chosen = mask & (allocation == target)
            written[chosen] = element[chosen]
            if not mask.any() or (written != NOWHERE).all():
                break
        return target, written


_ROUNDING = 1e-9


def grid_progress(index: LaunchIndex, time: float, other: Dim3 | None = None) -> float:
    """The part of the whole grid that is done at a point of the timeline, 0 to 1, if the blocks run one after the other; of an `other` grid
    the part up to the same block, where that has it."""
    starts = index.record.bounds[Unit.BLOCK]
    if not starts or time >= index.steps:
        return 1.0
    place = max(bisect_right(starts, time) - 1, 0)
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    number, grid = int(index.once(_numbers)[place]), index.trace.grid
    if other is not None:
        x, y, z = index_in(grid, number)
        if x < other[0] and y < other[1] and z < other[2]:
            number, grid = x + other[0] * (y + other[1] * z), other
    return (number + (time - starts[place]) / (stop - starts[place])) / prod(grid)


def time_at(index: LaunchIndex, progress: float) -> float:
    """The point of the timeline at which that part is done; of a block that was not traced, in the traced one before it."""
    starts, blocks = index.record.bounds[Unit.BLOCK], prod(index.trace.grid)
    if not starts or progress >= 1:
        return float(index.steps)
    block, part = divmod(progress * blocks + _ROUNDING, 1)
    numbers = index.once(_numbers)
    before = np.flatnonzero(numbers <= block)
    place = int(before[np.argmax(numbers[before])]) if len(before) else 0
    stop = starts[place + 1] if place + 1 < len(starts) else index.steps
    return starts[place] + part * (stop - starts[place])


def _numbers(index: LaunchIndex) -> Ints:
    """The numbers in the grid of the blocks that have steps, in the order of the timeline."""
    trace, order = index.trace, index.record.order
    numbers: Ints = np.array(trace.blocks, np.int64) @ (1, trace.grid[0], trace.grid[0] * trace.grid[1])
    return numbers[trace.rows.block[order.row[list(index.record.bounds[Unit.BLOCK])]]]


def other_half(index: LaunchIndex, site: Site, space: Space) -> str:
    """What the line of a site, of which a step executes a half, does in another memory with what the site moves: "load" or
    "store"; "" where that is nothing, or not known.

    What is read of a matrix is put into an array of the same letter; what is written was read from an array that has one.
    """
    letters = index.record.letters
    wanted = {"load": "store", "store": "load"}.get(site.operation, "")
    for other in index.trace.sites:
        if (other.space, other.operation, other.location.whole_line) != (space, wanted, site.location.whole_line) or other.tile:
            continue
        source, target = (site, other) if wanted == "store" else (other, site)
        read, put = (letters[each.allocation] if each.allocation != NOWHERE else "" for each in (source, target))
        if read and (target.space is Space.GLOBAL or read == put):
            return wanted
    return ""
