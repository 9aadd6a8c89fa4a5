"""What the processor is, whether the CPU variants can run on it, and whether it lets this process use matrix registers (AMX)."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from importlib.util import find_spec

from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.machine_conditions import cache_sizes, processor_name, usable_cores
from kernels.base.messages import Message, message
from kernels.base.spec import Device


def probe_cpu() -> DeviceStatus:
    """The processor, its free memory and its caches. Loads llvmlite, not numba."""
    import psutil

    memory = psutil.virtual_memory()
    details: dict[str, str | int | float] = {
        "logical_cores": usable_cores(),
        "physical_cores": min(psutil.cpu_count(logical=False) or usable_cores(), usable_cores()),
        "memory_bytes": memory.total,
        **cache_sizes(),
    }
    if find_spec("numba") is None:
        return DeviceStatus(
            Device.CPU, Availability.NO_PACKAGE, processor_name(),
            reason=message("The package {package} is not installed.", package="numba"),
            remedy=message("Install it: {command}", command="pip install numba"),
            limits=Limits(memory_bytes=memory.available), details=details,
        )  # fmt: skip
    limits = Limits(memory_bytes=memory.available, no_matrix_registers=refuse_matrix_registers())
    return DeviceStatus(Device.CPU, Availability.READY, processor_name(), limits=limits, details=details)


FEATURES = ("amx-tile", "amx-bf16")
"""What the kernels use, as LLVM spells it; Linux writes _ for -."""
ARCH_PRCTL = 158
ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA = 0x1023, 18
"""Linux keeps 8 KiB of matrix registers for a thread only in a process that has asked; others are ended at the first use."""


@cache
def refuse_matrix_registers() -> Message | None:
    """The reason why matrix registers cannot be used here, or None. Where they can, this asks Linux for them, for the whole process."""
    import llvmlite.binding

    found = llvmlite.binding.get_host_cpu_features()
    missing = [name.replace("-", "_") for name in FEATURES if not found.get(name)]
    if missing:
        return message("This processor has no AMX ({missing}).", missing=", ".join(missing))
    if not sys.platform.startswith("linux"):
        return message("The processor has AMX, but Tilescope asks for it on Linux only.")
    error = _ask()
    return None if error == 0 else message("The processor has AMX, but Linux does not let it be used: {reason}.", reason=os.strerror(error))


def _ask() -> int:
    """Ask Linux for matrix registers; 0, or the number of an error."""
    system_call = ctypes.CDLL(None, use_errno=True).syscall
    refused = system_call(ctypes.c_long(ARCH_PRCTL), ctypes.c_long(ARCH_REQ_XCOMP_PERM), ctypes.c_long(XFEATURE_XTILEDATA))
    return ctypes.get_errno() if refused else 0
