"""Files of running programs, one each, that a later start finds when the program ended without removing its own."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import prepare
from app.core.base.files.text_files import LARGEST_FILE, read_source, set_aside
from kernels.base.file_lock import FileLock
from kernels.base.messages import Message
from kernels.base.values import dataclass

T = TypeVar("T")
LARGEST = 4 * LARGEST_FILE


class OwnFile:
    """The running program's file in a folder. A lock beside it tells others that the program runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Path | None = None
        self._lock: FileLock | None = None
        self._one_at_a_time = threading.Lock()
        self._closed = False

    def write(self, text: str) -> Message | None:
        """Have this text in the file, or all of the one before; returns why it cannot be written."""
        with self._one_at_a_time:
            if self._closed:
                return None
            if self._file is None:
                reason = prepare(self._folder)
                if reason is not None:
                    return reason
                self._file, self._lock = _claimed(self._folder)
            return write_whole(self._file, text)

    def close(self, *, keep: bool) -> None:
        """The program ends: the file stays as it is for the next start, or goes. A thread that is late writes nothing more."""
        with self._one_at_a_time:
            self._closed = True
            if keep and self._lock is not None:
                self._lock.release()
        if not keep:
            self.remove()

    def remove(self) -> None:
        """Remove the file, as there is nothing to be kept. Where the system does not let it go, it stays: nothing depends on it."""
        with self._one_at_a_time:
            if self._file is not None and self._lock is not None:
                _give_up(self._file, self._lock)
            self._file = self._lock = None


@dataclass(frozen=True, slots=True, eq=False)
class Left(Generic[T]):
    """File left by a program that does not run any more, with its content. As long as it is held no other program finds it."""

    content: T
    file: Path
    lock: FileLock

    def give_up(self) -> None:
        """Remove the file and release it: it is not wanted any more."""
        _give_up(self.file, self.lock)

    def let_be(self) -> None:
        """Whoever starts next may find it."""
        self.lock.release()


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Files left by earlier programs, the newest first, and a notice about those that could not be understood."""

    left: tuple[Left[T], ...] = ()
    notice: Message | None = None


def orphans(folder: Path, read: Callable[[str], T | None]) -> Found[T]:
    """All that ended programs left in a folder. Files that `read` makes nothing of are set aside."""
    left: list[Left[T]] = []
    notice: Message | None = None
    for path in sorted(_files(folder), key=changed_at, reverse=True):
        lock = FileLock(path.with_suffix(".lock"))
        if not _taken(lock):
            continue
        text = read_source(path, LARGEST)
        content = None if isinstance(text, Message) else read(text)
        if content is not None:
            left.append(Left(content, path, lock))
            continue
        notice = set_aside(path) or notice
        lock.release(remove=True)
    return Found(tuple(left), notice)


def _claimed(folder: Path) -> tuple[Path, FileLock]:
    """The first name with the process's number that no program has, nor has left."""
    for number in itertools.count():
        file = folder / (f"{os.getpid()}-{number}.json" if number else f"{os.getpid()}.json")
        lock = FileLock(file.with_suffix(".lock"))
        try:
            if not file.exists() and lock.take():
                return file, lock
        except OSError:  # a place without locks: nobody can tell then that the program has ended
            return file, lock
    raise AssertionError("numbers do not end")


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == ".json" and path.stem.partition("-")[0].isdecimal()]
    except OSError:  # it is not there yet, or may not be read
        return []


def _taken(lock: FileLock) -> bool:
    try:
        return lock.take()
    except OSError:
        return False


def _give_up(file: Path, lock: FileLock) -> None:
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
    lock.release(remove=True)


def changed_at(path: Path) -> float:
    """When a file was written, in seconds; 0 where it is gone by now."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
