"""The preludes of both sides, compiled once a process: what a parse costs is then the program's own text."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import tempfile
import time
import zlib
from functools import cache
from pathlib import Path

from kernels.base.file_lock import FileLock
from kernels.simt.frontend import clang
from kernels.simt.frontend.declared_functions import PRELUDE, prelude

_PREFIX = "tilescope-prelude-"
_STALE = 24 * 3600.0
"""Seconds after which a folder is swept away that nobody ever held."""
_HELD = "held"
"""The file in a folder that its process keeps locked. The system frees it when the process ends."""


@cache
def prelude_arguments(*, extended: bool, host: str | None = None) -> tuple[str, ...]:
    """The arguments that put the prelude before a program: compiled if there is a place for temporary files, else as text. `host` stands
    after it on the host's side."""
    side = () if host is None else (clang.HOST_SIDE,)
    text = prelude(extended=extended) + (host or "")
    try:
        compiled = _folder() / f"{zlib.crc32(text.encode()):08x}.pch"
        if not compiled.exists():  # nor made by another process that was copied from this one: it appears whole
            clang.precompile(PRELUDE, {PRELUDE: text}, side, compiled)
    except (OSError, clang.ParseFailed):
        return (*side, "-include", PRELUDE)
    return (*side, "-include-pch", str(compiled))


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    held = hold(folder)
    atexit.register(_leave, folder, held)
    sweep(folder.parent)
    return folder


def _leave(folder: Path, held: FileLock) -> None:
    held.release()
    shutil.rmtree(folder, ignore_errors=True)


def hold(folder: Path) -> FileLock:
    """Mark a folder as used, until the lock that is returned is released or its process ends, however it ends."""
    held = FileLock(folder / _HELD)
    with contextlib.suppress(OSError):  # where the file system knows no locks, the folder of a killed process stays
        held.take()
    return held


def sweep(parent: Path) -> None:
    """Remove what processes left that were killed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        if _left(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _left(folder: Path) -> bool:
    try:
        if not (folder / _HELD).exists():  # its process may be about to hold it
            return folder.stat().st_mtime < time.time() - _STALE
        lock = FileLock(folder / _HELD)
        free = lock.take()
        lock.release()
        return free
    except OSError:
        return False
