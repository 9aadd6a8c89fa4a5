"""The doctor's checks of what CUDA kernels need, from the driver up: each tells by itself whether it is there."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from app.core.diagnostics.doctor import CheckState, Outcome, Surroundings, run_this
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.gpu.detect import DRIVERS
from kernels.gpu.launching import DRIVER_LIBRARY

DRIVER = Path("/proc/driver/nvidia/version")
_CUPY = ("cupy-cuda13x", "cupy-cuda12x", "cupy")


def check_driver(surroundings: Surroundings, load: Callable[[str], object] = ctypes.CDLL) -> Outcome:
    """Whether NVIDIA's driver is installed, whatever else is."""
    name = DRIVER_LIBRARY.get(surroundings.platform)
    if name is None:
        return (
            CheckState.MISSING,
            message("There is no CUDA for this system."),
            message("GPU variants can be read and executed step by step."),
        )
    try:
        load(name)
    except OSError:
        remedy = message("If this machine has an NVIDIA GPU, install its driver: {address}", address=DRIVERS)
        return CheckState.MISSING, message("No NVIDIA driver is installed: {library} was not found.", library=name), remedy
    return CheckState.OK, message("NVIDIA's driver is installed, version {version}", version=_driver_version() or "?")


def check_cupy(surroundings: Surroundings) -> Outcome:
    """Whether CuPy is installed; whether it works is the GPU's check."""
    if find_spec("cupy") is None:
        if surroundings.platform not in DRIVER_LIBRARY:
            return CheckState.MISSING, message("CuPy does not exist for this system.")
        return CheckState.MISSING, message("The package {package} is not installed.", package="cupy"), _edition("tilescope[gpu]")
    found = [f"{name} {number}" for name in _CUPY if (number := _version(name)) is not None]
    if len(found) > 1:
        remedy = message("Keep one: {command}", command="pip uninstall " + " ".join(each.split()[0] for each in found[1:]))
        return (
            CheckState.PROBLEM,
            message("Several packages of CuPy disturb each other: {names}", names=", ".join(found)),
            remedy,
        )
    return CheckState.OK, message("{package} is installed.", package=found[0] if found else "cupy")


def check_nvrtc(surroundings: Surroundings) -> Outcome:
    """NVIDIA's compiler library and disassembler, which need no GPU."""
    from kernels.nvrtc.tools import find_tools

    tools = find_tools(surroundings.environment, surroundings.platform)
    if isinstance(tools, Message):
        return CheckState.MISSING, tools, _edition("tilescope[compiled]") if surroundings.platform != "darwin" else None
    return CheckState.OK, message("NVRTC is {library}; nvdisasm is {program}", library=tools.nvrtc.name, program=str(tools.nvdisasm))


def check_cublas(surroundings: Surroundings) -> Outcome:
    """NVIDIA's library, which three of the rungs call."""
    from kernels.gpu.errors import how_to_add_cublas
    from kernels.nvrtc.tools import CUBLAS, folders, roots
    from kernels.nvrtc.tools import found as found_beside

    patterns = ("libcublas.so.*", "cublas64_*.dll")
    places = [root / folder for root in roots(surroundings.environment) for folder in ("lib", "lib64", "bin", "bin/x86_64", "bin/x64")]
    found = [path for place in places for pattern in patterns for path in place.glob(pattern)]
    found += found_beside(CUBLAS[-1:], folders(surroundings.environment))
    if found:
        return CheckState.OK, message("cuBLAS is {library}", library=str(found[0]))
    if _loads("libcublas.so.13") or _loads("libcublas.so.12"):
        return CheckState.OK, message("cuBLAS is a library of the system.")
    absent = message("cuBLAS was not found, so that {variants} cannot be timed.", variants="gpu.cublas, gpu.cublas-tf32, gpu.cublas-bf16")
    return CheckState.MISSING, absent, how_to_add_cublas() if surroundings.platform in DRIVER_LIBRARY else None


def check_gpu(_: Surroundings) -> Outcome:
    """Whether a kernel runs: the first thing that is in the way, and what removes it."""
    from kernels.gpu.process import probe_gpu

    status = probe_gpu()
    if not status.ready or not status.details:
        return of_device(status)
    told = {name: str(status.details.get(name, "?")) for name in ("compute_capability", "cuda_driver", "cuda_runtime", "nvrtc")}
    return CheckState.OK, message(
        "{name}: ready; compute capability {compute_capability}, driver for CUDA {cuda_driver}, runtime {cuda_runtime}, NVRTC {nvrtc}",
        name=status.name, **told,
    )  # fmt: skip


def of_device(status: DeviceStatus) -> Outcome:
    """A device as it was found: one that is not there is no problem."""
    if status.ready:
        return CheckState.OK, message("{name}: ready", name=status.name)
    absent = status.availability in (Availability.NO_PACKAGE, Availability.NO_DRIVER)
    return CheckState.MISSING if absent else CheckState.PROBLEM, status.reason or message("The device is not ready."), status.remedy


def _edition(package: str) -> Message:
    if getattr(sys, "frozen", False):
        return message("This package of Tilescope is without it: use the one for GPUs.")
    return run_this(f'pip install "{package}"')


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _loads(library: str) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _driver_version() -> str:
    """The version that the driver's kernel module tells on Linux."""
    try:
        words = DRIVER.read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return ""
    return next((word for word in words if word[:1].isdigit() and "." in word), "")
