"""Time model of a launch: what its blocks ask of a multiprocessor (SM), and what a block has to wait for.

It is a model, and a simple one. An SM works for a block at five things, each at its published rate:
- arithmetic: a fused multiply-add a lane and cycle;
- issuing: an instruction of a warp a cycle in each of four partitions;
- loads and stores (LSU): a wavefront of shared memory, or an even and an odd 128-byte line of global memory, a cycle;
- the L2 cache: each sector that a block loads once, and each that it stores; the SMs share the cache's bandwidth equally;
- DRAM: what must be moved at least, as far as the L2 cache does not keep the matrices.
They overlap: the slowest takes all the time (`busy`). One block alone adds what it waits for: loads of global memory whose values
it needs at once, shared memory after each barrier. Blocks that are resident together fill each other's waits (Little's law): a wave of R
blocks takes R times `busy`, or as long as one block alone, whichever is longer; before it comes the first value from memory, after it the
last store to the L2 cache, and nothing hides those.
"""

from __future__ import annotations

import numpy as np

from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import waves
from kernels.analysis.workload import Workload
from kernels.base.architectures import PARTITIONS
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.simt.base.types import Scope, Space
from kernels.simt.trace.trace import Trace

LOADS_AT_ONCE = 8.0
"""Loads that a thread has under way where the machine code is not known: what the compiler makes of most simple loops."""


KEPT = 0.5, 0.8
"""Of the L2 cache's size: up to the first all of what is used again is found in it, from the second on nothing. Each of its halves keeps
what its own SMs read. Copies of 4 to 256 MB on an H200 (packaging/recording/memory.py)."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Intervals of one block between its barriers, counted by what they wait for."""

    exposed: int
    """Intervals that load from global memory and have nothing else to do until the values are there."""
    overlapped: int
    """Intervals that read shared memory after the last load of global memory was issued."""
    shared_intervals: int
    """Intervals that read shared memory."""
    loads: int
    """Loads of global memory one after the other in each thread, joined loads once."""
    barriers: int


def chain(trace: Trace) -> Chain:
    """The chain of the first block of a trace."""
    own = trace.rows.block == 0
    site, epoch = trace.rows.site[own], trace.rows.epoch[own]
    loads = _of_kind(trace, Space.GLOBAL)[site]
    reads = _of_kind(trace, Space.SHARED)[site]
    exposed = overlapped = shared = 0
    for here in np.split(np.arange(len(epoch)), np.flatnonzero(np.diff(epoch)) + 1):
        load, read = (np.flatnonzero(kind[here]) for kind in (loads, reads))
        shared += len(read) > 0
        if len(load):
            beside = len(read) > 0 and bool(read[-1] > load[-1])
            overlapped += beside
            exposed += not beside
    barriers = sum(event.scope is Scope.BLOCK and event.block == 0 for event in trace.barriers)
    return Chain(exposed, overlapped, shared, int(loads.sum()), barriers)


def _of_kind(trace: Trace, space: Space) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([site.space is space and site.operation == "load" for site in trace.sites], np.bool_)


@dataclass(frozen=True, slots=True)
class Task:
    """A launch as the model takes it. `block` is the work of one block, on average."""

    blocks: int
    blocks_per_sm: int
    block: Workload
    chain: Chain
    instructions: float
    """Warp instructions of a block."""
    loads_at_once: float
    """Loads of global memory that a thread has under way where nothing but their number limits that."""
    matrix_bytes: int
    """Of all matrices: what must be moved at least."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Milliseconds that the model gives. `cycles` are those of a block on its SM at each of the five things, by name."""

    milliseconds: float
    cycles: tuple[tuple[str, float], ...]
    waiting: float
    """Cycles that a block alone waits."""
    waves: int
    waits: bool
    """Whether waiting, not work, sets the time of most waves."""

    @property
    def limit(self) -> str:
        """What the time is mostly made of: one of the five, or "latency"."""
        return "latency" if self.waits else max(self.cycles, key=lambda each: each[1])[0]


