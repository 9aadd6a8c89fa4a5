"""Grid of a launch as a picture of few cells, its occupancy on the chosen device, and the schedule of its blocks.

The schedule is a model: blocks come to the multiprocessors in waves, the last of them rarely full.
"""

from __future__ import annotations

from math import prod

import numpy as np

from app.core.gpu_view import plurals
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.subject import extent_text
from kernels.analysis.columns import Ints
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import Occupancy, Waves, occupancy, waves
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3
from kernels.simt.base.types import Space

MOST_CELLS = 32
"""Along each side, up to which every block has a cell of its own."""


@dataclass(frozen=True, slots=True)
class BlockGrid:
    """`across` x `down` cells, each `factor` x `factor` blocks of one layer (z) of the grid. Cells are (column, row).

    `traced` says for a cell the first block that was traced in it, as its place in `Trace.blocks`; other blocks only repeat those.
    """

    across: int
    down: int
    factor: int
    traced: dict[tuple[int, int], int]
    whole: bool
    """Whether every block was traced."""

    def cell(self, block: Dim3) -> tuple[int, int]:
        """Return the cell in which a block is."""
        return block[0] // self.factor, block[1] // self.factor


def block_grid(index: LaunchIndex, layer: int, most: int = MOST_CELLS) -> BlockGrid:
    """The picture of the layer `z = layer` of the grid; one that needs aggregation has at most `most` cells along each side."""
    width, height, _ = index.trace.grid
    largest = max(width, height)
    factor = 1 if largest <= MOST_CELLS else 1 << (-(-largest // most) - 1).bit_length()
    traced: dict[tuple[int, int], int] = {}
    for number, (x, y, z) in enumerate(index.trace.blocks):
        if z == layer:
            traced.setdefault((x // factor, y // factor), number)
    whole = extent_text(index.trace) is None
    return BlockGrid(-(-width // factor), -(-height // factor), factor, traced, whole)


def first_step(index: LaunchIndex, block: int) -> int | None:
    """The first step of a traced block; None where it has none."""
    return next((band.start for band in index.record.bands if band.block == block), None)


def grid_text(index: LaunchIndex) -> Message:
    """Return how many blocks the grid has."""
    return message("Grid: {size} blocks", size=times(index.trace.grid))


def cell_text(grid: BlockGrid) -> Message | None:
    """What a cell stands for, where that is not one block."""
    return message("1 cell = {factor} × {factor} blocks", factor=grid.factor) if grid.factor > 1 else None


def shown_text(frame: Frame) -> Message:
    """Return which block is shown."""
    return message("Shown: block {block}", block=place(frame.block))


def times(size: Dim3) -> str:
    """A size as it is written: two factors, three where the third is not 1."""
    return " × ".join(str(each) for each in (size if size[2] > 1 else size[:2]))


def place(index: Dim3, size: Dim3 | None = None) -> str:
    """An index as it is written: (x, y), with z where it can be other than 0."""
    return "({})".format(", ".join(str(each) for each in (index if index[2] or (size or index)[2] > 1 else index[:2])))


def launch_occupancy(index: LaunchIndex, profile: Profile, registers: int) -> Occupancy:
    """How many blocks of the launch an SM of the device holds, if a thread takes `registers`."""
    return occupancy(profile.compute_capability, prod(index.trace.block), registers, shared_bytes(index))


def shared_bytes(index: LaunchIndex) -> int:
    """Shared memory of a block: to the end of its arrays, and what the launch adds for those without a size of their own."""
    arrays = [each for each in index.trace.allocations if each.space is Space.SHARED]
    static = max((each.address + each.bytes for each in arrays), default=0)
    return max(static, index.subject.launch.shared_bytes)


FREE = -1
"""A place that no block takes."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockSchedule:
    """The blocks of a grid on a device. `waves` is None where an SM holds no block at all."""

    profile: Profile
    registers: int
    blocks: int
    occupancy: Occupancy
    waves: Waves | None

    @property
    def blocks_per_sm(self) -> int:
        return self.occupancy.blocks_per_sm

    def wave_of(self, block: int) -> int:
        """The wave, from 0, that a block is in; 0 where there are none."""
        return block // self.waves.blocks_per_wave if self.waves is not None else 0

    def places(self, wave: int) -> Ints:
        """SMs x places of an SM: the block there in this wave, or FREE. Blocks are dealt one to each SM in turn."""
        assert self.waves is not None
        sms, slots = self.profile.sms, self.blocks_per_sm
        held = np.arange(slots)[None, :] * sms + np.arange(sms)[:, None] + wave * self.waves.blocks_per_wave
        return np.where(held < self.blocks, held, FREE)


def schedule(index: LaunchIndex, profile: Profile, registers: int) -> BlockSchedule:
    """The schedule of a launch on a device, if a thread takes `registers`."""
    blocks = prod(index.trace.grid)
    found = launch_occupancy(index, profile, registers)
    served = waves(blocks, found.blocks_per_sm, profile.sms) if found.blocks_per_sm else None
    return BlockSchedule(profile, registers, blocks, found, served)


def block_number(index: LaunchIndex, frame: Frame) -> int:
    """The shown block's number in the grid: x counts first."""
    (x, y, z), (width, height, _) = frame.block, index.trace.grid
    return x + width * (y + height * z)


def device_text(plan: BlockSchedule) -> Message:
    """The device and what one of its SMs holds."""
    return message(
        "{device}: {sms} SMs, {blocks} on each at a time",
        device=plan.profile.name,
        sms=plan.profile.sms,
        blocks=plurals.blocks(plan.blocks_per_sm),
    )


def device_name_text(plan: BlockSchedule) -> Message:
    """Return the device and its blocks on an SM, in short."""
    return message("{device}: {blocks} on each SM", device=plan.profile.name, blocks=plurals.blocks(plan.blocks_per_sm))


def waves_text(plan: BlockSchedule) -> Message:
    """How many waves, and how far the last one fills the device."""
    served = plan.waves
    if served is None:
        return plan.occupancy.refusal or message("An SM of this device cannot hold the block.")
    used, sms = min(served.tail, plan.profile.sms), plan.profile.sms
    if not served.tail:
        return message("Full waves: {count}", count=served.full)
    if served.count == 1 and used == sms:
        return message("1 wave; it has {blocks} for {places} places", blocks=plurals.blocks(plan.blocks), places=served.blocks_per_wave)
    if served.count == 1:
        return message("1 wave; it uses {used} of {sms} SMs", used=used, sms=sms)
    if used < sms:
        return message("{count} waves; the last fills {used} of {sms} SMs", count=served.count, used=used, sms=sms)
    percent = round(100 * served.tail / served.blocks_per_wave)
    return message("{count} waves; the last is {percent} % full", count=served.count, percent=percent)


def used_text(plan: BlockSchedule) -> Message | None:
    """What part of the places the launch uses in all its waves; of a single wave the picture says it."""
    if plan.waves is None or plan.waves.count == 1:
        return None
    return message("{percent} % of the places of all waves are used.", percent=round(100 * plan.waves.efficiency, 1))


def assumption_text(plan: BlockSchedule) -> Message:
    """What the model goes by. Whose number of registers it is, assumed or the compiler's, stands beside it in the settings."""
    return message("With {registers} registers a thread. Assumed: blocks take equally long.", registers=plan.registers)


def wave_text(plan: BlockSchedule, wave: int) -> Message:
    """What a picture of a wave shows."""
    assert plan.waves is not None
    if plan.waves.count == 1:
        return message("The only wave")
    if plan.waves.tail and wave == plan.waves.full:
        return message("Wave {number} of {count}, the last", number=wave + 1, count=plan.waves.count)
    return message("Wave {number} of {count}, full", number=wave + 1, count=plan.waves.count)
