"""Occupancy: how many blocks of a launch are resident on a streaming multiprocessor (SM) at a time, and what limits them.

The blocks of a grid come in waves of as many blocks as the device holds at a time; the last of a grid is rarely full.
"""

from __future__ import annotations

from kernels.base.architectures import ARCHITECTURES, REGISTERS, REGISTERS_PER_THREAD, THREADS_PER_BLOCK, WARP
from kernels.base.messages import Message, message
from kernels.base.values import dataclass

ASSUMED_REGISTERS = 32
"""Registers of a thread where the compiler has not told: what most short kernels need at most."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Resident blocks and warps of an SM. Where the launch is impossible all three are 0 and `refusal` says why."""

    blocks_per_sm: int
    warps_per_sm: int
    occupancy: float
    """Resident warps of the most that the SM can hold, 0 to 1."""
    limiters: tuple[str, ...] = ()
    """What allows no more blocks: "warps", "blocks", "registers", "shared memory", one or several."""
    limits: tuple[tuple[str, int], ...] = ()
    """How many blocks each of them allows, in that order; 2147483647 where it does not limit."""
    refusal: Message | None = None


def occupancy(compute_capability: str, threads: int, registers: int, shared_bytes: int) -> Occupancy:
    """The occupancy of a launch with `threads` a block, `registers` a thread and `shared_bytes` (static and dynamic) a block.

    `compute_capability` is written as in "9.0". What cannot be launched gives no blocks and a refusal, never an exception.
    """
    architecture = ARCHITECTURES.get(compute_capability)
    refusal = _refuse(compute_capability, threads, registers, shared_bytes)
    if architecture is None or refusal is not None:
        return Occupancy(0, 0, 0.0, refusal=refusal)
    limits = architecture.block_limits(threads, shared_bytes, registers)
    blocks, warps = min(limits.values()), -(-threads // WARP)
    limiters = tuple(name for name, limit in limits.items() if limit == blocks)
    resident = blocks * warps
    refusal = _refuse_block(threads, registers, limits)
    return Occupancy(blocks, resident, resident / architecture.warps, limiters, tuple(limits.items()), refusal)


def _refuse(compute_capability: str, threads: int, registers: int, shared_bytes: int) -> Message | None:
    """Why no SM of this kind could ever hold such a block, from one number alone."""
    architecture = ARCHITECTURES.get(compute_capability)
    if architecture is None:
        known = ", ".join(ARCHITECTURES)
        return message("Compute capability {given} is not known; known are {known}.", given=compute_capability, known=known)
    if not 1 <= threads <= THREADS_PER_BLOCK:
        return message("{threads} threads a block; from 1 to {limit} are possible.", threads=threads, limit=THREADS_PER_BLOCK)
    if not 1 <= registers <= REGISTERS_PER_THREAD:
        return message("{registers} registers a thread; from 1 to {limit} are possible.", registers=registers, limit=REGISTERS_PER_THREAD)
    if not 0 <= shared_bytes <= architecture.shared_bytes_per_block:
        limit = architecture.shared_bytes_per_block
        return message("{bytes} bytes of shared memory a block; from 0 to {limit} are possible.", bytes=shared_bytes, limit=limit)
    return None


def _refuse_block(threads: int, registers: int, limits: dict[str, int]) -> Message | None:
    if min(limits.values()) > 0:
        return None
    return message(
        "{threads} threads with {registers} registers each need more than the {available} registers that a block can have.",
        threads=threads, registers=registers, available=REGISTERS,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Waves:
    """A model: all blocks take equally long, so that a wave ends as one."""

    blocks_per_wave: int
    full: int
    """Waves that fill the device."""
    tail: int
    """Blocks of the last wave where that is not full, else 0."""
    efficiency: float
    """Blocks served of those that the waves begun have room for, 0 to 1."""

    @property
    def count(self) -> int:
        return self.full + (self.tail > 0)


def waves(blocks: int, blocks_per_sm: int, sms: int) -> Waves:
    """The waves of a grid of `blocks` on `sms` multiprocessors that hold `blocks_per_sm` each; ValueError unless all are at least 1."""
    if min(blocks, blocks_per_sm, sms) < 1:
        raise ValueError("a grid, a multiprocessor and a device hold at least one block")
    at_once = blocks_per_sm * sms
    full, tail = divmod(blocks, at_once)
    return Waves(at_once, full, tail, blocks / (at_once * (full + (tail > 0))))
