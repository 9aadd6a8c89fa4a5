"""Ranks that are killed leave none of the machine's memory taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernels.base.arrays import never
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.runner import RunFailed
from kernels.mpi.detect import probe_mpi
from kernels.mpi.runner import MpiRunner
from tests.devices.mpi_ranks import needs_mpi, rank_processes

pytestmark = [needs_mpi, pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="shared memory has no names to be seen here")]
POINT = Case("mpi.rows", Problem.square(Operation.MATMUL, 64), {"ranks": 3})


def shared_by(pid: int) -> set[str]:
    """The names of the memory that a process shares; those that are gone are not names any more."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if "/dev/shm/mpich" in line and not line.endswith("(deleted)")}


def run_and_kill() -> None:
    with MpiRunner(probe_mpi()).prepare(POINT, random_inputs(POINT.problem, 0), never) as run:
        run.sample(never)
        assert [shared_by(process.pid) for process in rank_processes()] == [set()] * 3
        rank_processes()[0].kill()
        run.sample(never)


def test_a_killed_rank_leaves_no_shared_memory() -> None:
    with pytest.raises(RunFailed, match="ended before it had answered"):
        run_and_kill()
