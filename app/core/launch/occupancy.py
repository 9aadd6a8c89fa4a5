"""The occupancy of a launch on the chosen device."""

from __future__ import annotations

from math import prod

from app.core.launch.index import LaunchIndex
from kernels.analysis.devices import Profile
from kernels.analysis.occupancy import Occupancy, occupancy
from kernels.simt.types import Space

ASSUMED_REGISTERS = 32
"""Registers of a thread where the compiler has not told: what most short kernels need at most."""


def launch_occupancy(index: LaunchIndex, profile: Profile, registers: int) -> Occupancy:
    """How many blocks of the launch an SM of the device holds, if a thread takes `registers`."""
    return occupancy(profile.compute_capability, prod(index.trace.block), registers, shared_bytes(index))


def shared_bytes(index: LaunchIndex) -> int:
    """Shared memory of a block: to the end of its arrays, and what the launch adds for those without a size of their own."""
    arrays = [each for each in index.trace.allocations if each.space is Space.SHARED]
    static = max((each.address + each.bytes for each in arrays), default=0)
    return max(static, index.subject.launch.shared_bytes)
