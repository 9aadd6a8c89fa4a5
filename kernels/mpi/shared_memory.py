"""The memory that ranks of one machine share, given back even where they are killed."""

from __future__ import annotations

import contextlib
from pathlib import Path

_MAPPED = Path("/proc/self/maps")
_PREFIX = "/dev/shm/mpich_shm_"


def forget_names() -> None:
    """Remove the names of the memory that MPICH shares among these ranks, once all of them have it.

    It stays until the last of them ends, however it ends; with a name it would stay until the machine is started anew.
    Other libraries open such memory when they first need it, so theirs keeps its name. Called by all ranks together.
    """
    from mpi4py import MPI

    MPI.COMM_WORLD.Barrier()
    for name in sorted(_names()):
        with contextlib.suppress(OSError):  # another rank was first
            Path(name).unlink()
    MPI.COMM_WORLD.Barrier()


def _names() -> set[str]:
    try:
        lines = _MAPPED.read_text().splitlines()
    except OSError:  # not Linux
        return set()
    return {last for line in lines if line and (last := line.split()[-1]).startswith(_PREFIX)}
