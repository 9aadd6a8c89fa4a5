"""However a run on ranks ends: it says why in words, soon, and leaves no process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from kernels.base.arrays import Cancelled, never
from kernels.base.packaged import RANK_COMMAND
from kernels.base.reference import random_inputs
from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.runner import RunFailed
from kernels.mpi import ranks as members
from kernels.mpi.detect import probe_mpi
from kernels.mpi.ranks import Ranks
from kernels.mpi.runner import MpiRun, MpiRunner
from tests.devices.mpi_ranks import MPIEXEC, descendants, needs_mpi, rank_processes

pytestmark = needs_mpi
POINT = Case("mpi.rows", Problem.square(Operation.MATMUL, 512), {"ranks": 3})
WITHIN_S = 10.0
"""How soon a rank that is gone or hangs must have been noticed."""
PATIENCE_S = 60.0
"""How long processes that must end are waited for: on a loaded machine each of them waits for its turn."""


def run_with(act: Callable[[MpiRun], object]) -> None:
    inputs = random_inputs(POINT.problem, 0)
    with MpiRunner(probe_mpi()).prepare(POINT, inputs, never) as run:
        act(run)


@pytest.fixture(autouse=True)
def nothing_left() -> object:
    yield
    deadline = time.monotonic() + PATIENCE_S
    while (left := descendants()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left


def test_a_rank_killed_between_samples_is_named() -> None:
    def act(run: MpiRun) -> None:
        run.sample(never)
        rank_processes()[0].kill()
        run.sample(never)

    with pytest.raises(RunFailed, match=r"of 3 ranks, number [012, ]+ ended before it had answered"):
        run_with(act)


def test_a_rank_killed_while_it_multiplies_ends_the_run() -> None:
    doomed: list[psutil.Process] = []

    def kill_one() -> None:
        if not doomed:
            doomed.append(rank_processes()[0])
            doomed[0].kill()

    with pytest.raises(RunFailed, match="ended before it had answered"):
        run_with(lambda run: [run.sample(kill_one) for _ in range(2)])  # where the first had answered already, the second says it


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs a signal that halts a process")
def test_a_rank_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert members.SILENCE_S < WITHIN_S

    def act(run: MpiRun) -> None:
        monkeypatch.setattr(members, "SILENCE_S", 2.5)  # not before: ranks that start on a loaded machine can be silent for so long
        run.ranks._members[1].process.suspend()
        run.sample(never)

    # beside it those are named that the machine gave no turn meanwhile
    with pytest.raises(RunFailed, match=r"of 3 ranks, number (0, )?1(, 2)? gave no sign of life"):
        run_with(act)


def test_a_cancel_ends_every_rank_in_the_middle_of_a_sample() -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        run_with(lambda run: run.sample(cancel))


def test_a_cancel_is_heard_while_the_ranks_are_starting() -> None:
    calls = iter(range(3))

    def cancel() -> None:
        if next(calls, None) is None:
            raise Cancelled

    with pytest.raises(Cancelled):
        Ranks(MPIEXEC, 2, cancel)


def test_what_a_rank_complains_of_is_said() -> None:
    ranks = Ranks(MPIEXEC, 2, never)
    try:
        with pytest.raises(RunFailed, match=r"Rank 0: .*memory|Rank 0: .*allocate"):
            ranks.ask(never, do="begin", variant="mpi.rows", sizes=(1 << 24, 1 << 24, 1), parameters={})
    finally:
        ranks.kill()


IDLE = "pass"
# Two different rungs wait for each other for ever, deep in MPI.
BUSY = """
from kernels.mpi.ranks import answers
for member, variant in zip(ranks._members, ("mpi.point-to-point", "mpi.summa")):
    member.work.tell(do="begin", variant=variant, sizes=(512, 512, 512), parameters={})
answers(ranks._members, never, lambda: None)
ranks._tell({"do": "sample"})
time.sleep(0.5)
"""


@pytest.mark.parametrize("work", [IDLE, BUSY], ids=["idle", "in MPI"])
def test_the_ranks_end_when_the_program_is_killed(work: str) -> None:
    script = (
        "import sys, time; from tests.devices.mpi_ranks import *\n"
        "ranks = Ranks(MPIEXEC, 2, never)\n"
        f"{work}\n"
        "print(*[process.pid for process in descendants()], flush=True)\n"
        "time.sleep(600)"
    )
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": "."})
    assert program.stdout is not None
    left = [psutil.Process(int(pid)) for pid in program.stdout.readline().split()]
    assert len(left) >= 3
    program.kill()
    program.communicate()
    deadline = time.monotonic() + PATIENCE_S
    while any(map(_lives, left)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [process for process in left if _lives(process)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="a signal that Linux sends")
def test_a_rank_that_waits_for_the_others_in_vain_ends_when_the_program_is_gone(tmp_path: Path) -> None:
    """MPI begins without letting go of Python's lock, so no thread of the rank's can look after the program."""
    begun = tmp_path / "begun"
    waiting = tmp_path / "mpi4py"
    waiting.mkdir()
    (waiting / "__init__.py").touch()
    (waiting / "MPI.py").write_text(f"import ctypes, pathlib\npathlib.Path({str(begun)!r}).touch()\nctypes.PyDLL(None).sleep(600)\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        environment = {"TILESCOPE_RANK": f"{server.getsockname()[1]}:word", "PYTHONPATH": f"{tmp_path}:."}
        rank = subprocess.Popen([sys.executable, "-m", "kernels.mpi.rank"], env={**os.environ, **environment})
        try:
            program = [server.accept()[0] for _ in range(2)]
            while not begun.exists():
                assert rank.poll() is None
                time.sleep(0.01)
            for each in program:
                each.close()
            assert rank.wait(PATIENCE_S) == -signal.SIGIO
        finally:
            rank.kill()
            rank.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="a signal that Linux sends")
def test_a_rank_whose_program_was_gone_before_mpi_begins_ends() -> None:
    here, there = socket.socketpair()
    there.close()
    script = f"import socket; from kernels.mpi.rank import _end_with; _end_with(socket.socket(fileno={here.fileno()}), ends=True)"
    with here:
        ended = subprocess.run([sys.executable, "-c", script], pass_fds=[here.fileno()], env={**os.environ, "PYTHONPATH": "."}, check=False)
    assert ended.returncode == 1


def test_a_rank_without_a_program_ends_with_a_status(tmp_path: Path) -> None:
    environment = {**os.environ, "TILESCOPE_RANK": "1:nobody"}
    ended = subprocess.run([sys.executable, "-m", "app", RANK_COMMAND], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == ""


def test_an_mpiexec_that_fails_says_why_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match=r"MPI could not start the ranks: Unknown option"):
        Ranks(sys.executable, 2, never)


def test_an_mpiexec_of_another_mpi_is_found_out(tmp_path: Path) -> None:
    other = tmp_path / "mpiexec"
    other.write_text(f"#!{sys.executable}\nimport subprocess, sys\nfor p in [subprocess.Popen(sys.argv[3:]) for _ in range(2)]: p.wait()\n")
    other.chmod(0o755)
    with pytest.raises(RunFailed, match="belongs to another MPI"):
        Ranks(str(other), 2, never)


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False
