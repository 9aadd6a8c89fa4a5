"""An error that nobody caught, as a text file: what runs, what was done before, where it happened. It stays on this machine."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir

from app.core.places import prepare
from app.core.trouble.log import last_lines
from app.core.trouble.versions import version_lines
from app.core.whole_file import write_whole
from kernels.messages import Message, message

STEPS = 40
"""Lines of the log in a report."""
MOST = 10
"""Reports of one run: an error that comes back with each picture is told once."""
KEPT = 20
"""Reports in the folder; the oldest go."""
PREFIX = "report-"


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was written. `crashed`: an earlier process ended by it; else the program goes on."""

    path: Path
    text: str
    crashed: bool = False


class Reports:
    """Writes reports into `folder`, or where that cannot be into the system's one for temporary files."""

    def __init__(self, folder: Path, log: Path, translate: Callable[[Message], str], home: Path) -> None:
        """`log` is the folder of the log, `home` is not told in what is written."""
        self._folder, self._log, self._translate, self._home = folder, log, translate, home
        self._told: set[str] = set()
        self._lock = threading.Lock()

    def write(self, trace: str, key: str, *, crashed: bool = False) -> Report | None:
        """A report on a traceback; None where the same error (`key`) was told before, there are too many, or none can be written."""
        with self._lock:
            if key in self._told or len(self._told) >= MOST:
                return None
            self._told.add(key)
        text = self._text(trace, crashed=crashed)
        for folder in (self._folder, Path(gettempdir())):
            path = _free(folder)
            if prepare(folder) is None and write_whole(path, text) is None:
                _thin_out(folder)
                return Report(path, text, crashed)
        return None

    def _text(self, trace: str, *, crashed: bool) -> str:
        headings = message("What runs"), message("What was done before, from the log"), message("Where it happened")
        runs, before, where = map(self._translate, headings)
        steps = last_lines(self._log, STEPS)
        lines = [
            self._translate(message("Tilescope ended by itself.") if crashed else message("Something in Tilescope failed.")),
            self._translate(message("This file was written on this machine and sent nowhere. Read it before you give it to anybody.")),
            "", f"{runs}:", *version_lines(), time.strftime("%Y-%m-%d %H:%M:%S %z"),
            "", f"{before}:", *steps,
            "", f"{where}:", trace.rstrip(), "",
        ]  # fmt: skip
        return "\n".join(lines).replace(str(self._home), "~")


def _free(folder: Path) -> Path:
    """A name that no report has."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{PREFIX}{stamp}{f'-{number}' if number else ''}.txt" for number in itertools.count())
    return next(path for name in names if not (path := folder / name).exists())


def _thin_out(folder: Path) -> None:
    for path in sorted(folder.glob(f"{PREFIX}*.txt"))[:-KEPT]:
        path.unlink(missing_ok=True)
