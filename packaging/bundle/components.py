"""Parts of the bundle that no import leads to: libclang, the programs and libraries of MPI, NVIDIA's compiler, metadata of packages."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from bundle.collecting import EXCLUDED
from bundle.edition import Edition
from bundle.trimming import Entry

_MPI_LIBRARIES = ("libmpi.so.12", "mpich/libfabric.so.1", *(f"mpich/libuc{part}.so.0" for part in ("m", "p", "s", "t")))
"""Of MPICH. Its plugins for the networks of clusters are left out: a cluster has its own MPI."""
_MPI_PROGRAMS = ("mpiexec", "hydra_pmi_proxy")
_CUDA = (("lib/libnvrtc*.so.*", "BINARY"), ("bin/x86_64/nvrtc*.dll", "BINARY"), ("bin/nvdisasm*", "BINARY"), ("include/**/*", "DATA"))
"""Of NVIDIA's packages: its compiler on Linux and on Windows, disassembler and headers."""
_QUERIED = ("PySide6-Essentials", "pyqtgraph", "mpi4py", "mpich", "cupy-cuda13x")
"""Distributions of which the program tells the version, where it has them."""


def of(edition: Edition) -> list[Entry]:
    """What belongs to the edition, as PyInstaller's entries. They are not searched for what they need: `checking` does that."""
    found = [*_clang(), *_mpi()]
    return found if edition.name == "cpu" else [*found, *_cuda()]


def modules_of(package: str) -> list[str]:
    """The dotted names of all modules of an installed package, compiled ones among them."""
    folder, names = package_folder(package), set()
    for path in folder.rglob("*"):
        if path.suffix in (".py", ".so", ".pyd") and path.name != "__init__.py":
            names.add(".".join((package, *path.relative_to(folder).parent.parts, path.name.split(".")[0])))
        elif path.name == "__init__.py":
            names.add(".".join((package, *path.relative_to(folder).parent.parts)))
    return sorted(name for name in names if not _is_excluded(name))


def _is_excluded(name: str) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in EXCLUDED)


def metadata() -> list[Entry]:
    """The metadata of the distributions whose version is asked for at run time."""
    entries = []
    for each in distributions():
        if each.name in _QUERIED:
            file = next(path for path in each.files or () if path.name == "METADATA")
            entries.append((str(file), str(file.locate()), "DATA"))
    return sorted(entries)


def _clang() -> Iterator[Entry]:
    folder = package_folder("clang") / "native"
    for name in ("libclang.so", "libclang.dll", "libclang.dylib"):
        if (folder / name).is_file():
            yield f"clang/native/{name}", str(folder / name), "BINARY"


def _mpi() -> Iterator[Entry]:
    if not sys.platform.startswith("linux"):
        return
    for path in sorted(package_folder("mpi4py").glob("MPI.*.so")):
        yield f"mpi4py/{path.name}", str(path), "EXTENSION"
    prefix = Path(sys.prefix)
    for name in _MPI_LIBRARIES:
        yield f"mpi/lib/{name}", str(prefix / "lib" / name), "BINARY"
    for name in _MPI_PROGRAMS:
        yield f"mpi/bin/{name}", str(prefix / "bin" / name), "BINARY"


def _cuda() -> Iterator[Entry]:
    """NVIDIA's compiler with what it loads itself, its disassembler and headers, as they lie in their own packages."""
    root = package_folder("nvidia") / "cu13"
    for pattern, kind in _CUDA:
        for path in sorted(root.glob(pattern)):
            if path.is_file():
                yield f"nvidia/cu13/{path.relative_to(root).as_posix()}", str(path), kind


def package_folder(name: str) -> Path:
    """Where an installed package lies."""
    spec = importlib.util.find_spec(name)
    assert spec is not None, name
    assert spec.submodule_search_locations, name
    return Path(next(iter(spec.submodule_search_locations)))
