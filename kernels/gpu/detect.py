"""Whether CUDA kernels can run here, and if not, which obstacle comes first and what removes it.

`observe` looks, `status_of` decides: the decision needs no GPU and is tested for every obstacle.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import field, replace
from importlib.util import find_spec

import numpy as np

from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import GIB, Limits
from kernels.base.messages import Message, message
from kernels.base.packaged import GPU_EDITION, contents
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.gpu.compiler import Compiler, supported_capabilities
from kernels.gpu.errors import held_by_another
from kernels.nvrtc.headers import INSTALL

DRIVERS = "https://www.nvidia.com/drivers"
_TRIAL = 'extern "C" __global__ void trial(float* x) { *x = 42.0f; }'


@dataclass(frozen=True, slots=True)
class GpuDetection:
    """Findings about the GPU, in the order of looking. Looking stops at the first obstacle; what was not reached keeps its default.

    Versions of `driver` and `runtime` are CUDA's numbers: 13020 is 13.2, 0 is none. `capability` 90 is 9.0.
    """

    system: str = sys.platform
    installed: bool = False
    """A package named cupy is installed."""
    imported: bool = False
    runtime: int = 0
    driver: int = 0
    name: str = ""
    capability: int = 0
    compilable: tuple[int, ...] = ()
    """The compute capabilities that NVRTC compiles for."""
    failure: str = ""
    """What was raised where looking stopped, or by the trial kernel."""
    limits: Limits = field(default_factory=Limits)
    details: Mapping[str, str | int | float] = field(default_factory=dict)


def look() -> DeviceStatus:
    """The state of the first GPU. Imports CuPy and runs a kernel in this process."""
    return status_of(observe())


def observe() -> GpuDetection:
    """Look for CuPy, the driver, the GPU and the compiler, and try them; stop at the first obstacle. Raises nothing."""
    facts = GpuDetection(installed=find_spec("cupy") is not None)
    for look in (_with_cupy, _with_driver, _with_device, _with_compiler, _with_trial):
        if _judge(facts)[0] is not Availability.READY:
            break
        try:
            facts = look(facts)
        except Exception as error:  # a package or driver in disorder can raise anything
            facts = replace(facts, failure=str(error) or type(error).__name__)
    return facts


def status_of(facts: GpuDetection) -> DeviceStatus:
    """The first obstacle in `facts`, with its reason and remedy, or a GPU that is ready."""
    availability, obstacle, remedy = _judge(facts)
    reason = obstacle and message(
        "{obstacle} Only timing needs a GPU: kernels are executed here without one. GPU timings shown were recorded on an H200.",
        obstacle=obstacle,
    )
    return DeviceStatus(Device.GPU, availability, facts.name, reason, remedy, facts.limits, facts.details)


def _judge(facts: GpuDetection) -> tuple[Availability, Message | None, Message | None]:
    if not facts.installed:
        return Availability.NO_PACKAGE, message("CuPy is not installed."), _how_to_install(facts.system)
    if facts.failure and not facts.imported:
        return (
            Availability.FAILED,
            message("CuPy is installed but cannot be loaded: {text}", text=facts.failure),
            message("Install it anew: {command}", command=f"pip install --force-reinstall {INSTALL.removeprefix('pip install ')}"),
        )
    if facts.imported and facts.runtime and not facts.driver:
        return (
            Availability.NO_DRIVER,
            message("No NVIDIA GPU found."),
            message("If this machine has an NVIDIA GPU, install its driver: {address}", address=DRIVERS),
        )
    return _judge_device(facts)


def _judge_device(facts: GpuDetection) -> tuple[Availability, Message | None, Message | None]:
    if facts.driver // 1000 < facts.runtime // 1000:
        return (
            Availability.DRIVER_TOO_OLD,
            message("The NVIDIA driver supports CUDA {driver}; CuPy needs {runtime}.",
                    driver=version_text(facts.driver), runtime=f"{facts.runtime // 1000}.0"),
            message("Install a newer driver: {address}", address=DRIVERS),
        )  # fmt: skip
    if facts.compilable and facts.capability < min(facts.compilable):
        return (
            Availability.DEVICE_TOO_OLD,
            message("{name} has compute capability {capability}; this CUDA compiler starts at {oldest}.", name=facts.name,
                    capability=capability_text(facts.capability), oldest=capability_text(min(facts.compilable))),
            message("Use CuPy for CUDA 12: {command}",
                    command="pip uninstall cupy-cuda13x && pip install cupy-cuda12x nvidia-cuda-nvrtc-cu12"),
        )  # fmt: skip
    if held_by_another(facts.failure):
        return (
            Availability.FAILED,
            message("Another program holds the GPU or its memory: {text}", text=facts.failure),
            message("End it, then start this one again. The command {check} lists the programs that use the GPU.", check="nvidia-smi"),
        )
    if facts.failure and not facts.name:
        return (
            Availability.FAILED,
            message("There is an NVIDIA driver, but it shows no GPU: {text}", text=facts.failure),
            message("See that the command {check} lists the GPU.", check="nvidia-smi"),
        )
    if facts.failure:
        return (
            Availability.FAILED,
            message("The GPU does not run a trial kernel: {text}", text=facts.failure),
            message("See that the command {check} lists the GPU, then install the CUDA parts anew: {command}",
                    check="nvidia-smi", command=INSTALL),
        )  # fmt: skip
    return Availability.READY, None, None


def _how_to_install(system: str) -> Message:
    if system == "darwin":
        return message("CUDA does not exist for macOS: use a Linux or Windows machine with an NVIDIA GPU.")
    if contents() is not None:
        return message("With an NVIDIA GPU and its driver, install the edition for GPUs instead: {package}", package=GPU_EDITION)
    return message("With an NVIDIA GPU and its driver, run: {command}", command=INSTALL)


def version_text(version: int) -> str:
    """CUDA's version number as it is written: 13020 is "13.2"."""
    return f"{version // 1000}.{version % 1000 // 10}"


