"""Process of a rank: does what it is told until it is told to end, or the program is gone.

Started by mpiexec as `python -m kernels.mpi.rank`, or as the hidden command of an executable that has no Python beside it. Memory that
ranks of one machine share is given back even where they are killed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import select
import socket
import sys
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernels.base.spec import Operation, Problem
from kernels.catalogue.case import Case
from kernels.measure.result_json import message_to_json
from kernels.measure.runner import RunRefused
from kernels.mpi.channel import ADDRESS_VARIABLE, Channel

if TYPE_CHECKING:
    from kernels.mpi.job import Job

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


BEAT_S = 1.0
"""How often a rank says that it is alive."""


def main() -> int:
    """Serve the program that started this rank."""
    port, word = os.environ[ADDRESS_VARIABLE].split(":")
    # The process can be found and ended from now on, whatever MPI does when it starts.
    try:
        channel, pulse = (_connect(int(port), word, purpose) for purpose in ("work", "pulse"))
    except OSError:
        return 1
    threading.Thread(target=_beat, args=(pulse,), daemon=True).start()
    try:
        _begin_mpi(pulse.socket)
        _serve(channel)
    except (EOFError, OSError):
        return 1
    except Exception as error:  # of MPI, of NumPy, for want of memory: the program says it in words
        channel.tell(failed=str(error) or type(error).__name__, of_mpi=type(error).__module__ == "mpi4py.MPI")
        return 1
    return 0


def _connect(port: int, word: str, purpose: str) -> Channel:
    channel = Channel(socket.create_connection(("127.0.0.1", port)))
    channel.tell(word=word, pid=os.getpid(), purpose=purpose)
    return channel


def _beat(pulse: Channel) -> None:
    """Say that this process is alive; end it when the program is gone, also from the middle of a multiplication."""
    pulse.socket.settimeout(BEAT_S)
    alive = True
    while alive:
        try:
            alive = bool(pulse.socket.recv(1))  # the program says nothing here: this waits for a beat, or for its end
        except TimeoutError:
            alive = _told(pulse)
        except OSError:
            alive = False
    os._exit(1)


def _told(pulse: Channel) -> bool:
    try:
        pulse.tell()
    except OSError:
        return False
    return True


BEGINNING_S = 300.0
"""The program gives up earlier, however many ranks there are."""


def _begin_mpi(pulse: socket.socket) -> None:
    """Begin MPI, which keeps Python's lock until all ranks are there: `_beat` cannot run meanwhile.

    Where the program is gone and another rank with it, that is never, and this process would keep a core busy for good. Linux ends it
    as soon as the connection ends, a clock that needs no lock does so elsewhere.
    """
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(BEGINNING_S, exit=True, file=nowhere)
        _end_with(pulse, ends=True)
        from mpi4py import MPI  # noqa: F401

        _end_with(pulse, ends=False)
        faulthandler.cancel_dump_traceback_later()


def _end_with(pulse: socket.socket, *, ends: bool) -> None:
    """Have Linux signal that something comes through the connection, which can only be its end; the signal ends a process."""
    if sys.platform != "linux":
        return
    import fcntl

    fcntl.fcntl(pulse, fcntl.F_SETOWN, os.getpid())
    flags = fcntl.fcntl(pulse, fcntl.F_GETFL)
    fcntl.fcntl(pulse, fcntl.F_SETFL, flags | os.O_ASYNC if ends else flags & ~os.O_ASYNC)
    if ends and select.select([pulse], [], [], 0)[0]:  # it came before
        os._exit(1)


def _serve(channel: Channel) -> None:
    from kernels.mpi.core_job import job_of
    from kernels.mpi.job import about

    forget_names()
    channel.tell(**about())
    job: Job | None = None
    while (words := channel.hear())["do"] != "end":
        try:
            if words["do"] == "begin":
                job = job_of(Case(words["variant"], Problem(Operation.MATMUL, *words["sizes"]), words["parameters"]))
                answer = job.about()
            else:
                assert job is not None, words
                answer = _answer(words["do"], job, channel)
        except RunRefused as refused:
            answer = {"refused": message_to_json(refused.reason)}
        channel.tell(**answer)


def _answer(request: str, job: Job, channel: Channel) -> dict[str, Any]:
    match request:
        case "inputs":
            for name in ("A", "B"):
                deque(channel.receive(job.operands[name]), maxlen=0)
        case "place":
            job.place()
        case "poison":
            job.poison()
        case "collect":
            job.collect()
        case "output":
            deque(channel.send(job.operands["C"]), maxlen=0)
        case "sample":
            return {"ns": job.sample()}
        case "record":
            return job.record()
    return {}


if __name__ == "__main__":
    sys.exit(main())
