from __future__ import annotations

import pytest

from kernels.base.devices import Availability
from kernels.base.limits import Limits
from kernels.gpu.detect import GpuDetection, observe, status_of
from kernels.gpu.process import probe_gpu

READY = GpuDetection(
    system="linux",
    installed=True,
    imported=True,
    runtime=13020,
    driver=13000,
    name="NVIDIA H200",
    capability=90,
    compilable=(75, 80, 90),
    limits=Limits(memory_bytes=1 << 37),
    details={"compute_capability": "9.0"},
)
NOTHING = GpuDetection(system="linux")
WITH_CUPY = GpuDetection(system="linux", installed=True, imported=True, runtime=13020)
OLD_DRIVER = GpuDetection(system="linux", installed=True, imported=True, runtime=13020, driver=12080)


def changed(facts: GpuDetection, **fields: object) -> GpuDetection:
    values = {name: getattr(facts, name) for name in GpuDetection.__slots__}
    return GpuDetection(**{**values, **fields})


CASES = {
    "no package": (
        NOTHING, Availability.NO_PACKAGE,
        "CuPy is not installed.",
        'With an NVIDIA GPU and its driver, run: pip install "tilescope[gpu]"',
    ),
    "no package on macOS": (
        GpuDetection(system="darwin"), Availability.NO_PACKAGE,
        "CuPy is not installed.",
        "CUDA does not exist for macOS: use a Linux or Windows machine with an NVIDIA GPU.",
    ),
    "package in disorder": (
        GpuDetection(system="linux", installed=True, failure="DLL load failed"), Availability.FAILED,
        "CuPy is installed but cannot be loaded: DLL load failed",
        'Install it anew: pip install --force-reinstall "tilescope[gpu]"',
    ),
    "no driver": (
        WITH_CUPY, Availability.NO_DRIVER,
        "No NVIDIA GPU found.",
        "If this machine has an NVIDIA GPU, install its driver: https://www.nvidia.com/drivers",
    ),
    "driver too old": (
        OLD_DRIVER, Availability.DRIVER_TOO_OLD,
        "The NVIDIA driver supports CUDA 12.8; CuPy needs 13.0.",
        "Install a newer driver: https://www.nvidia.com/drivers",
    ),
    "driver without GPU": (
        changed(WITH_CUPY, driver=13000, failure="cudaErrorNoDevice"), Availability.FAILED,
        "There is an NVIDIA driver, but it shows no GPU: cudaErrorNoDevice",
        "See that the command nvidia-smi lists the GPU.",
    ),
    "GPU in exclusive mode": (
        changed(WITH_CUPY, driver=13000, failure="cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable"),
        Availability.FAILED,
        "Another program holds the GPU or its memory: cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable",
        "End it, then start this one again. The command nvidia-smi lists the programs that use the GPU.",
    ),
    "GPU without memory": (
        changed(READY, failure="Out of memory allocating 512 bytes (allocated so far: 0 bytes)."), Availability.FAILED,
        "Another program holds the GPU or its memory: Out of memory allocating 512 bytes (allocated so far: 0 bytes).",
        "End it, then start this one again. The command nvidia-smi lists the programs that use the GPU.",
    ),
    "GPU too old": (
        changed(READY, name="GTX 1080", capability=61), Availability.DEVICE_TOO_OLD,
        "GTX 1080 has compute capability 6.1; this CUDA compiler starts at 7.5.",
        "Use CuPy for CUDA 12: pip uninstall cupy-cuda13x && pip install cupy-cuda12x nvidia-cuda-nvrtc-cu12",
    ),
    "no compiler": (
        changed(READY, compilable=(), failure="libnvrtc not found"), Availability.FAILED,
        "The GPU does not run a trial kernel: libnvrtc not found",
        "See that the command nvidia-smi lists the GPU, then install the CUDA parts anew: pip install \"tilescope[gpu]\"",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("facts", "availability", "reason", "remedy"), CASES.values(), ids=CASES.keys())
def test_each_obstacle_has_its_state_reason_and_remedy(facts: GpuDetection, availability: Availability, reason: str, remedy: str) -> None:
    status = status_of(facts)
    assert status.availability is availability
    assert str(status.reason) == (
        f"{reason} Only timing needs a GPU: kernels are executed here without one. GPU timings shown were recorded on an H200."
    )
    assert str(status.remedy) == remedy
    assert not status.ready


def test_a_gpu_without_obstacle_is_ready() -> None:
    status = status_of(READY)
    assert status.ready
    assert status.reason is None
    assert status.remedy is None
    assert status.name == "NVIDIA H200"
    assert status.limits.memory_bytes == 1 << 37


@pytest.mark.parametrize(("driver", "ready"), [(12090, False), (13000, True), (13020, True), (14000, True)])
def test_a_driver_of_the_same_major_version_is_new_enough(driver: int, ready: bool) -> None:
    assert status_of(changed(READY, driver=driver)).ready is ready


def test_the_first_obstacle_is_the_one_named() -> None:
    both = changed(READY, driver=12000, capability=61)
    assert status_of(both).availability is Availability.DRIVER_TOO_OLD


def test_looking_here_raises_nothing_and_agrees_with_the_decision() -> None:
    assert probe_gpu().availability is status_of(observe()).availability
