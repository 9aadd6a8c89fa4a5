"""Starting ranks on this machine, and ending every process that came of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

import psutil

RANK_COMMAND = "mpi-rank"
"""The hidden command by which an executable that has no Python beside it becomes a rank."""
_ENVIRONMENT = {
    # each rank multiplies on one thread
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    # Open MPI refuses more ranks than cores unless it is told otherwise: version 4, version 5
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
LONGEST_END_S = 5.0


def find_mpiexec() -> str | None:
    """The mpiexec that came with this Python, else the system's."""
    return shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")


def start(mpiexec: str, ranks: int, environment: dict[str, str], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start `ranks` processes that serve this one; what MPI has to say goes to `complaints`. Raises OSError."""
    rank = [sys.executable, RANK_COMMAND] if getattr(sys, "frozen", False) else [sys.executable, "-m", "kernels.mpi.rank"]
    here = str(Path(__file__).parents[2])  # where the package `kernels` is
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    local = ["-localonly"] if os.name == "nt" else []  # else Intel MPI asks for a service to be installed
    return subprocess.Popen(
        [mpiexec, *local, "-n", str(ranks), *rank],
        env={**os.environ, **_ENVIRONMENT, **environment, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL, stdout=complaints, stderr=complaints,
        start_new_session=True,  # the interrupt key is for the program, which then ends the ranks
    )  # fmt: skip


def end_tree(launcher: subprocess.Popen[bytes], ranks: list[psutil.Process]) -> None:
    """Kill mpiexec, all that descends from it, and the ranks, whoever their parent is by now; wait until they are gone."""
    processes = list(ranks)
    with contextlib.suppress(psutil.Error):
        _stop(psutil.Process(launcher.pid), processes)
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    launcher.wait()
    psutil.wait_procs(processes, timeout=LONGEST_END_S)


def _stop(process: psutil.Process, found: list[psutil.Process]) -> None:
    """Halt a process before its children are asked for, so that it can start no other."""
    found.append(process)
    with contextlib.suppress(psutil.Error):
        process.suspend()
        for child in process.children():
            _stop(child, found)
