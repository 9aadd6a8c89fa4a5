"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from kernels.base.messages import Message, message
from kernels.base.plain_file import NotPlainError, require_plain


@contextmanager
def atomic_file(path: Path, ending: str = ".part") -> Iterator[Path]:
    """A second file beside `path` to be written, which takes its place at the end; after any exception it is removed instead.

    What was at `path` stays until then. The second file's name has this `ending`, by which some writers choose the format.
    Raises `NotPlainError` where a device or the like is at `path`: a file must not take its place.
    """
    require_plain(path)
    name = crc32(path.name.encode("utf-8", "surrogateescape"))  # no longer than names may be
    made = path.with_name(f".{name:08x}.{os.getpid()}{ending}")
    try:
        yield made
        made.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise


def write_whole(path: Path, text: str) -> Message | None:
    """Put a text where `path` is, all of it or nothing: what was there stays until the new one is on the disk. Returns why it cannot be."""
    try:
        with atomic_file(path) as made:
            with made.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, made)
    except OSError as error:
        return not_written(path, error)
    return None


def not_written(path: Path, error: OSError) -> Message:
    """Why a file could not be written."""
    if isinstance(error, NotPlainError):
        return error.told(str(path))
    return message("{path} could not be written: {error}.", path=str(path), error=error.strerror or str(error))
