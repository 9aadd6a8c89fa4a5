"""How the blocks of a launch come to the multiprocessors of a device: in waves, the last of them rarely full. A model."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from app.core.launch import quantities
from app.core.launch.frame import Frame
from app.core.launch.index import LaunchIndex
from app.core.launch.occupancy import launch_occupancy
from kernels.analysis.cases import Ints
from kernels.analysis.devices import Profile
from kernels.analysis.occupancy import Occupancy
from kernels.analysis.waves import Waves, waves
from kernels.messages import Message, message

FREE = -1
"""A place that no block takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
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


def schedule(index: LaunchIndex, profile: Profile, registers: int) -> Schedule:
    """The schedule of a launch on a device, if a thread takes `registers`."""
    blocks = prod(index.trace.grid)
    found = launch_occupancy(index, profile, registers)
    served = waves(blocks, found.blocks_per_sm, profile.sms) if found.blocks_per_sm else None
    return Schedule(profile, registers, blocks, found, served)


def block_number(index: LaunchIndex, frame: Frame) -> int:
    """The shown block's number in the grid: x counts first."""
    (x, y, z), (width, height, _) = frame.block, index.trace.grid
    return x + width * (y + height * z)


def device_words(plan: Schedule) -> Message:
    """The device and what one of its SMs holds."""
    return message(
        "{device}: {sms} SMs, {blocks} on each at a time",
        device=plan.profile.name,
        sms=plan.profile.sms,
        blocks=quantities.blocks(plan.blocks_per_sm),
    )


def device_name_words(plan: Schedule) -> Message:
    """The same in short."""
    return message("{device}: {blocks} on each SM", device=plan.profile.name, blocks=quantities.blocks(plan.blocks_per_sm))


def waves_words(plan: Schedule) -> Message:
    """How many waves, and how far the last one fills the device."""
    served = plan.waves
    if served is None:
        return plan.occupancy.refusal or message("An SM of this device cannot hold the block.")
    used, sms = min(served.tail, plan.profile.sms), plan.profile.sms
    if not served.tail:
        return message("Full waves: {count}", count=served.full)
    if served.count == 1 and used == sms:
        return message("1 wave; it has {blocks} for {places} places", blocks=quantities.blocks(plan.blocks), places=served.blocks_per_wave)
    if served.count == 1:
        return message("1 wave; it uses {used} of {sms} SMs", used=used, sms=sms)
    if used < sms:
        return message("{count} waves; the last fills {used} of {sms} SMs", count=served.count, used=used, sms=sms)
    percent = round(100 * served.tail / served.blocks_per_wave)
    return message("{count} waves; the last is {percent} % full", count=served.count, percent=percent)


def used_words(plan: Schedule) -> Message | None:
    """What part of the places the launch uses in all its waves; of a single wave the picture says it."""
    if plan.waves is None or plan.waves.count == 1:
        return None
    return message("{percent} % of the places of all waves are used.", percent=round(100 * plan.waves.efficiency, 1))


def assumption_words(plan: Schedule) -> Message:
    """What the model takes for granted."""
    return message("Assumed: {registers} registers a thread, and blocks that take equally long.", registers=plan.registers)


def wave_words(plan: Schedule, wave: int) -> Message:
    """What a picture of a wave shows."""
    assert plan.waves is not None
    if plan.waves.count == 1:
        return message("The only wave")
    if plan.waves.tail and wave == plan.waves.full:
        return message("Wave {number} of {count}, the last", number=wave + 1, count=plan.waves.count)
    return message("Wave {number} of {count}, full", number=wave + 1, count=plan.waves.count)