def refuse_time(profile: Profile, *, tensor_cores: bool, blocks_per_sm: int) -> Message | None:
    """Why the model has no time on a device for a kernel that uses tensor cores or of which so many blocks fit on an SM, or None."""
    if profile.latencies is None:
        return message("Not all latencies of {device} are published: there is no time model for it.", device=profile.name)
    if tensor_cores:
        return message("The kernel uses tensor cores, which the time model does not have.")
    if blocks_per_sm < 1:
        return message("No SM of {device} holds a block of this launch.", device=profile.name)
    return None


def estimate(task: Task, profile: Profile) -> Estimate:
    """The time of a launch; ValueError where the profile has no latencies or the launch uses tensor cores."""
    latencies = profile.latencies
    if latencies is None or task.block.tile_operations or task.block.engine_operations:
        raise ValueError("not modelled")
    cycles = part_cycles(task, profile)
    busy, waiting = max(cycles.values()), _waiting(task, profile, max(cycles.values()))
    grid = waves(task.blocks, task.blocks_per_sm, profile.sms)
    resident = [task.blocks_per_sm] * grid.full + ([-(-grid.tail // profile.sms)] if grid.tail else [])
    fill, drain = _ends(task, profile)
    spent = sum(fill + drain + max(blocks * busy, busy + waiting - fill) for blocks in resident)
    milliseconds = spent / (profile.boost_clock_mhz * 1e3) + latencies.launch_us / 1e3
    waits = busy + waiting + drain > resident[0] * busy
    return Estimate(milliseconds, tuple(cycles.items()), waiting, grid.count, waits)


def dram_share(matrix_bytes: int, l2_bytes: int) -> float:
    """How much of what is used again and again comes from DRAM, 0 to 1."""
    first, last = (share * l2_bytes for share in KEPT)
    return min(max((matrix_bytes - first) / (last - first), 0.0), 1.0)


def part_cycles(task: Task, profile: Profile) -> dict[str, float]:
    """Cycles for which one block keeps each part of its SM busy, by the name of the part."""
    assert profile.latencies is not None
    work = task.block
    l2_rate = profile.latencies.l2_bytes_per_clock / profile.sms
    dram_rate = profile.memory_bandwidth_gb_s * 1e3 / profile.boost_clock_mhz / profile.sms
    from_dram = task.matrix_bytes / task.blocks * dram_share(task.matrix_bytes, profile.l2_bytes)
    return {
        "arithmetic": work.flops / 2 / profile.fp32_lanes_per_sm,
        "issue": task.instructions / PARTITIONS,
        "lsu": work.shared_wavefronts + work.global_lookups,
        "l2": (work.sectors_read_once + work.global_store_sectors) * SECTOR_BYTES / l2_rate,
        "dram": from_dram / dram_rate,
    }


def _waiting(task: Task, profile: Profile, busy: float) -> float:
    """Cycles that a block waits if it is alone: for global memory, and for the first value after each barrier."""
    assert profile.latencies is not None
    latencies, chain, memory = profile.latencies, task.chain, _memory_latency(task, profile)
    exposed = chain.exposed if chain.barriers else chain.loads / max(task.loads_at_once, 1.0)
    beside_work = max(memory - busy / max(chain.overlapped, 1), 0.0) * chain.overlapped
    return exposed * memory + beside_work + chain.shared_intervals * latencies.shared_latency


def _ends(task: Task, profile: Profile) -> tuple[float, float]:
    """Cycles until a wave's first value is there, and from its last store to its end."""
    assert profile.latencies is not None
    fill = _memory_latency(task, profile) if task.block.global_load_requests else 0.0
    return fill, profile.latencies.l2_latency if task.block.global_store_requests else 0.0


def _memory_latency(task: Task, profile: Profile) -> float:
    assert profile.latencies is not None
    missed = dram_share(task.matrix_bytes, profile.l2_bytes)
    return profile.latencies.l2_latency + missed * (profile.latencies.dram_latency - profile.latencies.l2_latency)
