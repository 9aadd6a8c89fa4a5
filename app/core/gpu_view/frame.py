"""A moment of a launch as a value: a pure function of (record, step, fraction). Each view has a function of its own beside it."""

from __future__ import annotations

from enum import Enum

from app.core.frames.matrix import LANDS_AT
from app.core.gpu_view.index import Lanes, LaunchIndex
from app.core.gpu_view.phases import BarrierInterval, StepPhase
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.trace.trace import Site


class WarpState(Enum):
    """State of a warp of the block while a step of another warp, or its own, is under way."""

    BEHIND = "behind"
    """It has not begun this barrier interval, or is in it and another has its turn: it is not yet where the interval ends."""
    RUNNING = "running"
    WAITING = "waiting"
    """It has arrived at the barrier that ends the interval."""
    DONE = "done"
    """It has nothing left to do in this interval, and no barrier follows."""
    IDLE = "idle"
    """It accesses nothing in this interval."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Frame of the stage while warp `warp` executes access row `row`, of which `fraction` (0 to 1) is done.

    `tile` is the tile step of the block from 0, of `tiles`. `block` is the block's index (x, y, z), `block_number` its place among the
    traced ones. `line` and `next_line` are in the shown text; None at the end.
    """

    step: int
    fraction: float
    steps: int
    row: int
    warp: int
    site: Site
    lanes: Lanes
    phase: StepPhase
    band: BarrierInterval
    tile: int
    tiles: int
    block: Dim3
    block_number: int
    line: int
    next_line: int | None
    warps: tuple[WarpState, ...]
    sectors: int
    sectors_ideal: int
    wavefronts: int
    degree: int

    @property
    def moment(self) -> int:
        """Steps whose writes are seen: this one's from when its data have travelled."""
        return self.step + (self.fraction >= LANDS_AT)

    @property
    def first_thread(self) -> int:
        """The number in its block of the thread that lane 0 is."""
        return self.warp * len(self.lanes.active)


def frame_at(index: LaunchIndex, step: int, fraction: float = 0.0) -> Frame:
    """The frame while `step` (0 to steps - 1) is under way and `fraction` of it is done."""
    row, warp = index.place(step)
    record, trace, band, site = index.record, index.trace, index.band(step), index.site(step)
    costs, case = record.costs, record.costs.case[row]
    return Frame(
        step, fraction, index.steps, row, warp, site, index.lanes(step), StepPhase(int(record.phases[trace.rows.site[row]])),
        band, index.tile(step), index.tiles(band.block), trace.blocks[band.block], band.block, site.location.line,
        index.site(step + 1).location.line if step + 1 < index.steps else None,
        _warps(index, band, step, warp),
        *(int(column[case, warp]) for column in (costs.sectors, costs.sectors_ideal, costs.wavefronts, costs.degree)),
    )  # fmt: skip


def _warps(index: LaunchIndex, band: BarrierInterval, step: int, running: int) -> tuple[WarpState, ...]:
    ranges = index.warp_ranges(band)
    later = index.record.bands[-1].stop > band.stop and index.band(band.stop).block == band.block
    others = (_state(ranges.get(warp), step, barrier_follows=later) for warp in range(index.warps))
    return tuple(WarpState.RUNNING if warp == running else state for warp, state in enumerate(others))


def _state(steps: tuple[int, int] | None, step: int, *, barrier_follows: bool) -> WarpState:
    """The state of a warp while another one runs. Where warps wait for one another within an interval, they take turns there."""
    if steps is None:
        return WarpState.IDLE
    if step <= steps[1]:
        return WarpState.BEHIND
    return WarpState.WAITING if barrier_follows else WarpState.DONE
