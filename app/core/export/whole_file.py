"""A file that is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from kernels.messages import Message, message


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A second file beside `path` to be written, which takes its place at the end; after any exception it is removed instead.

    What was at `path` stays until then. The second file has the same ending, by which some writers choose the format.
    """
    made = path.with_name(
        f".{crc32(path.name.encode('utf-8', 'surrogateescape')):08x}.{os.getpid()}{path.suffix}"
    )  # no longer than names may be
    try:
        yield made
        made.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise


def not_written(path: Path, error: OSError) -> Message:
    """Why a file could not be written."""
    return message("{path} could not be written: {error}.", path=str(path), error=error.strerror or str(error))
