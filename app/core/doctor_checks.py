"""The doctor's checks. Each imports what it looks at itself, so that nothing missing keeps the others from being made."""

from __future__ import annotations

import importlib
import platform
import sys
from importlib.util import find_spec

from app.core.doctor import Check, Outcome, State, Surroundings
from app.core.doctor_desktop import check_display, check_fonts, check_qt, check_reader, check_scale
from app.core.doctor_gpu import check_cublas, check_cupy, check_driver, check_gpu, check_nvrtc, of_device
from app.core.doctor_remedies import apt_install, run_this
from app.core.doctor_system import check_log, check_numba_cache, check_program, check_room, check_settings, check_store
from kernels.messages import message

OLDEST_PYTHON, FIRST_PYTHON_TOO_NEW = (3, 11), (3, 14)
GIB = 1 << 30
LAYER = "NUMBA_THREADING_LAYER"
_LAYERS = {"omp": "numba.np.ufunc.omppool", "tbb": "numba.np.ufunc.tbbpool", "workqueue": "numba.np.ufunc.workqueue"}


def check_python(_: Surroundings) -> Outcome:
    sentence = message("Python {version} at {path}", version=platform.python_version(), path=sys.executable)
    if OLDEST_PYTHON <= sys.version_info[:2] < FIRST_PYTHON_TOO_NEW:
        return State.OK, sentence
    return State.PROBLEM, sentence, message("Use Python {oldest} to {newest}.", oldest="3.11", newest="3.13")


def check_cpu(_: Surroundings) -> Outcome:
    from kernels.cpu.detect import probe_cpu

    status = probe_cpu()
    if not status.ready:
        return of_device(status)
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
        return State.PROBLEM, message("The package {package} is not installed.", package="numba"), run_this("pip install numba")
    numba = importlib.import_module("numba")
    chosen = surroundings.environment.get(LAYER, "")
    if chosen in _LAYERS and not _importable(_LAYERS[chosen]):
        sentence = message("{variable} asks numba for the threading layer {layer}, which is not there.", variable=LAYER, layer=chosen)
        return State.PROBLEM, sentence, message("Take the variable {variable} away.", variable=LAYER)
    if not _importable(_LAYERS["omp"]):
        sentence = message("numba {version}; OpenMP is missing, so it falls back to a simpler threading layer.", version=numba.__version__)
        return State.MISSING, sentence, apt_install("libgomp1") if surroundings.platform.startswith("linux") else None
    return State.OK, message("numba {version} with the OpenMP threading layer.", version=numba.__version__)


def check_mpi(_: Surroundings) -> Outcome:
    from kernels.mpi.detect import probe_mpi

    status = probe_mpi()
    if not status.ready:
        return of_device(status)
    found = status.details
    return State.OK, message("mpi4py {version}, started by {path}", version=found["mpi4py"], path=found["mpiexec"])


def _importable(module: str) -> bool:
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


CHECKS = (
    Check("program", message("Program"), check_program),
    Check("python", message("Python"), check_python),
    Check("qt", message("Qt"), check_qt),
    Check("display", message("Display"), check_display),
    Check("fonts", message("Fonts"), check_fonts),
    Check("scale", message("Size of the window"), check_scale),
    Check("screen-reader", message("Screen reader"), check_reader),
    Check("cpu", message("Processor"), check_cpu),
    Check("blas", message("BLAS"), check_blas),
    Check("numba", message("numba"), check_numba),
    Check("numba-cache", message("Kernel cache"), check_numba_cache),
    Check("driver", message("GPU driver"), check_driver),
    Check("cupy", message("CuPy"), check_cupy),
    Check("nvrtc", message("CUDA compiler"), check_nvrtc),
    Check("cublas", message("cuBLAS"), check_cublas),
    Check("gpu", message("GPU"), check_gpu),
    Check("mpi", message("MPI"), check_mpi),
    Check("store", message("Measurements"), check_store),
    Check("settings", message("Settings"), check_settings),
    Check("room", message("Room on the disk"), check_room),
    Check("log", message("Log"), check_log),
)
"""In the order shown."""
