"""What a window has to do with the system before Qt is asked: a display, on Linux some libraries, and being told to end."""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path


def has_display(environment: Mapping[str, str], platform: str) -> bool:
    """Whether a window can be shown. A platform that the user chose for Qt is believed. `platform` as in `sys.platform`."""
    return not platform.startswith("linux") or any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def x11_plugin_problem() -> str | None:
    """What the dynamic linker says if Qt's X11 plugin cannot be loaded: Qt itself would end the program. None if it can."""
    package = find_spec("PySide6")
    folders = package.submodule_search_locations if package is not None else None
    for folder in folders or ():
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.is_file():
            try:
                ctypes.CDLL(str(plugin))
            except OSError as error:
                return str(error)
    return None


def when_told_to_end(end: Callable[[], object]) -> None:
    """Have `end` called when the terminal, the session or an impatient user asks the process to end."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no hang-up
            signal.signal(getattr(signal, name), lambda *_: end())
