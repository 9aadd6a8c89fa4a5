"""What the processor is, and whether the CPU variants can run on it."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from kernels.devices import Availability, DeviceStatus
from kernels.limits import Limits
from kernels.measure.environment import processor_name
from kernels.messages import message
from kernels.spec import Device

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


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
    limits = Limits(memory_bytes=memory.available)
    if find_spec("numba") is None:
        return DeviceStatus(
            Device.CPU, Availability.NO_PACKAGE, processor_name(),
            reason=message("The package {package} is not installed.", package="numba"),
            remedy=message("Install it: {command}", command="pip install numba"),
            limits=limits, details=details,
        )  # fmt: skip
    return DeviceStatus(Device.CPU, Availability.READY, processor_name(), limits=limits, details=details)


def cache_sizes(folder: Path = _CACHES) -> dict[str, int]:
    """Bytes of each data cache of the first core, and of a cache line, as Linux tells them; elsewhere nothing."""
    sizes: dict[str, int] = {}
    for index in sorted(folder.glob("index*")):
        try:
            level, kind, size, line = ((index / name).read_text().strip() for name in ("level", "type", "size", "coherency_line_size"))
            if kind != "Instruction":
                sizes[f"l{level}_bytes"] = int(size.removesuffix("K")) * 1024
                sizes["cache_line_bytes"] = int(line)
        except (OSError, ValueError):
            continue
    return sizes
