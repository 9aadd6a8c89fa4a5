"""The occupancy of a launch in words: what limits it, what the other limits would allow, and which registers it takes for granted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.core.launch import quantities
from app.core.launch.index import LaunchIndex
from app.core.launch.occupancy import launch_occupancy
from kernels.analysis.devices import Profile
from kernels.analysis.occupancy import REGISTERS, UNLIMITED, Occupancy
from kernels.messages import Message, message


class RegisterSource(StrEnum):
    """Where the number of registers comes from."""

    ASSUMED = "assumed"
    COMPILER = "compiler"
    USER = "user"


SOURCES = {
    RegisterSource.ASSUMED: message("assumed"),
    RegisterSource.COMPILER: message("from the compiler"),
    RegisterSource.USER: message("chosen by you"),
}


@dataclass(frozen=True, slots=True)
class OccupancyCard:
    """What is shown of an occupancy. `slots` warps fit an SM; each of `blocks` blocks fills `warps` of them."""

    occupancy: Occupancy
    slots: int
    blocks: int
    warps: int
    sentences: tuple[Message, ...]
    """What is placed and what limits it, or why it cannot be launched."""
    others: tuple[Message, ...]
    """What would limit it next."""

    @property
    def percent(self) -> int:
        return round(100 * self.occupancy.occupancy)


def occupancy_card(index: LaunchIndex, profile: Profile, registers: int) -> OccupancyCard:
    """The card of a launch on a device, if a thread takes `registers`."""
    found = launch_occupancy(index, profile, registers)
    return OccupancyCard(
        found, profile.architecture.warps, found.blocks_per_sm, index.warps, _sentences(found, profile, index.warps), _others(found)
    )


def _sentences(found: Occupancy, profile: Profile, warps: int) -> tuple[Message, ...]:
    if found.refusal is not None:
        return (found.refusal,)
    placed = message("{blocks} of {warps} on each SM.", blocks=quantities.blocks(found.blocks_per_sm), warps=quantities.warps(warps))
    limits = [_limit(name, profile) for name in found.limiters]
    return (placed, *limits)


def _others(found: Occupancy) -> tuple[Message, ...]:
    if found.refusal is not None:
        return ()
    return tuple(_other(name, most) for name, most in found.limits if name not in found.limiters and most != UNLIMITED)


def _limit(name: str, profile: Profile) -> Message:
    architecture = profile.architecture
    return {
        "warps": message("Limit: {warps} warps an SM.", warps=architecture.warps),
        "blocks": message("Limit: {blocks} blocks an SM.", blocks=architecture.blocks),
        "registers": message("Limit: {registers} registers an SM.", registers=REGISTERS),
        "shared memory": message("Limit: {kib} KiB of shared memory an SM.", kib=architecture.shared_bytes // 1024),
    }[name]


def _other(name: str, most: int) -> Message:
    return {
        "warps": message("Warps would allow {blocks}.", blocks=quantities.blocks(most)),
        "blocks": message("The limit of blocks is {blocks}.", blocks=most),
        "registers": message("Registers would allow {blocks}.", blocks=quantities.blocks(most)),
        "shared memory": message("Shared memory would allow {blocks}.", blocks=quantities.blocks(most)),
    }[name]
