"""A lock that one program holds and that ends with it, however that ends."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

LOOK_S = 0.02
"""How often a lock that another program holds is looked at."""


class FileLock:
    """Lock of the system on a file of its own: what the file says does not matter, nor what time it is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def take(self) -> bool:
        """Take the lock if nobody has it; whether it is held now. Raises OSError where there can be no such file."""
        if self._file is not None:
            return True
        file = self._path.open("ab")
        try:
            if _locked(file):
                self._file = file
        finally:
            if self._file is None:
                file.close()
        return self._file is not None

    def release(self, *, remove: bool = False) -> None:
        """Give the lock back; the file too may go, if nobody is to wait for it."""
        if self._file is None:
            return
        file, self._file = self._file, None
        if remove and sys.platform != "win32":  # while it is held, so that nobody loses one that he has just taken
            self._remove()
        file.close()
        if remove and sys.platform == "win32":
            self._remove()

    def __del__(self) -> None:
        self.release()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


@contextlib.contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock at `path`. One that nobody gives back in time, or that cannot be had, holds nobody up."""
    lock, end = FileLock(path), time.monotonic() + seconds
    with contextlib.suppress(OSError):
        while not lock.take() and time.monotonic() < end:
            time.sleep(LOOK_S)
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _locked(file: IO[bytes]) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
