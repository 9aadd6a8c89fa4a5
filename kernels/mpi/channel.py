"""What the program and a rank say to each other: JSON and matrices, through a socket of this machine."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

ADDRESS_VARIABLE = "TILESCOPE_RANK"
"""Tells a rank where the program listens and the word that lets it in: port:word."""
PIECE_BYTES = 1 << 26
"""A matrix goes in pieces, so that a cancel is heard in between."""
LENGTH_BYTES, LONGEST_BYTES = 8, 1 << 30
Floats = npt.NDArray[np.float32]
_STRANGE = "this is not one of us"


class Channel:
    """One end of a connection.

    Methods raise EOFError or OSError once the other end is gone, and TimeoutError, an OSError, when nothing has moved for `patience`
    seconds; without patience they wait for ever.
    """

    def __init__(self, connected: socket.socket, patience: float | None = None) -> None:
        self.socket = connected
        connected.settimeout(patience)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small words wait for the answer to earlier ones

    def tell(self, **words: Any) -> None:
        """Send words and their values, which JSON must know."""
        text = json.dumps(words).encode()
        self.socket.sendall(len(text).to_bytes(LENGTH_BYTES, "little") + text)

    def hear(self) -> dict[str, Any]:
        """What the other end says; waits for it. Raises OSError for what none of us says."""
        length = memoryview(bytearray(LENGTH_BYTES))
        self._fill(length)
        count = int.from_bytes(length, "little")
        if count > LONGEST_BYTES:
            raise OSError(_STRANGE)
        text = memoryview(bytearray(count))
        self._fill(text)
        try:
            words = json.loads(bytes(text))
        except (ValueError, RecursionError) as error:
            raise OSError(_STRANGE) from error
        if not isinstance(words, dict):
            raise OSError(_STRANGE)
        return words

    def send(self, matrix: Floats) -> Iterator[None]:
        """Send a contiguous matrix; stops after every piece."""
        for piece in _pieces(matrix):
            self.socket.sendall(piece)
            yield

    def receive(self, matrix: Floats) -> Iterator[None]:
        """Fill a contiguous matrix with the one that is sent; stops after every piece."""
        for piece in _pieces(matrix):
            self._fill(piece)
            yield

    def close(self) -> None:
        self.socket.close()

    def _fill(self, memory: memoryview) -> None:
        while len(memory):
            count = self.socket.recv_into(memory)
            if count == 0:
                raise EOFError
            memory = memory[count:]


def _pieces(matrix: Floats) -> Iterator[memoryview]:
    memory = matrix.reshape(-1).view(np.uint8).data
    for first in range(0, len(memory), PIECE_BYTES):
        yield memory[first : first + PIECE_BYTES]
