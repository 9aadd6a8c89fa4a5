"""Time of a launch of which the machine code is known: the multiprocessor model issues it, and the launch's waves are added up."""

from __future__ import annotations

from itertools import product

from app.core.predictions.counted_launches import PredictedLaunch
from kernels.analysis.analytical_time import Estimate, Task, dram_share, part_cycles
from kernels.analysis.coalescing import SECTOR_BYTES
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import waves
from kernels.analysis.workload import Workload
from kernels.compiled.kernel import CompiledKernel
from kernels.compiled.multiprocessor import Costs, cycles_of
from kernels.compiled.warp_path import WarpPath, warp_path
from kernels.simt.trace.trace import WARP

FIRST_LEVEL_LATENCY = 50.0
SHARED_LATENCY = 24.0
BARRIER_CYCLES, BARRIER_CYCLES_OF_A_WARP = 12.0, 2.0
BLOCK_CYCLES, WARP_CYCLES = 1.2, 7.3
"""Cycles in which the GPU starts a block, whatever its SMs do, and an SM a warp of it."""
DRAM_SHARE = 0.89
"""Of the published bandwidth, what a copy reaches. This and those above were measured on an H200 (packaging/recording/latency.py)."""
STORED_SECTORS, STORED_LINE = 0.5, 4.0
"""Of the rate at which the L2 cache gives sectors, the rate at which it takes them; and how many given ones a line takes at least of which
sectors are stored to in part."""
LOADED_LATENCY = 0.75
"""By how much DRAM's latency grows from no traffic to nearly all that a copy reaches. This and the two above were measured on an H200
(packaging/recording/memory.py)."""
PASSES = 3
"""The latency follows from the traffic, which follows from the time: so often it is taken from the last one."""
LANES = 128
"""Of float32 in the multiprocessor that is modelled."""
START_CYCLES = 300.0
"""Of a block until its loop begins and from its end to its last store: a few loads of arguments, indices and addresses; assumed."""
SHOWN_WAVES = 2, 4
"""Waves that are issued of a kernel without a loop; what comes after them takes as long as the difference."""
NEAR, FAR = 3, 7
"""Rounds that are issued: the difference is of a loop that is under way."""


