"""What a program asks about its kernels, and sets: shared memory beyond 48 KiB, how many blocks fit. Registers are not known here."""

from __future__ import annotations

import struct

from kernels.base.architectures import SHARED_BYTES, THREADS_PER_BLOCK
from kernels.simt import ir
from kernels.simt.host.c_library import service
from kernels.simt.host.errors import INVALID_VALUE, SUCCESS
from kernels.simt.host.machine import Call, Machine
from kernels.simt.host.names import kernel_number
from kernels.simt.host.runtime import give
from kernels.simt.run.launchable import static_shared

DYNAMIC_SHARED = 8
"""cudaFuncAttributeMaxDynamicSharedMemorySize."""


def allowed_shared(machine: Machine, kernel: ir.Kernel) -> int:
    """Give the bytes of shared memory, declared and dynamic, that a launch may have."""
    opted: dict[int, int] = machine.kept.get("dynamic shared", {})
    return max(SHARED_BYTES, opted.get(kernel_number(kernel.entry), 0) + static_shared(kernel))


def _static(machine: Machine, number: int) -> int:
    kernels: dict[int, ir.Kernel] = machine.kept.get("kernels", {})
    return static_shared(kernels[number]) if number in kernels else 0


@service("cudaFuncSetAttribute", "cudaFuncSetCacheConfig")
def set_attribute(machine: Machine, call: Call) -> int:
    """Allow a kernel more dynamic shared memory; what else can be set is a hint."""
    if call.name == "cudaFuncSetAttribute" and call.given[1] == DYNAMIC_SHARED:
        kernel, _, size = call.given
        if not 0 <= size <= machine.job.device.gpu.architecture.shared_bytes_per_block - _static(machine, kernel):
            return give(machine, INVALID_VALUE)
        machine.kept.setdefault("dynamic shared", {})[kernel] = size
    return give(machine, SUCCESS)


@service("cudaOccupancyMaxActiveBlocksPerMultiprocessor")
def active_blocks(machine: Machine, call: Call) -> int:
    """Give how many blocks a multiprocessor holds, by threads and shared memory."""
    target, kernel, threads, shared = call.given
    if not 0 < threads <= THREADS_PER_BLOCK:
        return give(machine, INVALID_VALUE)
    held = machine.job.device.gpu.architecture.blocks_at_once(threads, _static(machine, kernel) + shared)
    machine.put(target, struct.pack("<i", held), call)
    return give(machine, SUCCESS)


@service("cudaOccupancyMaxPotentialBlockSize")
def best_block(machine: Machine, call: Call) -> int:
    """Give the largest block that fills a multiprocessor best, and the grid that fills the device with it."""
    grid, block, kernel, shared, limit = call.given
    most = min(limit, THREADS_PER_BLOCK) if limit > 0 else THREADS_PER_BLOCK
    taken, gpu = _static(machine, kernel) + shared, machine.job.device.gpu
    threads = max(range(most, 0, -32), key=lambda size: (size * gpu.blocks_at_once(size, taken), size))
    machine.put(grid, struct.pack("<i", gpu.blocks_at_once(threads, taken)), call)
    machine.put(block, struct.pack("<i", threads), call)
    return give(machine, SUCCESS)


@service("cudaFuncGetAttributes")
def attributes(machine: Machine, call: Call) -> int:
    """Give what is known of a kernel; its registers are the compiler's to choose, and said to be none."""
    target, number = call.given
    kernels: dict[int, ir.Kernel] = machine.kept.get("kernels", {})
    kernel, shared = kernels.get(number), _static(machine, number)
    most = THREADS_PER_BLOCK if kernel is None or kernel.max_threads is None else kernel.max_threads
    version = 10 * machine.job.device.capability[0] + machine.job.device.capability[1]
    machine.put(target, struct.pack("<3q7i", shared, 0, 0, most, 0, version, version, 0, SHARED_BYTES - shared, -1), call)
    return give(machine, SUCCESS)
