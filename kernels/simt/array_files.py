"""Arrays from `.npy` files, and what is wrong with a file that gives none."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.lib.format as npy
import numpy.typing as npt

from kernels.messages import Message, message
from kernels.plain_file import NotPlainError, open_plain

ZIP = b"PK"
"""How an .npz file begins."""
_HEADERS: dict[tuple[int, int], Callable[[BinaryIO], Any]] = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def load_array(path: Path) -> npt.NDArray[np.generic] | Message:
    """The array of a file, not yet read where the system can leave it on disk; or why there is none."""
    try:
        with open_plain(path) as file:
            reason = _refusal(file, str(path))
        return reason or np.load(path, mmap_mode="r", allow_pickle=False)
    except NotPlainError as other:
        return other.told(str(path))
    except OSError as error:
        return message("{path} cannot be read: {error}.", path=str(path), error=error.strerror or str(error))
    except (ValueError, EOFError, SyntaxError):
        return _damaged(str(path))


def _refusal(file: BinaryIO, path: str) -> Message | None:
    """What keeps a file from being an array of numbers."""
    start = file.read(npy.MAGIC_LEN)
    if start.startswith(ZIP):
        return message("{path} holds several arrays; one .npy file is needed.", path=path)
    if not start.startswith(npy.MAGIC_PREFIX):
        return message("{path} is not an .npy file: numpy.save writes one.", path=path)
    file.seek(0)
    try:
        shape, _, dtype = _HEADERS[npy.read_magic(file)](file)
    except (ValueError, SyntaxError, EOFError, KeyError):
        return _damaged(path)
    if dtype.hasobject:
        return message("{path} holds Python objects: an array of numbers is needed.", path=path)
    begin, needed = file.tell(), prod(shape) * dtype.itemsize
    given = file.seek(0, 2) - begin
    if given < needed:
        return message("{path} ends too soon: it has {given} of {needed} bytes.", path=path, given=given, needed=needed)
    return None


def _damaged(path: str) -> Message:
    return message("{path} is a damaged .npy file: its head says nothing of type and shape.", path=path)
