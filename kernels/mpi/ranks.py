"""The ranks that serve this process: started together, asked together, ended together."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from typing import Any

import psutil

from kernels.measure.runner import CancelCheck, Matrix, RunFailed
from kernels.messages import Message, message
from kernels.mpi.channel import ADDRESS_VARIABLE, Channel
from kernels.mpi.launcher import end_tree, start
from kernels.mpi.members import POLL_S, SILENCE_S, Member, RankEnded, answers, hangs

START_S, START_A_RANK_S = 30.0, 2.0
"""How long starting may take, and how much longer for each rank: all load Python and NumPy at once."""
GOODBYE_S = 2.0
_Answers = list[dict[str, Any]]


class Ranks:
    """`count` ranks on this machine. Whatever is asked of them raises `RunFailed` when one has ended, hangs or complains."""

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
        """The last that mpiexec or a rank wrote."""
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").splitlines()
        return " ".join(line.strip("-= ") for line in lines if line.strip("-= "))[-300:]


def _greeting(channel: Channel) -> dict[str, Any] | None:
    """What a newcomer says; None for one that is not a rank."""
    try:
        hello = channel.hear()
    except (EOFError, OSError):
        return None
    return hello if {"word", "pid", "purpose"} <= hello.keys() else None
