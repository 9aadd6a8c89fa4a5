"""The doctor's checks of the program itself and of the places where it keeps things. They import nothing that may be missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from app import __version__
from app.core.doctor import Outcome, State, Surroundings
from app.core.places import HOME_VARIABLE, prepare
from app.core.trouble.log import log_file
from app.core.trouble.versions import glibc, installed_as
from kernels.messages import Message, message

OLDEST_GLIBC = (2, 34)
"""Of Qt's wheels and of the package."""
LEAST_ROOM = 200 << 20
"""Bytes: measurements, drafts and compiled kernels of a long day take less."""
MIB = 1 << 20


def check_program(surroundings: Surroundings) -> Outcome:
    """The program, how it came here, and the C library that all of it stands on."""
    found = glibc() if surroundings.platform.startswith("linux") else None
    if found is None:
        return State.OK, message("Tilescope {version}, {kind}", version=__version__, kind=installed_as())
    written = ".".join(map(str, found))
    sentence = message("Tilescope {version}, {kind}; glibc {glibc}", version=__version__, kind=installed_as(), glibc=written)
    if found >= OLDEST_GLIBC:
        return State.OK, sentence
    oldest = ".".join(map(str, OLDEST_GLIBC))
    return State.PROBLEM, sentence, message("Qt needs glibc {oldest}: use Ubuntu 22.04, Debian 12 or newer.", oldest=oldest)


def check_numba_cache(surroundings: Surroundings) -> Outcome:
    """Where compiled CPU kernels are kept."""
    unkept = message("Kernels are compiled anew at each start. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    folder = surroundings.places.numba_cache
    return _folder(folder, message("Compiled kernels are kept in {folder}", folder=str(folder)), unkept)


def check_store(surroundings: Surroundings) -> Outcome:
    """Where measurements are kept."""
    unkept = message("Measurements last until the program ends. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    places = surroundings.places
    return _folder(places.data, message("Measurements are kept in {path}", path=str(places.store)), unkept)


def check_settings(surroundings: Surroundings) -> Outcome:
    """Where settings are kept."""
    unkept = message("Settings last until the program ends. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    places = surroundings.places
    return _folder(places.settings, message("Settings are kept in {path}", path=str(places.settings_file)), unkept)


def check_log(surroundings: Surroundings) -> Outcome:
    """Where the log is, and reports on errors."""
    unkept = message("Errors are not written down. Set {name} to a folder of yours.", name=HOME_VARIABLE)
    folder = surroundings.places.logs
    reports = len(list(folder.glob("report-*.txt")))
    sentence = message("The log is {path}", path=str(log_file(folder)))
    if reports:
        sentence = message("{log}; beside it are reports on errors: {count}", log=sentence, count=reports)
    return _folder(folder, sentence, unkept)


def check_room(surroundings: Surroundings, usage: Callable[[Path], int] | None = None) -> Outcome:
    """Room on the disks of the places. `usage` tells the free bytes of a folder's disk."""
    places, free = surroundings.places, usage or _free
    rooms = {folder: free(_there(folder)) for folder in (places.data, places.cache)}
    folder = min(rooms, key=lambda each: rooms[each])
    sentence = message("{free} MiB are free for {folder}", free=rooms[folder] // MIB, folder=str(folder))
    if rooms[folder] >= LEAST_ROOM:
        return State.OK, sentence
    needed = message("Make room there, {least} MiB at least, or set {name} to a folder on another disk.",
                     least=LEAST_ROOM // MIB, name=HOME_VARIABLE)  # fmt: skip
    return State.PROBLEM, sentence, needed


def _folder(folder: Path, sentence: Message, unkept: Message) -> Outcome:
    reason = prepare(folder)
    return (State.OK, sentence) if reason is None else (State.PROBLEM, reason, unkept)


def _there(folder: Path) -> Path:
    """The nearest folder on the way that is there."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free