def capability_text(capability: int) -> str:
    """A compute capability as it is written: 90 is "9.0"."""
    return f"{capability // 10}.{capability % 10}"


def _with_cupy(facts: GpuDetection) -> GpuDetection:
    import cupy

    return replace(facts, imported=True, details={"cupy": cupy.__version__})


def _with_driver(facts: GpuDetection) -> GpuDetection:
    from cupy.cuda import runtime

    driver, version = runtime.driverGetVersion(), runtime.runtimeGetVersion()
    versions = {"cuda_runtime": version_text(version)} | ({"cuda_driver": version_text(driver)} if driver else {})
    return replace(facts, driver=driver, runtime=version, details={**facts.details, **versions})


def _with_device(facts: GpuDetection) -> GpuDetection:
    from cupy.cuda import Device as CudaDevice
    from cupy.cuda import runtime

    name = runtime.getDeviceProperties(0)["name"].decode()
    device = CudaDevice(0)
    attributes = device.attributes
    free, total = device.mem_info
    capability = int(device.compute_capability)
    details: dict[str, str | int | float] = {
        "compute_capability": capability_text(capability),
        "multiprocessors": attributes["MultiProcessorCount"],
        "gpu_clock_mhz": attributes["ClockRate"] // 1000,
        "gpu_memory_gib": round(total / GIB, 1),
        "l2_cache_mib": attributes["L2CacheSize"] // (1 << 20),
    }
    limits = Limits(
        attributes["MaxThreadsPerBlock"], attributes["MaxSharedMemoryPerBlock"], attributes["MaxSharedMemoryPerBlockOptin"],
        attributes["MaxGridDimY"], free, capability,
    )  # fmt: skip
    return replace(facts, name=name, capability=capability, limits=limits, details={**facts.details, **details})


def _with_compiler(facts: GpuDetection) -> GpuDetection:
    from cupy_backends.cuda.libs import nvrtc

    major, minor = nvrtc.getVersion()
    return replace(facts, compilable=supported_capabilities(), details={**facts.details, "nvrtc": f"{major}.{minor}"})


def _with_trial(facts: GpuDetection) -> GpuDetection:
    import cupy

    x = cupy.empty(1, np.float32)
    Compiler(facts.capability).kernel(_TRIAL, "trial", {}).function((1, 1), (1, 1), (x,))
    value = float(x.get()[0])
    return facts if value == 42 else replace(facts, failure=f"x = {value}")
