"""Files beside a program, which it may read where its user allows that: they are opened here, outside of the process that executes it.

That process asks by name and is given bytes, or why there are none. A file is found from the program's folder on, a folder at a time; no
step follows a symbolic link, so that nothing outside is reached, whatever is moved meanwhile.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from enum import Enum
from pathlib import PurePosixPath

from kernels.base.values import dataclass
from kernels.simt.host.result import ProgramJob

LARGEST_FILE = 64 << 20
"""Bytes of one file."""
_STEP = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER = _STEP | getattr(os, "O_DIRECTORY", 0)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request of the process for the file that the program calls so."""

    name: str


class Closed(Enum):
    """Reason why a file is not opened."""

    MISSING = "missing"
    """There is none: the program sees what it would see elsewhere."""
    NOT_ALLOWED = "not allowed"
    NO_FOLDER = "no folder"
    OUTSIDE = "outside"
    LINK = "link"
    NO_FILE = "no file"
    TOO_LARGE = "too large"
    UNREADABLE = "unreadable"


Answer = bytes | Closed
OpenFile = Callable[[str], Answer]


def not_asked(_name: str) -> Answer:
    """Open nothing."""
    return Closed.NOT_ALLOWED


def plain(name: str) -> str:
    """Give a name the form in which it is allowed: `./data//a.txt` is `data/a.txt`."""
    return str(PurePosixPath(name))


def opened(job: ProgramJob, name: str) -> Answer:
    """Read a file that a program wants to read, if it may."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\0" in name:
        return Closed.OUTSIDE
    if job.path is None:
        return Closed.NO_FOLDER
    if not path.parts:
        return Closed.NO_FILE if name else Closed.MISSING
    allowed = job.readable is None or plain(name) in job.readable
    folder = -1
    try:
        folder = os.open(job.path.parent, os.O_RDONLY)
        for part in path.parts[:-1]:
            folder = _entered(folder, part)
        return _read(folder, path.name, allowed=allowed)
    except (FileNotFoundError, NotADirectoryError):
        return Closed.MISSING
    except (OSError, ValueError):
        return Closed.UNREADABLE
    except _Link:
        return Closed.LINK
    finally:
        if folder >= 0:
            os.close(folder)


class _Link(Exception):
    """A symbolic link is on the way."""


def _entered(folder: int, part: str) -> int:
    """Open a folder within an open one, in place of that."""
    if stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode):
        raise _Link
    inner = os.open(part, _FOLDER, dir_fd=folder)
    os.close(folder)
    return inner


def _read(folder: int, name: str, *, allowed: bool) -> Answer:
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        return Closed.LINK
    if not stat.S_ISREG(found.st_mode):
        return Closed.NO_FILE
    if not allowed:
        return Closed.NOT_ALLOWED
    with os.fdopen(os.open(name, _STEP, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):  # it is another one by now
            return Closed.NO_FILE
        data = file.read(LARGEST_FILE + 1)
    return data if len(data) <= LARGEST_FILE else Closed.TOO_LARGE
