"""Source files of the user, read whole or refused with the reason, and questions about typed paths.

A path that the system cannot even look up, such as one that is too long, counts as naming nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from pathlib import Path

from app.core.base.parsing import shown
from kernels.base.messages import Message, message
from kernels.base.plain_file import NotPlainError, open_plain

LARGEST_FILE = 1 << 20
"""Bytes of a text that are taken for meant."""


def read_source(path: Path | Traversable, largest: int = LARGEST_FILE) -> str | Message:
    """A file's text of at most `largest` bytes, or why it is none."""
    name = shown(str(path), length=200)
    try:
        with open_plain(path) if isinstance(path, Path) else path.open("rb") as file:
            content = file.read(largest + 1)
    except NotPlainError as other:
        return other.told(name)
    except (FileNotFoundError, ValueError):  # a ValueError is of a name with a character that none can have
        return message("There is no file {path}.", path=name)
    except OSError as error:
        return message("{path} cannot be read: {error}.", path=name, error=error.strerror or str(error))
    if len(content) > largest:
        return message("{path} is larger than {limit} bytes.", path=name, limit=largest)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return message("{path} is not UTF-8 text: line {line} has a byte that does not belong.", path=name, line=line)


def file_stamp(path: Path) -> tuple[int, int] | None:
    """What tells a file from the one that was there before: its time and its bytes; None where there is none now."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def set_aside(path: Path) -> Message | None:
    """Keep a file that could not be understood under another name; returns what is to be said of it, None where there is no such file."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (path.with_name(f"{path.stem}.unreadable-{stamp}{number}{path.suffix}") for number in ("", *(f"-{i}" for i in range(1, 100))))
    try:
        aside = next(name for name in names if not name.exists())
        path.rename(aside)
    except FileNotFoundError:
        return None
    except (OSError, StopIteration) as error:
        return message("{path} could not be understood, and is left as it is ({error}).", path=str(path), error=str(error))
    return message("{path} could not be understood. It is kept as {aside}.", path=str(path), aside=str(aside))


def is_folder(path: Path | Traversable) -> bool:
    """Whether there is such a folder, as far as one may look."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path | Traversable) -> bool:
    """Whether there is such a file, as far as one may look."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything of this name, as far as one may look."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_text(name: str) -> bool:
    """Whether the name of a file can be written as UTF-8: one with half a character in it cannot."""
    return not any(0xD800 <= ord(letter) < 0xE000 for letter in name)
