"""Crash report of an uncaught error, as a text file that stays on this machine: versions, what was done before, the traceback.

Versions serve the log and the doctor too, so nothing heavy is imported. What was shown is logged as names of what comes with the program
and as sizes, never as a text of the user's.
"""

from __future__ import annotations

import itertools
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import gettempdir

from app import __version__
from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import prepare
from app.core.base.files.log import LOG, last_lines, without_texts
from app.core.workbench.workbench import Workbench
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case

PACKAGES = ("numpy", "numba", "PySide6-Essentials", "pyqtgraph", "libclang", "mpi4py", "cupy-cuda13x")


def installed_as() -> Message:
    """How the program came here: as a package with its own Python, from its source, or by pip."""
    if getattr(sys, "frozen", False):
        return message("a package with its own Python")
    root = Path(__file__).resolve().parents[3]
    return message("a checkout of the source") if (root / "pyproject.toml").is_file() else message("an installation by pip")


def glibc() -> tuple[int, int] | None:
    """The version of the C library on Linux; None elsewhere, or where it is another library."""
    name, found = platform.libc_ver()
    parts = found.split(".")
    if name != "glibc" or len(parts) < 2 or not all(part.isdecimal() for part in parts[:2]):
        return None
    return int(parts[0]), int(parts[1])


def version_lines() -> list[str]:
    """One line each for the program, the machine and the packages."""
    return [
        f"Tilescope {__version__} ({installed_as()})",
        f"{platform.platform()}, {platform.machine()}, {os.cpu_count()} logical processors",
        f"Python {platform.python_version()}",
        ", ".join(f"{package} {_version(package)}" for package in PACKAGES),
    ]


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


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
    """Return a name that no report has."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{PREFIX}{stamp}{f'-{number}' if number else ''}.txt" for number in itertools.count())
    return next(path for name in names if not (path := folder / name).exists())


def _thin_out(folder: Path) -> None:
    for path in sorted(folder.glob(f"{PREFIX}*.txt"))[:-KEPT]:
        path.unlink(missing_ok=True)


def note_steps(workbench: Workbench) -> None:
    """Log them from now on."""
    session, told = workbench.session, dict[Device, Availability]()

    def devices(statuses: Mapping[Device, DeviceStatus]) -> None:
        for device, status in statuses.items():
            if status.availability is not Availability.PROBING and told.get(device) is not status.availability:
                told[device] = status.availability
                LOG.info("%s: %s", device.value, status.availability.value)

    def shown(choice: Case) -> None:
        problem = choice.problem
        LOG.info("stage: %s, %d x %d x %d, %s", choice.variant.id, problem.m, problem.n, problem.k, dict(choice.parameters))

    def noticed(what: str) -> Callable[[Message | None], None]:
        return lambda notice: None if notice is None else LOG.info("%s: %s", what, without_texts(notice))

    session.stage.subscribe(shown)
    workbench.last_session.notice.subscribe(noticed("last session"))
    workbench.draft_backup.failure.subscribe(noticed("edited text"))
    session.workspace.subscribe(lambda workspace: LOG.info("workspace: %s", workspace.value))
    session.draft_editor.on_stage.subscribe(lambda edited: LOG.info("stage: %s", "an edited text" if edited else "the text of the program"))
    workbench.devices.subscribe(devices)
