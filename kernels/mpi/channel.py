"""What the program and a rank say to each other: JSON and matrices, through a socket of this machine."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

ADDRESS_VARIABLE = "TILESCOPE_RANK"
"""Tells a rank where the program listens and the word that lets it in: port:word."""
PIECE_BYTES = 1 << 26
"""A matrix is sent in pieces, so that neither side needs it twice and a cancel is heard in between."""


class Channel:
    """One end of a connection. All methods raise EOFError or OSError once the other end is gone."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(None)
        self.connection = Connection(connected.detach())

    def tell(self, **words: Any) -> None:
        self.connection.send_bytes(json.dumps(words).encode())

    def hear(self) -> dict[str, Any]:
        """What the other end said; waits for it."""
        words: dict[str, Any] = json.loads(self.connection.recv_bytes())
        return words

    def send(self, matrix: npt.NDArray[np.float32]) -> Iterator[None]:
        """Send a contiguous matrix; stops after every piece."""
        for piece in _pieces(matrix):
            self.connection.send_bytes(piece)
            yield

    def receive(self, matrix: npt.NDArray[np.float32]) -> Iterator[None]:
        """Fill a contiguous matrix with the one that is sent; stops after every piece."""
        for piece in _pieces(matrix):
            self.connection.recv_bytes_into(piece)
            yield

    def close(self) -> None:
        self.connection.close()


def _pieces(matrix: npt.NDArray[np.float32]) -> Iterator[memoryview]:
    memory = matrix.reshape(-1).view(np.uint8).data
    for first in range(0, len(memory), PIECE_BYTES):
        yield memory[first : first + PIECE_BYTES]
