"""Conditions of a machine that a time depends on beside the kernel: machine and software, as flat named values."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def machine_conditions(tilescope: str) -> dict[str, str | int | float]:
    """The conditions that every result of this machine shares. `tilescope` is the program's version."""
    from importlib.metadata import PackageNotFoundError, version

    conditions: dict[str, str | int | float] = {
        "tilescope": tilescope,
        "processor": processor_name(),
        "cores": usable_cores(),
        "memory_gib": memory_gib(),
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }
    conditions |= _caches()
    for package in ("numpy", "numba"):
        try:
            conditions[package] = version(package)
        except PackageNotFoundError:
            continue
    return conditions


def processor_name() -> str:
    """The processor's product name, or its architecture where the system does not tell."""
    try:
        name = _brand()
    except (OSError, subprocess.SubprocessError):
        name = ""
    return name or platform.processor() or platform.machine() or "unknown"


def usable_cores() -> int:
    """Logical cores that this program may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def memory_gib() -> float:
    """Main memory of the machine in GiB, rounded."""
    import psutil

    return round(int(psutil.virtual_memory().total) / 2**30, 1)


def free_memory_bytes() -> int:
    """Main memory that can be had now without swapping."""
    import psutil

    return int(psutil.virtual_memory().available)


def _brand() -> str:
    if sys.platform == "win32":
        import winreg

        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"HARDWARE\DESCRIPTION\System\CentralProcessor\0") as key:
            return str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).strip()
    if sys.platform == "darwin":
        answer = subprocess.run(
            ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, timeout=5, check=True
        )
        return answer.stdout.strip()
    return cpuinfo_brand(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))


def _caches() -> dict[str, int]:
    """The sizes of the data caches, as far as the system tells them."""

    return {name: size for name, size in cache_sizes().items() if name.startswith("l")}


def cpuinfo_brand(text: str) -> str:
    """The product name in the text of /proc/cpuinfo; empty where there is none, as on many ARM boards."""
    fields = (line.partition(":") for line in text.splitlines())
    return next((value.strip() for name, _, value in fields if name.strip() == "model name"), "")


def has_avx512(file: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor has vectors of 16 floats, as Linux tells it; elsewhere False. Loads no compiler, which knows better."""
    with suppress(OSError):
        return " avx512f" in file.read_text(encoding="utf-8", errors="replace")
    return False


_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


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
