"""A file that tells what happened: starts, versions, what was shown, files refused, workers that died, errors; not what is in files."""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

from app.core.base.files.locations import prepare
from app.core.base.files.text_files import read_source
from kernels.base.messages import Message

LOG = logging.getLogger("tilescope")
LOG.addHandler(logging.NullHandler())  # else Python writes on the terminal what nobody keeps
FILE = "tilescope.log"
LARGEST = 256 << 10
"""Bytes of a file; the next one begins then."""
OLDER = 4
"""How many full files are kept."""
_FORM = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


def log_file(folder: Path) -> Path:
    """Where the newest lines are."""
    return folder / FILE


@contextlib.contextmanager
def logging_to(folder: Path) -> Iterator[None]:
    """Keep what is logged in files of this folder, as far as they can be written."""
    if prepare(folder) is not None:
        yield
        return
    handler = _Handler(log_file(folder), maxBytes=LARGEST, backupCount=OLDER, encoding="utf-8", errors="backslashreplace", delay=True)
    handler.setFormatter(logging.Formatter(_FORM))
    before = LOG.level, LOG.propagate
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        handler.close()
        LOG.setLevel(before[0])
        LOG.propagate = before[1]


def last_lines(folder: Path, count: int) -> list[str]:
    """The newest lines; none where there is no log."""
    text = read_source(log_file(folder), 2 * LARGEST)
    return [] if isinstance(text, Message) else list(deque(text.splitlines(), count))


def without_texts(reason: Message) -> str:
    """A refusal for the log: its words and numbers, without the texts in it, which may be of the user's files."""
    return str(_plain(reason))


def _plain(reason: Message) -> Message:
    def plain(value: str | int | float | Message) -> str | int | float | Message:
        return _plain(value) if isinstance(value, Message) else "…" if isinstance(value, str) else value

    hidden = tuple((name, plain(value)) for name, value in reason.arguments)
    return Message(reason.template, hidden)


class _Handler(RotatingFileHandler):
    """Log file handler that drops what cannot be logged: nothing depends on it, and nobody is to be told."""

    def doRollover(self) -> None:
        with contextlib.suppress(OSError):  # another running program may have the file open, which Windows does not let be renamed
            super().doRollover()

    def handleError(self, record: logging.LogRecord) -> None:
        """Go on."""
