"""Opening what somebody named as a file. A pipe, a socket or a device of that name could keep its reader waiting, or never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from kernels.base.messages import Message, message

_KINDS = (
    (stat.S_ISDIR, message("a folder")),
    (stat.S_ISFIFO, message("a pipe")),
    (stat.S_ISSOCK, message("a socket")),
    (stat.S_ISCHR, message("a device")),
    (stat.S_ISBLK, message("a device")),
)
_NOT_WAITING = getattr(os, "O_NONBLOCK", 0)
"""For what takes the file's place between the look and the opening; with files it changes nothing."""
_AS_IT_IS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class NotPlainError(OSError):
    """Error: what has the name is no regular file; `kind` is what it is instead."""

    def __init__(self, kind: Message) -> None:
        super().__init__(errno.EINVAL, os.strerror(errno.EINVAL))
        self.kind = kind

    def told(self, name: str) -> Message:
        """Return the error as a message. `name` is how the user knows the file."""
        return message("{path} is {kind}, not a file.", path=name, kind=self.kind)


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises `NotPlainError` for anything else, OSError and ValueError as `open` does."""
    _require_regular(path.stat().st_mode)  # before it is opened, which alone has effects on some devices
    file = os.fdopen(os.open(path, os.O_RDONLY | _NOT_WAITING | _AS_IT_IS), "rb")
    try:
        _require_regular(os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def require_plain(path: Path) -> None:
    """Raise `NotPlainError` where there is something that is no regular file. Nothing, or what nobody may look at, is no error."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    _require_regular(mode)


def _require_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise NotPlainError(next((kind for is_of, kind in _KINDS if is_of(mode)), message("something else")))
