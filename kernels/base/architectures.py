"""Limits of NVIDIA's GPUs: what each gives a block, what a streaming multiprocessor (SM) has by compute capability, what fits on one."""

from __future__ import annotations

from kernels.base.values import dataclass

KIB = 1024
WARP = 32
THREADS_PER_BLOCK = 1024
BLOCKS_PER_CLUSTER = 8
"""The most that every GPU with clusters allows; some allow more where the host opts in."""
SHARED_BYTES = 48 * KIB
"""Shared memory of a block, without opt-in."""
REGISTERS = 65536
"""On an SM, and at most in a block."""
REGISTERS_PER_THREAD = 255
REGISTER_UNIT = 256
"""Registers are given to a warp in multiples of this."""
PARTITIONS = 4
"""An SM's warps and registers are divided between four schedulers."""
UNLIMITED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Architecture:
    """Resources of an SM of a compute capability: from the CUDA C++ Programming Guide's technical specifications, and
    `cuda_occupancy.h`.
    """

    warps: int
    blocks: int
    shared_bytes: int
    shared_bytes_per_block: int
    """With opt-in; without it a block has at most `SHARED_BYTES`."""
    shared_reserved: int
    """Bytes that the system takes in each block."""
    shared_unit: int
    """Shared memory is given to a block in multiples of this many bytes."""

    def block_limits(self, threads: int, shared_bytes: int, registers: int = 1) -> dict[str, int]:
        """How many blocks each resource of the SM has room for. `threads` (from 1 on) and `shared_bytes` (static and dynamic) are a
        block's, `registers` a thread's; so few as 1 never limit."""
        warps = -(-threads // WARP)
        shared = _round_up(shared_bytes + self.shared_reserved, self.shared_unit)
        return {
            "warps": self.warps // warps,
            "blocks": self.blocks,
            "registers": _register_limit(warps, registers),
            "shared memory": self.shared_bytes // shared if shared else UNLIMITED,
        }

    def blocks_at_once(self, threads: int, shared_bytes: int) -> int:
        """How many blocks an SM holds at once, 0 where there is not so much shared memory. Registers are not looked at."""
        return min(self.block_limits(threads, shared_bytes).values())


ARCHITECTURES = {
    "7.0": Architecture(64, 32, 96 * KIB, 96 * KIB, 0, 256),
    "7.5": Architecture(32, 16, 64 * KIB, 64 * KIB, 0, 256),
    "8.0": Architecture(64, 32, 164 * KIB, 163 * KIB, 1024, 128),
    "8.6": Architecture(48, 16, 100 * KIB, 99 * KIB, 1024, 128),
    "8.9": Architecture(48, 24, 100 * KIB, 99 * KIB, 1024, 128),
    "9.0": Architecture(64, 32, 228 * KIB, 227 * KIB, 1024, 128),
    "10.0": Architecture(64, 32, 228 * KIB, 227 * KIB, 1024, 128),
    "12.0": Architecture(48, 24, 100 * KIB, 99 * KIB, 1024, 128),
}
"""By compute capability."""
OPT_IN_SHARED_BYTES = max(each.shared_bytes_per_block for each in ARCHITECTURES.values())
"""The most shared memory that any GPU gives a block."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """GPU as a launch meets it: SMs of an architecture, so many of them."""

    architecture: Architecture
    multiprocessors: int

    def blocks_at_once(self, threads: int, shared_bytes: int) -> int:
        """How many blocks the whole GPU holds at once; arguments as of `Architecture.blocks_at_once`."""
        return self.multiprocessors * self.architecture.blocks_at_once(threads, shared_bytes)


H100 = Gpu(ARCHITECTURES["9.0"], 132)
"""The GPU of a launch for which none is chosen."""


def _register_limit(warps: int, registers: int) -> int:
    a_warp = _round_up(WARP * registers, REGISTER_UNIT)
    if a_warp * _round_up(warps, PARTITIONS) > REGISTERS:
        return 0
    return PARTITIONS * (REGISTERS // PARTITIONS // a_warp) // warps


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
