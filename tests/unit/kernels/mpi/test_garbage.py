"""A rank that writes what none says: it counts as gone, with its number, in place of bringing the run down."""

from __future__ import annotations

import socket
import threading

import psutil
import pytest

from kernels.measure.runner import RunFailed
from kernels.mpi.channel import LENGTH_BYTES, Channel
from kernels.mpi.ranks import Member, RankEnded, answers

PATIENCE_S = 0.3


def framed(text: bytes) -> bytes:
    return len(text).to_bytes(LENGTH_BYTES, "little") + text


GARBAGE = {
    "a length beyond all": b"\xff" * LENGTH_BYTES,
    "less than it announces": framed(b"x" * 100)[:20],
    "no JSON": framed(b"\x80\x81 hello"),
    "JSON nested without end": framed(b"[" * 200_000),
    "JSON that is no table": framed(b"[1, 2]"),
}


@pytest.mark.parametrize("where", ["work", "pulse"])
@pytest.mark.parametrize("kind", GARBAGE)
def test_a_rank_that_writes_garbage_is_named(kind: str, where: str) -> None:
    ends = {name: _connected() for name in ("work", "pulse")}
    try:
        channels = {name: Channel(here, PATIENCE_S) for name, (here, _) in ends.items()}
        ends[where][1].sendall(GARBAGE[kind])
        with pytest.raises(RankEnded) as ended:
            answers([Member(channels["work"], channels["pulse"], psutil.Process())], lambda: None, lambda: None)
        assert str(ended.value) == "The run was stopped: of 1 ranks, number 0 ended before it had answered."
    finally:
        for here, there in ends.values():
            here.close()
            there.close()


@pytest.mark.parametrize("gone", [True, False], ids=["another is gone", "alone"])
def test_a_rank_that_fails_because_another_is_gone_is_not_the_one_that_is_named(gone: bool) -> None:
    ends = [_connected() for _ in range(4)]
    members = [Member(Channel(ends[i][0], PATIENCE_S), Channel(ends[i + 1][0], PATIENCE_S), psutil.Process()) for i in (0, 2)]
    later = threading.Timer(0.2, lambda: ends[3][1].close() if gone else None)
    try:
        Channel(ends[0][1]).tell(failed="an error of MPI")
        ends[1][1].close()  # who fails ends
        later.start()
        words = "of 2 ranks, number 1 ended" if gone else "Rank 0: an error of MPI"
        with pytest.raises(RunFailed, match=words):
            answers(members, lambda: None, lambda: None)
    finally:
        later.join()
        for here, there in ends:
            here.close()
            there.close()


def _connected() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        here = socket.create_connection(server.getsockname())
        return here, server.accept()[0]
