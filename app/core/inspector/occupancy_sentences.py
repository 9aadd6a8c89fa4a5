"""Occupancy of a launch in words: what limits it, what the other limits would allow, which registers it assumes.

Tells, too, which of the device profiles is this machine's own GPU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum

from app.core.gpu_view import plurals
from app.core.gpu_view.blocks import launch_occupancy
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import Occupancy
from kernels.base.architectures import REGISTERS, UNLIMITED
from kernels.base.devices import DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass


class RegisterSource(StrEnum):
    """Source of the number of registers."""

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
    """Occupancy as it is shown. `slots` warps fit an SM; each of `blocks` blocks fills `warps` of them."""

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
    placed = message("{blocks} of {warps} on each SM.", blocks=plurals.blocks(found.blocks_per_sm), warps=plurals.warps(warps))
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
        "warps": message("Warps would allow {blocks}.", blocks=plurals.blocks(most)),
        "blocks": message("The limit of blocks is {blocks}.", blocks=most),
        "registers": message("Registers would allow {blocks}.", blocks=plurals.blocks(most)),
        "shared memory": message("Shared memory would allow {blocks}.", blocks=plurals.blocks(most)),
    }[name]


_MODEL = re.compile(r"(?:RTX |GTX )?[A-Z]{0,2}\d{1,4}(?: Ti| SUPER)?\b")


def own_profile(statuses: Mapping[Device, DeviceStatus], profiles: Iterable[Profile]) -> Profile | None:
    """The profile of the GPU that was found here: of the same model and with as many multiprocessors; None where there is no such."""
    status = statuses.get(Device.GPU)
    if status is None or not status.name:
        return None
    return profile_like(status.name, status.details.get("multiprocessors"), profiles)


def profile_like(name: str, sms: object, profiles: Iterable[Profile]) -> Profile | None:
    """The profile of a GPU by the name that its driver gives and its multiprocessors, which may be None; None where there is no such."""
    found = _model(name)
    return next((each for each in profiles if _model(each.name) == found and sms in (None, each.sms)), None)


def _model(name: str) -> str:
    """ "H200" of "NVIDIA H200" and of "H200 SXM 141GB"."""
    match = _MODEL.search(name)
    return match[0] if match else name
