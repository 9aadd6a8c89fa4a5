"""What PyInstaller is told to collect, beyond what it finds by following imports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bundle.start import OPENGL

PACKAGES = ("app", "kernels", "resources")
"""All of ours. Their modules lie there as text: numba keeps what it compiled only for functions whose file it finds, the source view
shows that file, and the cache simulator instruments it."""

TEXT_MODULES = (*PACKAGES, "mpi4py")
"""Packages of which the files must be found: mpi4py chooses among its own extension modules by their names."""

HIDDEN = (
    "clang.cindex", "pygments.lexers.c_like", "pygments.lexers.python", "PIL.WebPImagePlugin", "PIL.GifImagePlugin", "PIL.PngImagePlugin",
    "mpi4py", "mpi4py._mpiabi", "numba._devicearray", "numba.np.ufunc.omppool", "numba.np.ufunc.workqueue",
)  # fmt: skip
"""Imported where PyInstaller does not see it."""

EXCLUDED = (
    # interfaces and services that the program has no use for
    "tkinter", "PySide6.QtNetwork", "PySide6.QtTest", "PySide6.QtDBus", "PySide6.QtQml",
    "PySide6.QtQuick", *OPENGL, "IPython", "matplotlib", "scipy", "pandas", "OpenGL",
    # building, testing and debugging
    "setuptools", "pkg_resources", "distutils", "_distutils_hack", "lib2to3", "ensurepip", "pydoc_data", "numpy.f2py", "numba.pycc",
    "numba.tests", "numba.testing", "numba.runtests", "doctest", "pdb", "unittest",
    "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.flowchart", "pyqtgraph.console", "readline",
    # encryption for connections that the program does not make; the digests that it uses are also Python's own
    "ssl", "_ssl", "_hashlib",
    # of CuPy what no kernel of ours calls: sorting, solvers, transforms, random numbers, talk among several GPUs
    "cupy.cuda.thrust", "cupy.cuda.jitify", "cupy.cuda.cufft", "cupyx._cusolver", "cupyx._cutensor", "cupyx.scipy",
    "cupyx.linalg", *(f"cupy_backends.cuda.libs.{name}" for name in ("cusolver", "cusparse", "cutensor", "nccl", "curand")),
    # pool of threads of a library that does not come along, and numba's own compiler for GPUs with what it waits with
    "numba.np.ufunc.tbbpool", "numba.cuda", "numba.misc.numba_sysinfo", "asyncio",
    # talk with servers
    "http", "smtplib", "ftplib", "xmlrpc",
)  # fmt: skip

EXCLUDED_OF_CPU = ("numpy.fft",)
"""What besides is left out of the CPU edition: NumPy loads it when it is asked for, which CuPy may do."""

HOOKS_LEFT_OUT = ("pyi_rth_pyside6", "pyi_rth_pyqtgraph_multiprocess")
"""PyInstaller's preparations that have no use here, by name. The first loads Qt into every process, ranks and workers too, and hands
the folder of our plugins to every program that is started from here; PySide6 itself tells Qt where its plugins are. Tried on Linux."""

HIDDEN_OF_GPU = (
    "cupy", "cupy_backends.cuda.libs.nvrtc", "cupy_backends.cuda.libs.cublas", "cupy_backends.cuda.api._runtime_enum", "cuda.pathfinder",
    "graphlib",
)  # fmt: skip
COMPILED = ("cupy", "cupy_backends", "cupyx")
"""Packages whose compiled modules import each other where PyInstaller cannot see it: all of theirs that are not excluded are taken."""

_NO_DATA = frozenset({".py", ".pyc", ".po"})


def modules(root: Path, package: str) -> list[str]:
    """The dotted names of all modules of a package, in order."""
    names = []
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if all(map(str.isidentifier, parts)):
            names.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def data_files(root: Path, package: str) -> Iterator[tuple[str, str]]:
    """Path and folder in the bundle of each file of a package that is no module: kernels in CUDA C, texts, icons, recordings."""
    for path in sorted((root / package).rglob("*")):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(root).parts)
        if path.is_file() and path.suffix not in _NO_DATA and not hidden:
            yield str(path), path.relative_to(root).parent.as_posix()
