"""Checks of the doctor: of the program and its folders, of what the window needs, of the processor and of the packages.

Each check imports what it looks at itself, so that nothing missing keeps the others from being made.
"""

from __future__ import annotations

import importlib
import platform
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from app import __version__
from app.core.base.files.locations import HOME_VARIABLE, prepare
from app.core.base.files.log import log_file
from app.core.crash_reports.report import glibc, installed_as
from app.core.diagnostics.desktop import has_display, qt_obstacle, window_obstacle
from app.core.diagnostics.doctor import Check, CheckState, Outcome, Surroundings, apt_install, run_this
from app.core.diagnostics.gpu_checks import check_cublas, check_cupy, check_driver, check_gpu, check_nvrtc, of_device
from kernels.base.messages import Message, message

OLDEST_GLIBC = (2, 34)
"""Of Qt's wheels and of the package."""
LEAST_ROOM = 200 << 20
"""Bytes: measurements, drafts and compiled kernels of a long day take less."""
MIB = 1 << 20


def check_program(surroundings: Surroundings) -> Outcome:
    """The program, how it came here, and the C library that all of it stands on."""
    found = glibc() if surroundings.platform.startswith("linux") else None
    if found is None:
        return CheckState.OK, message("Tilescope {version}, {kind}", version=__version__, kind=installed_as())
    written = ".".join(map(str, found))
    sentence = message("Tilescope {version}, {kind}; glibc {glibc}", version=__version__, kind=installed_as(), glibc=written)
    if found >= OLDEST_GLIBC:
        return CheckState.OK, sentence
    oldest = ".".join(map(str, OLDEST_GLIBC))
    return CheckState.PROBLEM, sentence, message("Qt needs glibc {oldest}: use Ubuntu 22.04, Debian 12 or newer.", oldest=oldest)


