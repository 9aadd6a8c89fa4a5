"""Starting ranks on this machine, and ending every process that came of it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from pathlib import Path
from typing import IO

import psutil

from kernels.packaged import rank_command

_ENVIRONMENT = {
    # each rank multiplies on one thread
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    # Open MPI refuses more ranks than cores unless it is told otherwise: version 4, version 5
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
LONGEST_GOODBYE_S, LONGEST_END_S = 1.0, 5.0


def start(mpiexec: str, ranks: int, environment: dict[str, str], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start `ranks` processes that serve this one; what MPI has to say goes to `complaints`. Raises OSError."""
    here = str(Path(__file__).parents[2])  # where the package `kernels` is
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    local = ["-localonly"] if os.name == "nt" else []  # else Intel MPI asks for a service to be installed
    return subprocess.Popen(
        [mpiexec, *local, "-n", str(ranks), *rank_command()],
        env={**os.environ, **_ENVIRONMENT, **environment, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL, stdout=complaints, stderr=complaints,
        start_new_session=True,  # the interrupt key is for the program, which then ends the ranks
    )  # fmt: skip


def end_tree(launcher: subprocess.Popen[bytes], tree: psutil.Process, ranks: list[psutil.Process]) -> None:
    """Kill the ranks and then, if it does not end with them, mpiexec, which is `tree`, with all that descends from it.

    Returns when they are gone. In this order mpiexec's own helpers can clear away what they have started.
    """
    _kill(ranks)
    if ranks:
        with contextlib.suppress(subprocess.TimeoutExpired):
            launcher.wait(LONGEST_GOODBYE_S)
    rest: list[psutil.Process] = []
    _halt(tree, rest)
    _kill(rest)
    launcher.wait()
    deadline = time.monotonic() + LONGEST_END_S
    while any(map(_lives, (*ranks, *rest))) and time.monotonic() < deadline:
        time.sleep(0.01)


def _halt(process: psutil.Process, found: list[psutil.Process]) -> None:
    """Halt a process before its children are asked for, so that it can start no other."""
    with contextlib.suppress(psutil.Error):
        process.suspend()
        found.append(process)
        for child in process.children():
            _halt(child, found)


def _kill(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
