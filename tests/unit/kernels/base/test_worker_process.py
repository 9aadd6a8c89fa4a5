"""A worker that writes what is no answer, stops in the middle of one, or is left alone by the program; new, or copied from one that has
imported much."""

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
from kernels.base.worker_process import LOWER, NoAnswer, Why, WorkerChannel, WorkerProcess, ask_once, give_way
from kernels.simt.host.process import PRELOADED

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
    worker = WorkerProcess(time.sleep, "sleeping", preloaded=PRELOADED)
    worker.started(30)
    worker.send(60)
    print(worker.pid, flush=True)
    time.sleep(60)
"""
pytestmark = pytest.mark.usefixtures("workers_new")
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
    with pytest.raises(NoAnswer) as none:
        worker.ask(GARBAGE[kind], 20)
    assert none.value.why is Why.DIED
    assert not worker.alive
    assert not process.is_running()


@needs_sockets
@pytest.mark.parametrize("preloaded", [None, PRELOADED])
def test_a_process_ends_in_the_middle_of_its_work_when_the_program_is_killed(preloaded: str | None) -> None:
    text = LEFT_ALONE.replace("PRELOADED", repr(preloaded))
    program = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    sleeping = psutil.Process(int(program.stdout.readline()))
    started = [*psutil.Process(program.pid).children(recursive=True)]
    assert sleeping in started
    program.kill()
    program.wait()
    program.stdout.close()
    _gone, alive = psutil.wait_procs(started, timeout=5)
    for each in alive:
        each.kill()
    assert not alive


def misbehave(job: str, channel: WorkerChannel) -> str:
    """Does what the job says."""
    if job == "hang":
        time.sleep(60)
    if job == "chatter":
        while True:
            channel.say("word")
    if job == "die":
        os._exit(3)
    if job == "fill memory":
        held = b"x" * (200 << 20)
        time.sleep(60)
        return str(len(held))
    channel.say(job)
    return f"{channel.hear()} {os.getpid()}"


@pytest.fixture(params=[None, PRELOADED], ids=["new", "copied"])
def talking(request: pytest.FixtureRequest) -> Iterator[WorkerProcess]:
    started = WorkerProcess(misbehave, "talking", channel=True, preloaded=request.param)
    yield started
    started.end()


def test_job_after_job_is_answered_and_what_is_said_before_is_heard(talking: WorkerProcess) -> None:
    said: list[object] = []

    def hear(words: object) -> None:
        said.append(words)
        talking.send("heard")

    for job in ("first", "second"):
        assert talking.ask(job, 30, heard=hear) == f"heard {talking.pid}"
    assert said == ["first", "second"]
    assert talking.ready


@pytest.mark.parametrize("job", ["hang", "chatter"])
@pytest.mark.parametrize(("seconds", "cancelled", "why"), [(0.3, False, Why.LATE), (30, True, Why.CANCELLED)])
def test_a_job_that_is_late_or_no_longer_wanted_takes_its_process_with_it(
    talking: WorkerProcess, job: str, seconds: float, cancelled: bool, why: Why
) -> None:
    process = psutil.Process(talking.pid)
    assert talking.started(30)
    with pytest.raises(NoAnswer) as none:
        talking.ask(job, seconds, lambda: cancelled)
    assert none.value.why is why
    assert not process.is_running()


def test_how_a_process_ended_is_told(talking: WorkerProcess) -> None:
    with pytest.raises(NoAnswer) as none:
        talking.ask("die", 30)
    assert (none.value.why, none.value.how) == (Why.DIED, "exit status 3")


def imported(name: str) -> tuple[bool, int]:
    """Whether the process had imported a module before it was asked, and what started it."""
    return name in sys.modules, os.getppid()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each process is new")
def test_a_copied_process_has_imported_what_its_program_needs() -> None:
    ids = set()
    for preloaded in (PRELOADED, None, PRELOADED):
        worker = WorkerProcess(imported, "copied", preloaded=preloaded)
        known, parent = worker.ask("kernels.simt.host.execution", 60)
        worker.end()
        assert (known, parent == os.getpid()) == (preloaded is not None, preloaded is None)
        ids.add(parent)
    assert len(ids) == 2


def test_a_process_with_too_much_memory_is_ended(talking: WorkerProcess) -> None:
    with pytest.raises(NoAnswer) as none:
        talking.ask("fill memory", 30, most_bytes=150 << 20)
    assert none.value.why is Why.TOO_LARGE
    assert not talking.alive


def test_whatever_is_raised_while_waiting_ends_the_process(talking: WorkerProcess) -> None:
    def hear(_words: object) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        talking.ask("first", 30, heard=hear)
    assert not talking.alive


def priority(_job: object) -> tuple[int, int]:
    """What a process does that gives way: it tells its priority before and afterwards."""
    before = psutil.Process().nice()
    give_way()
    return int(before), int(psutil.Process().nice())


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are classes there, not numbers")
def test_a_process_that_gives_way_has_a_lower_priority_than_others() -> None:
    before, after = ask_once(priority, "giving way", None, 30.0, lambda: False)
    assert before == psutil.Process().nice()
    assert after == max(LOWER, before)