def check_numba_cache(surroundings: Surroundings) -> Outcome:
    """Check the folder in which compiled CPU kernels are kept."""
    unkept = message("Kernels are compiled anew at each start. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    folder = surroundings.places.numba_cache
    return _folder(folder, message("Compiled kernels are kept in {folder}", folder=str(folder)), unkept)


def check_store(surroundings: Surroundings) -> Outcome:
    """Check the place in which measurements are kept."""
    unkept = message("Measurements last until the program ends. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    places = surroundings.places
    return _folder(places.data, message("Measurements are kept in {path}", path=str(places.store)), unkept)


def check_settings(surroundings: Surroundings) -> Outcome:
    """Check the place in which settings are kept."""
    unkept = message("Settings last until the program ends. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    places = surroundings.places
    return _folder(places.settings, message("Settings are kept in {path}", path=str(places.settings_file)), unkept)


def check_log(surroundings: Surroundings) -> Outcome:
    """Where the log is, and reports on errors."""
    unkept = message("Errors are not written down. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    folder = surroundings.places.logs
    reports = len(list(folder.glob("report-*.txt")))
    sentence = message("The log is {path}", path=str(log_file(folder)))
    if reports:
        sentence = message("{log}; beside it are reports on errors: {count}", log=sentence, count=reports)
    return _folder(folder, sentence, unkept)


def check_room(surroundings: Surroundings, usage: Callable[[Path], int] | None = None) -> Outcome:
    """Room on the disks of the places. `usage` tells the free bytes of a folder's disk."""
    places, free = surroundings.places, usage or _free
    rooms = {folder: free(_there(folder)) for folder in (places.data, places.cache)}
    folder = min(rooms, key=lambda each: rooms[each])
    sentence = message("{free} MiB are free for {folder}", free=rooms[folder] // MIB, folder=str(folder))
    if rooms[folder] >= LEAST_ROOM:
        return CheckState.OK, sentence
    needed = message("Make room there, {least} MiB at least, or set {name} to a folder on another disk.",
                     least=LEAST_ROOM // MIB, name=HOME_VARIABLE)  # fmt: skip
    return CheckState.PROBLEM, sentence, needed


def _folder(folder: Path, sentence: Message, unkept: Message) -> Outcome:
    reason = prepare(folder)
    return (CheckState.OK, sentence) if reason is None else (CheckState.PROBLEM, reason, unkept)


def _there(folder: Path) -> Path:
    """The nearest folder on the way that is there."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


ALWAYS_ALOUD = "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"
_SCALES = ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "GDK_SCALE")
_CHINESE_FONT = "fonts-wqy-microhei"


def check_qt(surroundings: Surroundings) -> Outcome:
    """Whether Qt is installed and loads."""
    obstacle = qt_obstacle(surroundings.platform)
    if obstacle is not None:
        return CheckState.PROBLEM, obstacle.sentence, obstacle.next_step
    return CheckState.OK, message("PySide6 {qt}, pyqtgraph {plots}", qt=version("PySide6-Essentials"), plots=version("pyqtgraph"))


def check_display(surroundings: Surroundings) -> Outcome:
    """Whether a window can be opened, and on what."""
    environment = surroundings.environment
    if not has_display(environment, surroundings.platform):
        remedy = message("Start it within a desktop session, or over ssh -X. Without one, {command} takes pictures.",
                         command="tilescope screenshot OUT.png")  # fmt: skip
        return CheckState.MISSING, message("There is no display to open a window on."), remedy
    if not surroundings.platform.startswith("linux"):
        return CheckState.OK, message("A window can be opened.")
    kind = "X11" if environment.get("DISPLAY") else "Wayland"
    obstacle = window_obstacle(environment, surroundings.platform)
    if obstacle is not None:
        return CheckState.PROBLEM, obstacle.sentence, obstacle.next_step
    chosen = environment.get("QT_QPA_PLATFORM")
    silent = None if chosen else _silent(environment)
    if silent is not None:
        remedy = message("Start it within the desktop session, or set the variable {name} as it is there.", name=silent)
        return CheckState.PROBLEM, message("No display answers at {address}.", address=f"{silent}={environment[silent]}"), remedy
    if chosen:
        return CheckState.OK, message("A window can be opened; {variable} asks Qt for {system}.", variable="QT_QPA_PLATFORM", system=chosen)
    return CheckState.OK, message("A window can be opened under {system}.", system=kind)


def check_fonts(surroundings: Surroundings) -> Outcome:
    """Whether Chinese can be drawn."""
    folder = files("resources").joinpath("fonts")
    names = sorted(entry.name for entry in folder.iterdir() if "SC" in entry.name) if folder.is_dir() else []
    if names:
        return CheckState.OK, message("Chinese is drawn with the font that comes along: {names}", names=", ".join(names))
    if not surroundings.platform.startswith("linux"):
        return CheckState.OK, message("Chinese is drawn with the fonts of the system.")
    families = _chinese_families()
    if families:
        return CheckState.OK, message("Chinese is drawn with a font of the system: {names}", names=", ".join(families[:3]))
    return CheckState.MISSING, message("No font for Chinese came along, and the system has none."), apt_install(_CHINESE_FONT)


def check_scale(surroundings: Surroundings) -> Outcome:
    """What makes everything larger or smaller, beside the desktop's own setting."""
    given = [f"{name}={surroundings.environment[name]}" for name in _SCALES if surroundings.environment.get(name)]
    enlarge = message("Ctrl + and Ctrl − make everything in the window larger and smaller; {option} does so at the start.", option="--zoom")
    if not given:
        return CheckState.OK, message("The window is as large as the desktop asks for."), enlarge
    return CheckState.OK, message("These variables change how large the window is: {names}", names=", ".join(given)), enlarge


def check_reader(surroundings: Surroundings) -> Outcome:
    """Whether a screen reader is told what is shown."""
    environment = surroundings.environment
    if not surroundings.platform.startswith("linux"):
        return CheckState.OK, message("The screen reader of the system is told what is shown.")
    if not environment.get("DBUS_SESSION_BUS_ADDRESS") and not environment.get("AT_SPI_BUS_ADDRESS"):
        sentence = message("There is no session bus, so a screen reader is not told what is shown.")
        return CheckState.MISSING, sentence, message("With a screen reader, start Tilescope within the desktop session.")
    if environment.get(ALWAYS_ALOUD) == "1":
        return CheckState.OK, message("Screen readers are told what is shown, whether the desktop says that one runs or not.")
    hint = message("If one stays silent, set {name}=1 before the start.", name=ALWAYS_ALOUD)
    return CheckState.OK, message("Screen readers are told what is shown when the desktop says that one runs."), hint


def _silent(environment: Mapping[str, str]) -> str | None:
    """The variable that names a display of this machine where none answers."""
    local = re.fullmatch(r":([0-9]+)(\.[0-9]+)?", environment.get("DISPLAY", ""))
    if local is not None:
        socket_file = f"/tmp/.X11-unix/X{local[1]}"
        return None if _answers(socket_file) or _answers("\0" + socket_file) else "DISPLAY"
    wayland, folder = environment.get("WAYLAND_DISPLAY", ""), environment.get("XDG_RUNTIME_DIR", "")
    if environment.get("DISPLAY") or not wayland or not folder:
        return None
    return None if _answers(str(Path(folder) / wayland)) else "WAYLAND_DISPLAY"


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2)
        try:
            connection.connect(address)
        except OSError:
            return False
        return True


def _chinese_families() -> list[str]:
    """The fonts of the system that have Chinese; none where nobody can tell."""
    tool = shutil.which("fc-list")
    if tool is None:
        return []
    listed = subprocess.run([tool, ":lang=zh", "family"], capture_output=True, text=True, timeout=10, check=False)
    return sorted({line.split(",")[0] for line in listed.stdout.splitlines() if line})


OLDEST_PYTHON, FIRST_PYTHON_TOO_NEW = (3, 11), (3, 14)
GIB = 1 << 30
LAYER = "NUMBA_THREADING_LAYER"
_LAYERS = {"omp": "numba.np.ufunc.omppool", "tbb": "numba.np.ufunc.tbbpool", "workqueue": "numba.np.ufunc.workqueue"}


def check_python(_: Surroundings) -> Outcome:
    sentence = message("Python {version} at {path}", version=platform.python_version(), path=sys.executable)
    if OLDEST_PYTHON <= sys.version_info[:2] < FIRST_PYTHON_TOO_NEW:
        return CheckState.OK, sentence
    return CheckState.PROBLEM, sentence, message("Use Python {oldest} to {newest}.", oldest="3.11", newest="3.13")


def check_cpu(_: Surroundings) -> Outcome:
    from kernels.jit.detect import probe_cpu

    status = probe_cpu()
    if not status.ready:
        return of_device(status)
    free = (status.limits.memory_bytes or 0) / GIB
    cores = status.details["logical_cores"]
    return CheckState.OK, message("{name}, {cores} logical cores, {free} GiB of memory are free.", name=status.name, cores=cores, free=free)


def check_blas(_: Surroundings) -> Outcome:
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2), dtype=np.float32) @ np.ones((2, 2), dtype=np.float32)
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    if not libraries:
        return CheckState.OK, message("NumPy {version} with a BLAS library that does not tell its name.", version=np.__version__)
    name, threads = libraries[0]["internal_api"], libraries[0]["num_threads"]
    target = libraries[0].get("architecture") or "?"
    return CheckState.OK, message(
        "NumPy {version} with {name} {release} for {target}, {threads} threads.",
        version=np.__version__, name=name, release=str(libraries[0]["version"]), target=target, threads=threads,
    )  # fmt: skip


def check_numba(surroundings: Surroundings) -> Outcome:
    if find_spec("numba") is None:
        return CheckState.PROBLEM, message("The package {package} is not installed.", package="numba"), run_this("pip install numba")
    numba = importlib.import_module("numba")
    chosen = surroundings.environment.get(LAYER, "")
    if chosen in _LAYERS and not _importable(_LAYERS[chosen]):
        sentence = message("{variable} asks numba for the threading layer {layer}, which is not there.", variable=LAYER, layer=chosen)
        return CheckState.PROBLEM, sentence, message("Take the variable {variable} away.", variable=LAYER)
    if not _importable(_LAYERS["omp"]):
        sentence = message("numba {version}; OpenMP is missing, so it falls back to a simpler threading layer.", version=numba.__version__)
        return CheckState.MISSING, sentence, apt_install("libgomp1") if surroundings.platform.startswith("linux") else None
    return CheckState.OK, message("numba {version} with the OpenMP threading layer.", version=numba.__version__)


def check_mpi(_: Surroundings) -> Outcome:
    from kernels.mpi.detect import probe_mpi

    status = probe_mpi()
    if not status.ready:
        return of_device(status)
    found = status.details
    return CheckState.OK, message("mpi4py {version}, started by {path}", version=found["mpi4py"], path=found["mpiexec"])


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
