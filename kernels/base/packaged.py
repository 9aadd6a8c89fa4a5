"""Packaged program: what differs there, as there is no Python to start, and what came along lies in a folder of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping
from pathlib import Path

MPI_LIBRARY_VARIABLE = "MPI4PY_LIBMPI"
"""Where mpi4py looks for MPI: folders and files; an empty one stands for where the system looks."""
GPU_EDITION = "tilescope-gpu"
"""The package that has CUDA's parts in it."""
_STARTED_BY_MPIEXEC = ("PMI_RANK", "OMPI_COMM_WORLD_RANK")
_LIBRARY_PATH = "LD_LIBRARY_PATH"


def contents() -> Path | None:
    """The folder of all that came along with the packaged program; None where Python runs the program."""
    folder = getattr(sys, "_MEIPASS", None) if getattr(sys, "frozen", False) else None
    return None if folder is None else Path(folder)


def programs() -> Path:
    """The folder of the programs that came along, or that were installed beside this Python."""
    folder = contents()
    return Path(sys.executable).parent if folder is None else folder / "mpi" / "bin"


def rank_command() -> list[str]:
    """How mpiexec starts a rank."""
    return [sys.executable, RANK_COMMAND] if contents() is not None else [sys.executable, "-m", "kernels.mpi.rank"]


def prepare(environment: MutableMapping[str, str], folder: Path) -> None:
    """Make the environment such as other programs and MPI need it; to be called first of all in the packaged program.

    `folder` is that of `contents`. Libraries of ours are not for the programs that we start. Ranks that a user's own mpiexec starts
    take its MPI, all others that which came along.
    """
    original = environment.pop(f"{_LIBRARY_PATH}_ORIG", None)
    if original is not None:
        environment[_LIBRARY_PATH] = original
    else:
        environment.pop(_LIBRARY_PATH, None)
    library = folder / "mpi" / "lib"
    if library.is_dir():
        theirs = any(name in environment for name in _STARTED_BY_MPIEXEC)
        environment.setdefault(MPI_LIBRARY_VARIABLE, f"{os.pathsep}{library}" if theirs else str(library))


RANK_COMMAND = "mpi-rank"
"""The hidden command by which an executable that has no Python beside it becomes a rank."""
