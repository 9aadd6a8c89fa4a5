"""What a process says of itself as it dies of a fault in a library: into a file of its own, which the next start finds."""

from __future__ import annotations

import contextlib
import faulthandler
import os
from collections.abc import Iterator
from pathlib import Path

from app.core.file_lock import FileLock
from app.core.places import prepare
from app.core.source_files import read_source
from kernels.messages import Message

PREFIX = "crash-"


@contextlib.contextmanager
def last_words(folder: Path) -> Iterator[None]:
    """Have a crash of this process leave the places where its threads were. The file goes when the process ends as it should."""
    if prepare(folder) is not None:
        yield
        return
    path = folder / f"{PREFIX}{os.getpid()}.txt"
    lock = FileLock(path.with_suffix(".lock"))
    with contextlib.suppress(OSError):  # a place without locks: the next start takes the process for ended
        lock.take()
    with path.open("w", encoding="utf-8") as file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    lock.release(remove=True)


def left_words(folder: Path) -> list[str]:
    """What processes left that have ended. It is told once: the files are gone then."""
    found = []
    for path in sorted(folder.glob(f"{PREFIX}*.txt")):
        lock = FileLock(path.with_suffix(".lock"))
        with contextlib.suppress(OSError):
            if not lock.take():
                continue
            words = read_source(path)
            path.unlink(missing_ok=True)
            lock.release(remove=True)
            if not isinstance(words, Message) and words.strip():
                found.append(words)
    return found
