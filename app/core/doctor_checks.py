"""The doctor's checks. Each imports what it looks at itself, so that nothing missing keeps the others from being made."""

from __future__ import annotations

import importlib
import platform
import sys
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec

from app.core.desktop import QT_PACKAGES, has_display, x11_plugin_problem
from app.core.doctor import Check, Outcome, State, Surroundings
from app.core.places import HOME_VARIABLE, prepare
from kernels.devices import Availability, DeviceStatus
from kernels.messages import Message, message

OLDEST_PYTHON, FIRST_PYTHON_TOO_NEW = (3, 11), (3, 14)
GIB = 1 << 30


def check_python(_: Surroundings) -> Outcome:
    sentence = message("Python {version} at {path}", version=platform.python_version(), path=sys.executable)
    if OLDEST_PYTHON <= sys.version_info[:2] < FIRST_PYTHON_TOO_NEW:
        return State.OK, sentence
    return State.PROBLEM, sentence, message("Use Python {oldest} to {newest}.", oldest="3.11", newest="3.13")


def check_qt(surroundings: Surroundings) -> Outcome:
    for package in ("PySide6", "pyqtgraph"):
        if find_spec(package) is None:
            return _not_installed(package, "pip install tilescope")
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        return State.PROBLEM, message("Qt cannot be loaded: {error}", error=str(error)), _qt_libraries(surroundings)
    return State.OK, message("PySide6 {qt}, pyqtgraph {plots}", qt=version("PySide6-Essentials"), plots=version("pyqtgraph"))


def check_display(surroundings: Surroundings) -> Outcome:
    if not has_display(surroundings.environment, surroundings.platform):
        remedy = message("Without one, {command} takes pictures.", command="tilescope screenshot OUT.png")
        return State.MISSING, message("There is no display to open a window on."), remedy
    if surroundings.platform.startswith("linux") and surroundings.environment.get("DISPLAY"):
        problem = x11_plugin_problem()
        if problem is not None:
            return State.PROBLEM, message("Qt cannot be loaded: {error}", error=problem), _qt_libraries(surroundings)
    return State.OK, message("A window can be opened.")


def check_fonts(_: Surroundings) -> Outcome:
    folder = files("resources").joinpath("fonts")
    names = sorted(entry.name for entry in folder.iterdir() if "SC" in entry.name) if folder.is_dir() else []
    if names:
        return State.OK, message("Chinese is drawn with the font that comes along: {names}", names=", ".join(names))
    return State.MISSING, message("No font for Chinese came along; the system's fonts are used."), _install("fonts-wqy-microhei")


def check_cpu(_: Surroundings) -> Outcome:
    from kernels.cpu.detect import probe_cpu

    status = probe_cpu()
    if not status.ready:
        return _device(status)
    free = (status.limits.memory_bytes or 0) / GIB
    cores = status.details["logical_cores"]
    return State.OK, message("{name}, {cores} logical cores, {free} GiB of memory are free.", name=status.name, cores=cores, free=free)


def check_blas(_: Surroundings) -> Outcome:
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2), dtype=np.float32) @ np.ones((2, 2), dtype=np.float32)
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    if not libraries:
        return State.OK, message("NumPy {version} with a BLAS library that does not tell its name.", version=np.__version__)
    name, threads = libraries[0]["internal_api"], libraries[0]["num_threads"]
    target = libraries[0].get("architecture") or "?"
    return State.OK, message(
        "NumPy {version} with {name} {release} for {target}, {threads} threads.",
        version=np.__version__, name=name, release=str(libraries[0]["version"]), target=target, threads=threads,
    )  # fmt: skip


def check_numba(surroundings: Surroundings) -> Outcome:
    if find_spec("numba") is None:
        return _not_installed("numba", "pip install numba")
    numba = importlib.import_module("numba")
    try:
        importlib.import_module("numba.np.ufunc.omppool")
    except ImportError:
        sentence = message("numba {version}; OpenMP is missing, so it falls back to a simpler threading layer.", version=numba.__version__)
        return State.MISSING, sentence, _install("libgomp1") if surroundings.platform.startswith("linux") else None
    return State.OK, message("numba {version} with the OpenMP threading layer.", version=numba.__version__)


def check_numba_cache(surroundings: Surroundings) -> Outcome:
    folder = surroundings.places.numba_cache
    reason = prepare(folder)
    if reason is not None:
        return (
            State.PROBLEM,
            reason,
            message("Kernels are compiled anew at each start. Set {name} to a folder of yours.", name=HOME_VARIABLE),
        )
    return State.OK, message("Compiled kernels are kept in {folder}", folder=str(folder))


def check_gpu(_: Surroundings) -> Outcome:
    from kernels.gpu.detect import probe_gpu

    return _device(probe_gpu())


def check_mpi(_: Surroundings) -> Outcome:
    from kernels.mpi.detect import probe_mpi

    status = probe_mpi()
    if not status.ready:
        return _device(status)
    found = status.details
    return State.OK, message("mpi4py {version}, started by {path}", version=found["mpi4py"], path=found["mpiexec"])


def check_store(surroundings: Surroundings) -> Outcome:
    places = surroundings.places
    reason = prepare(places.data)
    if reason is not None:
        return (
            State.PROBLEM,
            reason,
            message("Measurements last until the program ends. Set {name} to a folder of yours.", name=HOME_VARIABLE),
        )
    return State.OK, message("Measurements are kept in {path}", path=str(places.store))


CHECKS = (
    Check("python", message("Python"), check_python),
    Check("qt", message("Qt"), check_qt),
    Check("display", message("Display"), check_display),
    Check("fonts", message("Fonts"), check_fonts),
    Check("cpu", message("Processor"), check_cpu),
    Check("blas", message("BLAS"), check_blas),
    Check("numba", message("numba"), check_numba),
    Check("numba-cache", message("Kernel cache"), check_numba_cache),
    Check("gpu", message("GPU"), check_gpu),
    Check("mpi", message("MPI"), check_mpi),
    Check("store", message("Measurements"), check_store),
)
"""In the order shown."""


def _device(status: DeviceStatus) -> Outcome:
    if status.ready:
        return State.OK, message("{name}: ready", name=status.name)
    absent = status.availability in (Availability.NO_PACKAGE, Availability.NO_DRIVER)
    return State.MISSING if absent else State.PROBLEM, status.reason or message("The device is not ready."), status.remedy


def _not_installed(package: str, command: str, state: State = State.PROBLEM) -> Outcome:
    return state, message("The package {package} is not installed.", package=package), message("Install it: {command}", command=command)


def _qt_libraries(surroundings: Surroundings) -> Message | None:
    return _install(*QT_PACKAGES) if surroundings.platform.startswith("linux") else None


def _install(*packages: str) -> Message:
    return message("Debian and Ubuntu: {command}", command="sudo apt-get install " + " ".join(packages))
