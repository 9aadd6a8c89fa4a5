"""Ranks that serve this process: started together on this machine, asked together, and ended with every process that came of them.

Their answers come in any order, and one that is gone or hangs is noticed in a few seconds.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import field
from multiprocessing.connection import wait
from pathlib import Path
from typing import IO, Any

import psutil

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.messages import Message, message
from kernels.base.packaged import rank_command
from kernels.base.values import dataclass
from kernels.measure.result_json import sentence
from kernels.measure.runner import RunFailed, RunRefused
from kernels.mpi.channel import ADDRESS_VARIABLE, Channel

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


POLL_S = 0.05
SILENCE_S = 6.0
"""A rank that has not beaten for so long hangs: it beats every second, whatever it multiplies."""


class RankEnded(RunFailed):
    """A rank is gone."""


@dataclass(slots=True)
class Member:
    """One rank as the program sees it: its answers come from `work`, its beats from `pulse`."""

    work: Channel
    pulse: Channel
    process: psutil.Process
    heard: float = field(default_factory=time.monotonic)


def answers(members: Sequence[Member], check: CancelCheck, longest: Callable[[], Message | None]) -> list[dict[str, Any]]:
    """What each member answers. Raises `RunFailed` when one is gone, is silent or complains, or `longest` gives a reason."""
    given: dict[int, dict[str, Any]] = {}
    for member in members:
        member.heard = time.monotonic()  # nobody listened meanwhile
    while len(given) < len(members):
        check()
        gone = _gone(members, given, check)
        if not gone or not _of_mpi(given):
            _complain(given)
        if gone:
            raise RankEnded(_ended(gone, len(members)))
        silent = [rank for rank, member in enumerate(members) if time.monotonic() - member.heard > SILENCE_S]
        reason = hangs(silent, len(members)) if silent else longest()
        if reason is not None:
            raise RunFailed(reason)
    return [given[rank] for rank in range(len(members))]


HEARD_S = 0.5
"""How long after a rank's complaint it is listened for one that is gone."""


def _gone(members: Sequence[Member], given: dict[int, dict[str, Any]], check: CancelCheck) -> list[int]:
    """Listen for a moment; returns the ranks that are gone, without those that said why."""
    gone, deadline = _listen(members, given), time.monotonic() + HEARD_S
    while _of_mpi(given) and _failed(given).issuperset(gone) and len(gone) < len(members) and time.monotonic() < deadline:
        check()
        gone |= _listen(members, given, gone)
    return sorted(gone - _failed(given))


def _failed(given: dict[int, dict[str, Any]]) -> set[int]:
    return {rank for rank, words in given.items() if "failed" in words}


def _of_mpi(given: dict[int, dict[str, Any]]) -> bool:
    """Whether nothing failed but MPI, as it does in a rank when another is gone."""
    failed = _failed(given)
    return bool(failed) and all(given[rank].get("of_mpi") for rank in failed)


def _listen(members: Sequence[Member], given: dict[int, dict[str, Any]], known: Set[int] = frozenset()) -> set[int]:
    """Take what has come within a moment; returns the ranks that are gone, besides those that are `known` to be."""
    heard = [(rank, member) for rank, member in enumerate(members) if rank not in known]
    ends = {member.pulse.socket: (rank, member.pulse) for rank, member in heard}
    ends |= {member.work.socket: (rank, member.work) for rank, member in heard if rank not in given}
    gone: set[int] = set()
    for ready in wait(list(ends), POLL_S):
        assert isinstance(ready, socket.socket)
        rank, channel = ends[ready]
        try:
            words = channel.hear()
        except (EOFError, OSError):
            gone.add(rank)
            continue
        members[rank].heard = time.monotonic()
        if channel is members[rank].work:
            given[rank] = words
    return gone


def _complain(given: dict[int, dict[str, Any]]) -> None:
    for rank, words in sorted(given.items(), key=lambda each: bool(each[1].get("of_mpi"))):
        if "refused" in words:
            raise RunRefused(sentence(words["refused"]))
        if "failed" in words:
            raise RunFailed(message("Rank {rank}: {error}", rank=rank, error=words["failed"]))


def _ended(gone: list[int], count: int) -> Message:
    names = ", ".join(map(str, gone))
    return message("The run was stopped: of {count} ranks, number {ranks} ended before it had answered.", count=count, ranks=names)


def hangs(silent: list[int], count: int) -> Message:
    """What to say of ranks that do not beat any more."""
    names = ", ".join(map(str, silent))
    return message(
        "The run was stopped: of {count} ranks, number {ranks} gave no sign of life for {seconds} s.",
        count=count, ranks=names, seconds=SILENCE_S,
    )  # fmt: skip


START_S, START_A_RANK_S = 30.0, 2.0
"""How long starting may take, and how much longer for each rank: all load Python and NumPy at once."""
GOODBYE_S = 2.0
MOST_SAID = 300
"""Characters of what mpiexec complains of."""
_Answers = list[dict[str, Any]]


