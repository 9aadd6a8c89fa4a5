"""A rank that writes what none says: it counts as gone, with its number, in place of bringing the run down."""

from __future__ import annotations

import socket

import psutil
import pytest

from kernels.measure.runner import RunFailed
from kernels.mpi import ranks
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


@pytest.mark.parametrize(
    ("of_mpi", "gone", "words"),
    [
        (True, True, "of 2 ranks, number 1 ended"),
        (True, False, "Rank 0: an error"),
        (False, True, "Rank 0: an error"),
    ],
    ids=["MPI failed and another is gone", "MPI failed", "another reason"],
)
def test_where_mpi_fails_because_a_rank_is_gone_that_one_is_named(
    of_mpi: bool, gone: bool, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "HEARD_S", 30.0 if gone else 0.1)
    ends = [_connected() for _ in range(4)]
    members = [Member(Channel(ends[i][0], PATIENCE_S), Channel(ends[i + 1][0], PATIENCE_S), psutil.Process()) for i in (0, 2)]
    checked = 0

    def check() -> None:
        nonlocal checked
        checked += 1
        if gone and checked == 2:
            ends[3][1].close()

    try:
        Channel(ends[0][1]).tell(failed="an error", of_mpi=of_mpi)
        ends[1][1].close()  # who fails ends
        if not of_mpi:
            ends[3][1].close()
        with pytest.raises(RunFailed, match=words):
            answers(members, check, lambda: None)
    finally:
        for here, there in ends:
            here.close()
            there.close()


def _connected() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        here = socket.create_connection(server.getsockname())
        return here, server.accept()[0]
