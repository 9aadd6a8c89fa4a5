"""Encodes in a thread what another one draws. The file appears when all is in it; cancelled or failed, none does."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from app.core.base.files.atomic_write import atomic_file, not_written
from app.core.export.clips.encoder import Encoder, Pixels
from kernels.base.messages import Message, message

_WAITING = 3
"""Pictures that may wait: whoever draws is told to wait where encoding takes longer."""
LONGEST_STOP_S = 1.0
"""How long a window that closes waits for it: completing a large file takes longer."""
CANCELLED = message("Cancelled. No file was written.")


class _Cancelled(Exception):
    pass


class Encoding:
    """Takes `count` pictures of a clip and writes them. Asked and given from one thread."""

    def __init__(self, path: Path, rate: int, count: int, samples: Sequence[Pixels]) -> None:
        """`samples` are some of the pictures: their size is that of all, their colours are common."""
        self._path, self._rate, self._count = path, rate, count
        self._waiting: queue.Queue[Pixels | None] = queue.Queue(_WAITING)
        self._given = 0
        self._cancelled = False
        self._reason: Message | None = None
        self._made: Path | None = None
        """What is written until it is whole."""
        self._thread = Thread(target=self._work, args=(tuple(samples),), name="encoding")
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether the file is still being written."""
        return self._thread.is_alive()

    @property
    def reason(self) -> Message | None:
        """Why there is no file, once it is not running any more; None where there is."""
        return self._reason

    @property
    def full(self) -> bool:
        """Whether another picture must wait."""
        return self._waiting.full()

    def give(self, picture: Pixels) -> None:
        """The next picture, while it is not `full`."""
        self._waiting.put_nowait(picture)
        self._given += 1

    def cancel(self) -> None:
        """Stop, and leave no file. What is being encoded is completed first, but that is not waited for longer than a moment."""
        self._cancelled = True
        end = time.monotonic() + LONGEST_STOP_S
        while self.running and time.monotonic() < end:
            with contextlib.suppress(queue.Full):
                self._waiting.put(None, timeout=0.05)
            self._thread.join(0.05)
        if self.running:  # if the program ends before it does, nobody else removes what was written so far
            self._reason = CANCELLED
            with contextlib.suppress(OSError):
                if self._made is not None:
                    self._made.unlink()

    def join(self) -> None:
        """Wait until the file is written."""
        self._thread.join()

    def _work(self, samples: tuple[Pixels, ...]) -> None:
        from app.core.export.clips.formats import encoder_for

        try:
            with atomic_file(self._path, self._path.suffix) as made:
                self._made = made
                self._write(encoder_for(made, self._rate, self._count, samples))
                if self._cancelled:
                    raise _Cancelled
        except _Cancelled:
            self._reason = CANCELLED
        except OSError as error:
            self._reason = not_written(self._path, error)
        except Exception as error:  # whatever an encoder finds wrong: a reason, and no file
            self._reason = message("{path} could not be written: {error}.", path=str(self._path), error=str(error))

    def _write(self, encoder: Encoder) -> None:
        try:
            for _ in range(self._count):
                picture = self._waiting.get()
                if self._cancelled or picture is None:
                    raise _Cancelled
                encoder.add(picture)
            encoder.finish()
        except BaseException:
            encoder.abandon()
            raise