class Ranks:
    """Ranks on this machine, `count` of them. Whatever is asked of them raises `RunFailed` when one has ended, hangs or complains."""

    def __init__(self, mpiexec: str, count: int, check: CancelCheck) -> None:
        """Start them and wait until all are there; `about` is then what each says of itself, by rank."""
        self._count = count
        self._members: list[Member] = []
        self._channels: list[Channel] = []
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        self._deadline = time.monotonic() + START_S + START_A_RANK_S * count
        word = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0), backlog=2 * count) as server:
            address = f"{server.getsockname()[1]}:{word}"
            try:
                self._launcher = start(mpiexec, count, {ADDRESS_VARIABLE: address}, self._complaints)
            except OSError as error:
                self._complaints.close()
                raise RunFailed(message("{path} cannot be started: {error}", path=mpiexec, error=str(error))) from error
            self._tree = psutil.Process(self._launcher.pid)
            try:
                self._meet(server, word, check)
                self.about = self._introduce(mpiexec, check)
            except BaseException:
                self.kill()
                raise

    def ask(self, check: CancelCheck, **request: Any) -> _Answers:
        """Say the same to all ranks; their answers, by rank. Calls `check` while it waits."""
        self._tell(request)
        return answers(self._members, check, lambda: None)

    def send(self, matrices: Iterable[Matrix], check: CancelCheck) -> None:
        """Bring the inputs to rank 0."""
        self._tell({"do": "inputs"})
        with self._moving():
            for matrix in matrices:
                for _ in self._members[0].work.send(matrix):
                    check()
        answers(self._members, check, lambda: None)

    def fetch(self, matrix: Matrix, check: CancelCheck) -> None:
        """Fill `matrix` with the output of rank 0."""
        self._tell({"do": "output"})
        with self._moving():
            for _ in self._members[0].work.receive(matrix):
                check()
        answers(self._members, check, lambda: None)

    def end(self) -> None:
        """Let the ranks end by themselves, and make sure that they do."""
        self._tell({"do": "end"})
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._launcher.wait(GOODBYE_S)
        self.kill()

    def kill(self) -> None:
        """End every process, whatever it is doing."""
        end_tree(self._launcher, self._tree, [member.process for member in self._members])
        for channel in self._channels:
            channel.close()
        self._complaints.close()

    @contextlib.contextmanager
    def _moving(self) -> Iterator[None]:
        """A matrix goes to or comes from rank 0. What has become of a rank that is gone, `answers` will say."""
        try:
            yield
        except TimeoutError as error:
            raise RunFailed(hangs([0], self._count)) from error
        except (EOFError, OSError):
            pass

    def _tell(self, request: dict[str, Any]) -> None:
        for member in self._members:
            with contextlib.suppress(OSError):
                member.work.tell(**request)

    def _meet(self, server: socket.socket, word: str, check: CancelCheck) -> None:
        """Let the ranks in as they come, each by two connections."""
        server.settimeout(POLL_S)
        known: dict[int, dict[str, Channel]] = {}
        while len(self._members) < self._count:
            check()
            self._require_starting()
            try:
                channel = Channel(server.accept()[0], SILENCE_S)
            except TimeoutError:
                continue
            self._channels.append(channel)
            hello = _greeting(channel)
            if hello is None or not hmac.compare_digest(hello["word"], word):
                continue
            mine = known.setdefault(hello["pid"], {})
            mine[hello["purpose"]] = channel
            if len(mine) == 2:
                self._members.append(self._member(hello["pid"], mine["work"], mine["pulse"]))

    def _member(self, pid: int, work: Channel, pulse: Channel) -> Member:
        try:
            return Member(work, pulse, psutil.Process(pid))
        except psutil.NoSuchProcess as error:
            raise RunFailed(message("MPI could not start the ranks: {error}", error=self._complaint())) from error

    def _introduce(self, mpiexec: str, check: CancelCheck) -> _Answers:
        """Put the members in the order of their ranks, which MPI has told them by now."""
        try:
            about = answers(self._members, check, self._late)
        except RankEnded as ended:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._launcher.wait(GOODBYE_S)  # by then it has said why
            raise RunFailed(message("MPI could not start the ranks: {error}", error=self._complaint() or ended.reason)) from ended
        if sorted(words["rank"] for words in about) != list(range(self._count)):
            raise RunFailed(
                message(
                    "The processes that {path} has started do not see each other: it belongs to another MPI than the one mpi4py found.",
                    path=mpiexec,
                )
            )
        order = sorted(range(self._count), key=lambda i: int(about[i]["rank"]))
        self._members = [self._members[i] for i in order]
        return [about[i] for i in order]

    def _require_starting(self) -> None:
        if self._launcher.poll() is not None:
            raise RunFailed(message("MPI could not start the ranks: {error}", error=self._complaint()))
        reason = self._late()
        if reason is not None:
            raise RunFailed(reason)

    def _late(self) -> Message | None:
        if time.monotonic() < self._deadline:
            return None
        return message("MPI could not start the ranks: {error}", error=self._complaint() or "timeout")

    def _complaint(self) -> str:
        """The last whole lines that mpiexec or a rank wrote."""
        self._complaints.seek(0)
        lines = [words for line in self._complaints.read().decode(errors="replace").splitlines() if (words := line.strip("-= "))]
        while len(lines) > 1 and len(" ".join(lines)) > MOST_SAID:
            del lines[0]
        return " ".join(lines)[-MOST_SAID:]


def _greeting(channel: Channel) -> dict[str, Any] | None:
    """What a newcomer says; None for one that is not a rank."""
    try:
        hello = channel.hear()
    except (EOFError, OSError):
        return None
    return hello if {"word", "pid", "purpose"} <= hello.keys() else None
