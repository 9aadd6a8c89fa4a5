"""What the processor is, and whether the CPU variants can run on it."""

from __future__ import annotations

import os
from importlib.util import find_spec

from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.machine_conditions import cache_sizes, processor_name
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.jit.amx import refuse_matrix_registers


def probe_cpu() -> DeviceStatus:
    """The processor, its free memory and its caches. Does not import numba."""
    import psutil

    memory = psutil.virtual_memory()
    details: dict[str, str | int | float] = {
        "logical_cores": os.cpu_count() or 1,
        "physical_cores": psutil.cpu_count(logical=False) or os.cpu_count() or 1,
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