def simulated(launch: PredictedLaunch, task: Task, profile: Profile) -> Estimate | None:
    """The time of the launch by its machine code; None where that, or its path, is not known."""
    machine, latencies = launch.machine, profile.latencies
    if (
        not isinstance(machine, CompiledKernel)
        or latencies is None
        or profile.fp32_lanes_per_sm != LANES
        or any(each.control is None for each in machine.instructions)
    ):
        return None
    path, warps = warp_path(machine.instructions, launch.counted.executed), -(-launch.threads // WARP)
    if not path.instructions:
        return None
    if path.hot.repeats:
        return _looping(path, task, profile, warps)
    found = _straight(path, task, profile, warps, 0.0)
    for _ in range(PASSES - 1 if dram_share(task.matrix_bytes, profile.l2_bytes) else 0):
        moved = part_cycles(task, profile)["dram"] * task.blocks / profile.sms / DRAM_SHARE / (profile.boost_clock_mhz * 1e3)
        found = _straight(path, task, profile, warps, min(1.0, moved / found.milliseconds))
    return found


def _straight(path: WarpPath, task: Task, profile: Profile, warps: int, traffic: float) -> Estimate:
    """The time of a kernel without a loop: the blocks of the SM that has most of them, one begun where another ends. `traffic` is that of
    DRAM as a part of what a copy reaches."""
    costs = _costs(path, task, profile, warps, traffic)
    blocks, resident = -(-task.blocks // profile.sms), task.blocks_per_sm
    working = max(1, round(blocks * min(1.0, task.block.requests / (warps * path.accesses)))) if path.accesses else blocks
    near, far = (min(working, count * resident) for count in SHOWN_WAVES)
    known = {count: cycles_of(path.instructions, warps, count, 1, costs, resident) for count in {1, near, far}}
    each = (known[far] - known[near]) / (far - near) if far > near else 0.0
    cycles = max(known[far] + (working - far) * each, task.blocks * BLOCK_CYCLES)
    return _told(task, profile, cycles, known[1], known[near])


def _looping(path: WarpPath, task: Task, profile: Profile, warps: int) -> Estimate:
    """The time of a kernel by the loop in which it spends it: wave after wave, each with what comes before and after the loop."""
    costs = _costs(path, task, profile, warps, 0.0)
    assert profile.latencies is not None
    grid = waves(task.blocks, task.blocks_per_sm, profile.sms)
    resident = [task.blocks_per_sm] * grid.full + ([-(-grid.tail // profile.sms)] if grid.tail else [])
    moved = part_cycles(task, profile)["dram"] / DRAM_SHARE
    rounds = _rounds(path, task.block, warps)
    known = {count: _wave(path, warps, count, rounds, costs) for count in sorted({*resident, 1})}
    ends = costs.memory_latency + profile.latencies.l2_latency + START_CYCLES
    spent = sum(max(known[count] + ends, moved * count) for count in resident)
    return _told(task, profile, max(spent, task.blocks * BLOCK_CYCLES), known[1] + ends, known[resident[0]])


def _told(task: Task, profile: Profile, cycles: float, alone: float, wave: float) -> Estimate:
    """The estimate: `alone` are the cycles of one block by itself, `wave` those of the first one."""
    assert profile.latencies is not None
    parts = part_cycles(task, profile)
    busy, grid = max(parts.values()), waves(task.blocks, task.blocks_per_sm, profile.sms)
    milliseconds = cycles / (profile.boost_clock_mhz * 1e3) + profile.latencies.launch_us / 1e3
    waits = wave > 2 * busy * min(task.blocks_per_sm, -(-task.blocks // profile.sms))
    return Estimate(milliseconds, tuple(parts.items()), max(alone - busy, 0.0), grid.count, waits)


def _rounds(path: WarpPath, block: Workload, warps: int) -> float:
    """How often a warp goes the path."""
    return (block.requests + block.flops / 2 / WARP) / warps / path.hot.useful / path.trips


def _wave(path: WarpPath, warps: int, blocks: int, rounds: float, costs: Costs) -> float:
    """Cycles from the first to the last instruction of the loops of blocks that are resident together."""
    near, far = (cycles_of(path.instructions, warps, blocks, each, costs) for each in (NEAR, FAR))
    return (far - near) / (FAR - NEAR) * rounds


def _costs(path: WarpPath, task: Task, profile: Profile, warps: int, traffic: float) -> Costs:
    """Costs of the launch's accesses on average: of shared memory with its conflicts, of global memory with what the caches have."""
    assert profile.latencies is not None
    latencies, work = profile.latencies, task.block
    words = {place: _words(path, *place) for place in product(("load", "store"), ("shared", "global"))}
    fetched = work.sectors_read_once * SECTOR_BYTES * task.blocks
    missed = dram_share(task.matrix_bytes, profile.l2_bytes)
    from_dram = min(1.0, task.matrix_bytes / fetched) * missed if fetched else 0.0
    dram_latency = latencies.dram_latency * (1 + LOADED_LATENCY * traffic)
    sector = SECTOR_BYTES * profile.sms / latencies.l2_bytes_per_clock
    dram = SECTOR_BYTES * profile.sms * profile.boost_clock_mhz / (profile.memory_bandwidth_gb_s * 1e3 * DRAM_SHARE)
    return Costs(
        shared_latency=SHARED_LATENCY,
        memory_latency=latencies.l2_latency + from_dram * (dram_latency - latencies.l2_latency),
        first_level_latency=FIRST_LEVEL_LATENCY,
        load_wavefronts=_each(work.shared_load_wavefronts, work.shared_load_requests) / words["load", "shared"],
        store_wavefronts=_each(work.shared_store_wavefronts, work.shared_store_requests) / words["store", "shared"],
        load_lines=_each(work.global_load_lookups, work.global_load_requests) / words["load", "global"],
        missed_sectors=work.sectors_read_once / max(work.global_load_requests, 1.0) / words["load", "global"],
        store_lookups=_each(work.global_store_lookups, work.global_store_requests) / words["store", "global"],
        stored_lines=work.stored_lines / max(work.global_store_requests, 1.0) / words["store", "global"],
        stored_sectors=work.stored_sectors / max(work.global_store_requests, 1.0) / words["store", "global"],
        sector_cycles=sector,
        stored_sector_cycles=sector / STORED_SECTORS,
        stored_line_cycles=sector * STORED_LINE,
        dram_load_cycles=from_dram * dram,
        dram_store_cycles=missed * dram,
        barrier=BARRIER_CYCLES + BARRIER_CYCLES_OF_A_WARP * warps,
        block_start=max(BLOCK_CYCLES * profile.sms, WARP_CYCLES * warps),
        warp_start=WARP_CYCLES,
    )


def _each(count: float, requests: float) -> float:
    return count / requests if requests else 1.0


def _words(path: WarpPath, operation: str, space: str) -> float:
    """How many times 4 bytes a lane accesses on average, in instructions of the path."""
    found = [a.bytes / 4 for each in path.instructions for a in each.accesses if (a.operation, a.space) == (operation, space)]
    return sum(found) / len(found) if found else 1.0
