"""A worker that writes what is no answer, stops in the middle of one, or is left alone by the program."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

import kernels.base.worker_process
from kernels.base.worker_process import WorkerDied, WorkerProcess

GARBAGE = {
    "no pickle": b"\0\0\0\x0chello, world",
    "the beginning of a long one": b"\x7f\xff\xff\xff" + b"x" * 64,
    "longer than any memory": b"\xff\xff\xff\xff" + b"\x7f" * 8,
    "nothing": b"\0\0\0\0",
    "half a length": b"\0\0",
}
LEFT_ALONE = """
import sys, time
from kernels.base.worker_process import WorkerProcess

if __name__ == "__main__":
    worker = WorkerProcess(time.sleep, "sleeping")
    worker.send(60)
    print(worker.pid, flush=True)
    time.sleep(60)
"""
needs_sockets = pytest.mark.skipif(sys.platform == "win32", reason="a pipe of Windows is no file of the process")


def write(garbage: bytes) -> bytes:
    """What a process does that lost its head: write to every socket it has, which is its end of the pipe."""
    for handle in range(3, 64):
        try:
            if not stat.S_ISSOCK(os.fstat(handle).st_mode):
                continue
        except OSError:
            continue
        with socket.socket(fileno=os.dup(handle)) as pipe:
            pipe.sendall(garbage)
    time.sleep(60)
    return garbage


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    started = WorkerProcess(write, "writing")
    yield started
    started.end()


@needs_sockets
@pytest.mark.parametrize("kind", GARBAGE)
def test_what_is_no_answer_ends_the_process_and_is_told(worker: WorkerProcess, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels.base.worker_process, "RECEIVING_S", 1.0)
    process = psutil.Process(worker.pid)
    worker.send(GARBAGE[kind])
    assert worker.connection.poll(20)
    with pytest.raises(WorkerDied):
        worker.receive()
    assert not worker.alive
    assert not process.is_running()


@needs_sockets
def test_a_process_ends_in_the_middle_of_its_work_when_the_program_is_killed() -> None:
    program = subprocess.Popen([sys.executable, "-c", LEFT_ALONE], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    sleeping = psutil.Process(int(program.stdout.readline()))
    program.kill()
    program.wait()
    program.stdout.close()
    _gone, alive = psutil.wait_procs([sleeping], timeout=5)
    for each in alive:
        each.kill()
    assert not alive
