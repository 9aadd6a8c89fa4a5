"""Time of a launch of which the machine code is known: the multiprocessor model issues it, and the launch's waves are added up."""

from __future__ import annotations

from app.core.predictions.launched import PredictedLaunch
from kernels.analysis.analytical_time import Estimate, Task, part_cycles
from kernels.analysis.device_profiles import Profile, Timing
from kernels.analysis.occupancy import waves
from kernels.analysis.workload import Workload
from kernels.compiled.kernel import CompiledKernel
from kernels.compiled.multiprocessor import Costs, cycles_of
from kernels.compiled.warp_path import WarpPath, warp_path
from kernels.simt.trace.trace import WARP

FIRST_LEVEL_LATENCY = 50.0
SHARED_LATENCY = 24.0
BARRIER_CYCLES, BARRIER_CYCLES_OF_A_WARP = 12.0, 2.0
BLOCK_CYCLES = 1.2
"""Cycles in which the GPU starts a block, whatever its SMs do."""
DRAM_SHARE = 0.89
"""Of the published bandwidth, what a copy reaches. This and the five above were measured on an H200 (resources/recorded/latency.py)."""
LANES = 128
"""Of float32 in the multiprocessor that is modelled."""
START_CYCLES = 300.0
"""Of a block until its loop begins and from its end to its last store: a few loads of arguments, indices and addresses; assumed."""
NEAR, FAR = 3, 7
"""Rounds that are issued: the difference is of a loop that is under way."""


def simulated(launch: PredictedLaunch, task: Task, profile: Profile) -> Estimate | None:
    """The time of the launch by its machine code; None where that, or its path, is not known."""
    machine, timing = launch.machine, profile.timing
    if (
        not isinstance(machine, CompiledKernel)
        or timing is None
        or profile.fp32_lanes_per_sm != LANES
        or any(each.control is None for each in machine.instructions)
    ):
        return None
    path, warps = warp_path(machine.instructions, launch.counted.executed), -(-launch.threads // WARP)
    if not path.instructions:
        return None
    grid = waves(task.blocks, task.blocks_per_sm, profile.sms)
    resident = [task.blocks_per_sm] * grid.full + ([-(-grid.tail // profile.sms)] if grid.tail else [])
    parts, costs = part_cycles(task, profile), _costs(path, task, profile, timing, warps)
    rounds = _rounds(path, task.block, warps)
    known = {count: _wave(path, warps, count, rounds, costs) for count in sorted({*resident, 1})}
    ends = costs.memory_latency + timing.l2_latency + START_CYCLES
    moved = parts["dram"] / DRAM_SHARE
    spent = sum(max(known[count] + ends, moved * count) for count in resident)
    if not path.hot.repeats and grid.full > 1:
        steady = _wave(path, warps, 2 * task.blocks_per_sm, rounds, costs) - known[task.blocks_per_sm]
        spent = known[resident[0]] + ends + (len(resident) - 1) * max(steady, moved * task.blocks_per_sm)
    cycles = max(spent, task.blocks * BLOCK_CYCLES)
    busy = max(parts.values())
    milliseconds = cycles / (profile.boost_clock_mhz * 1e3) + timing.launch_us / 1e3
    waits = known[resident[0]] > 2 * busy * resident[0]
    return Estimate(milliseconds, tuple(parts.items()), max(known[1] + ends - busy, 0.0), grid.count, waits)


def _rounds(path: WarpPath, block: Workload, warps: int) -> float:
    """How often a warp goes the path."""
    if not path.hot.repeats:
        return 1.0
    return (block.requests + block.flops / 2 / WARP) / warps / path.hot.useful / path.trips


def _wave(path: WarpPath, warps: int, blocks: int, rounds: float, costs: Costs) -> float:
    """Cycles from the first to the last instruction of the path of blocks that are resident together."""
    if not path.hot.repeats:
        return cycles_of(path.instructions, warps, blocks, 1, costs)
    near, far = (cycles_of(path.instructions, warps, blocks, each, costs) for each in (NEAR, FAR))
    return (far - near) / (FAR - NEAR) * rounds


def _costs(path: WarpPath, task: Task, profile: Profile, timing: Timing, warps: int) -> Costs:
    """Costs of the launch's accesses on average: of shared memory with its conflicts, of global memory with what the caches have."""
    work = task.block
    requests = work.global_load_requests + work.global_store_requests
    words = {place: _words(path, *place) for place in (("load", "shared"), ("store", "shared"), ("load", "global"))}
    fetched = work.sectors_read_once * 32 * task.blocks
    from_dram = min(1.0, task.matrix_bytes / fetched) if fetched and task.matrix_bytes > profile.l2_bytes else 0.0
    return Costs(
        SHARED_LATENCY, timing.l2_latency + from_dram * (timing.dram_latency - timing.l2_latency), FIRST_LEVEL_LATENCY,
        _each(work.shared_load_wavefronts, work.shared_load_requests) / words["load", "shared"],
        _each(work.shared_store_wavefronts, work.shared_store_requests) / words["store", "shared"],
        _each(work.global_lines, requests) / words["load", "global"],
        work.sectors_read_once / max(work.global_load_requests, 1.0) / words["load", "global"],
        _each(work.global_lines, requests), work.global_store_sectors / max(work.global_store_requests, 1.0),
        32 * profile.sms / timing.l2_bytes_per_clock, BARRIER_CYCLES + BARRIER_CYCLES_OF_A_WARP * warps,
    )  # fmt: skip


def _each(count: float, requests: float) -> float:
    return count / requests if requests else 1.0


def _words(path: WarpPath, operation: str, space: str) -> float:
    """How many times 4 bytes a lane accesses on average, in instructions of the path."""
    found = [a.bytes / 4 for each in path.instructions for a in each.accesses if (a.operation, a.space) == (operation, space)]
    return sum(found) / len(found) if found else 1.0
