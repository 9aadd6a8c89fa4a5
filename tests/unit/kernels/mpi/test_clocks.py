"""Clocks of ranks on other hosts, played by a rank whose clock is wrong and whose host has another name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.devices.mpi_ranks import MPIEXEC, needs_mpi

ROOT = Path(__file__).resolve().parents[4]
BEHIND_NS = 5_000_000_000
SCRIPT = f"""
import json, time
from mpi4py import MPI
from kernels.mpi.recorder import ahead_of

comm = MPI.COMM_WORLD
far = comm.rank == 2
clock = (lambda: time.perf_counter_ns() - {BEHIND_NS}) if far else time.perf_counter_ns
found = comm.gather(ahead_of(comm, "far" if far else "near", clock))
if comm.rank == 0:
    print(json.dumps(found))
"""


@needs_mpi
def test_a_clock_of_another_host_is_found_within_its_stated_error() -> None:
    answer = subprocess.run(
        [MPIEXEC, "-n", "3", sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )  # fmt: skip
    near, also_near, (ahead, error) = json.loads(answer.stdout)
    assert near == also_near == [0, 0]
    assert 0 < error < BEHIND_NS
    assert abs(ahead - BEHIND_NS) <= error + 1  # halves of nanoseconds are rounded
