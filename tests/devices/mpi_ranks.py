"""What tests of the distributed rungs share: ranks that serve, and the processes that came of starting them."""

from __future__ import annotations

from importlib.util import find_spec
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

import numpy as np
import psutil
import pytest

from kernels.base.arrays import Matrix, never
from kernels.catalogue.mpi_multiplications import MPI_RUNGS
from kernels.cpu.matrix import aligned_matrix
from kernels.measure.real_run import MpiTimeline
from kernels.mpi.detect import find_mpiexec
from kernels.mpi.merge import Record, timeline_of
from kernels.mpi.ranks import Ranks

MPIEXEC = find_mpiexec() or ""
needs_mpi = pytest.mark.skipif(not MPIEXEC or find_spec("mpi4py") is None, reason="needs mpi4py and mpiexec")
IDS = [variant.id for variant in MPI_RUNGS]
ON_CORES = [variant.id for variant in MPI_RUNGS if not variant.needs.each_rank]
TOY_CUPY = Path(__file__).parent / "toy_cupy"
"""A folder for PYTHONPATH, in which `cupy` is a toy."""


def multiply(ranks: Ranks, variant_id: str, a: Matrix, b: Matrix, **parameters: int) -> tuple[Matrix, MpiTimeline]:
    """The product of a fresh run into a poisoned output, and what a second run wrote down."""
    (m, k), n = a.shape, b.shape[1]
    ranks.ask(never, do="begin", variant=variant_id, sizes=(m, n, k), parameters=parameters)
    ranks.send([np.ascontiguousarray(a), np.ascontiguousarray(b)], never)
    for request in ("place", "poison", "sample", "collect"):
        ranks.ask(never, do=request)
    c = aligned_matrix((m, n))
    ranks.fetch(c, never)
    return c, timeline_of([Record.of(words) for words in ranks.ask(never, do="record")])


def descendants() -> set[psutil.Process]:
    """Every process that came of this one, less the tracker and the one that workers are copied from, which Python's multiprocessing keeps
    for itself until the end."""
    kept = {getattr(resource_tracker._resource_tracker, "_pid", None), getattr(forkserver._forkserver, "_forkserver_pid", None)}
    return {process for process in psutil.Process().children(recursive=True) if process.pid not in kept}


def rank_processes() -> list[psutil.Process]:
    """The ranks among them: what mpiexec's helper has started."""
    return [process for process in descendants() if not process.children() and process.name().startswith("python")]
