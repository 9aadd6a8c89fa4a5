"""Obstacles to a window, found before Qt is asked: whether Qt loads, whether there is a display, which libraries Linux lacks.

Each missing library is named with its package of Debian and Ubuntu. A signal to end is handled here as well.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from app.core.diagnostics.doctor import apt_install, run_this
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


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


QT_LIBRARIES: Mapping[str, str] = {
    "libGL.so.1": "libgl1", "libEGL.so.1": "libegl1", "libglib-2.0.so.0": "libglib2.0-0", "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3", "libfontconfig.so.1": "libfontconfig1",
}  # fmt: skip
"""Without one of these Qt does not load at all."""
X11_LIBRARIES: Mapping[str, str] = {
    "libxcb-cursor.so.0": "libxcb-cursor0", "libxkbcommon-x11.so.0": "libxkbcommon-x11-0", "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1", "libxcb-shape.so.0": "libxcb-shape0", "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0", "libxcb-xinerama.so.0": "libxcb-xinerama0", "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb-randr.so.0": "libxcb-randr0", "libxcb-sync.so.1": "libxcb-sync1", "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-shm.so.0": "libxcb-shm0", "libxcb-render.so.0": "libxcb-render0", "libX11-xcb.so.1": "libx11-xcb1",
}  # fmt: skip
"""For a window under X11."""
WAYLAND_LIBRARIES: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0", "libwayland-egl.so.1": "libwayland-egl1",
}  # fmt: skip
"""For a window under Wayland."""


def missing(libraries: Mapping[str, str], load: Callable[[str], object] = ctypes.CDLL) -> dict[str, str]:
    """Return the libraries that cannot be loaded, with their packages."""
    absent = {}
    for name, package in libraries.items():
        try:
            load(name)
        except OSError:
            absent[name] = package
    return absent


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Obstacle to a window or picture: why there can be none, and what would help, where that is known."""

    sentence: Message
    next_step: Message | None

    @property
    def refusal(self) -> Message:
        """Both sentences in one: the obstacle, and what would help."""
        return self.sentence if self.next_step is None else message("{problem} {remedy}", problem=self.sentence, remedy=self.next_step)


def qt_obstacle(platform: str = sys.platform) -> Obstacle | None:
    """Why Qt cannot be used, or None; it is loaded then. `platform` as in `sys.platform`."""
    for package in ("PySide6", "pyqtgraph"):
        if find_spec(package) is None:
            return Obstacle(message("The package {package} is not installed.", package=package), run_this("pip install tilescope"))
    try:
        import_module("PySide6.QtWidgets")
    except ImportError as error:
        return _not_loaded(str(error), QT_LIBRARIES, platform)
    return None


def window_obstacle(environment: Mapping[str, str], platform: str = sys.platform) -> Obstacle | None:
    """Why Qt would end the program instead of opening a window on any of the displays that there are, or None."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return None
    obstacles = [look() for name, look in (("DISPLAY", _of_x11), ("WAYLAND_DISPLAY", _of_wayland)) if environment.get(name)]
    return obstacles[0] if obstacles and None not in obstacles else None


def _of_x11() -> Obstacle | None:
    problem = x11_plugin_problem()
    if problem is None:
        return None
    return _lacking("X11", missing(X11_LIBRARIES)) or _not_loaded(problem, {**QT_LIBRARIES, **X11_LIBRARIES}, "linux")


def _of_wayland() -> Obstacle | None:
    return _lacking("Wayland", missing(WAYLAND_LIBRARIES))


def _lacking(system: str, absent: Mapping[str, str]) -> Obstacle | None:
    if not absent:
        return None
    sentence = message("For a window under {system} these libraries are missing: {names}.", system=system, names=", ".join(absent))
    return Obstacle(sentence, apt_install(*absent.values()))


def _not_loaded(error: str, libraries: Mapping[str, str], platform: str) -> Obstacle:
    """The packages are those of the missing libraries; of all, where each of them loads and something else is amiss."""
    sentence = message("Qt cannot be loaded: {error}.", error=error)
    if not platform.startswith("linux"):
        return Obstacle(sentence, None)
    absent = missing(libraries)
    if absent:
        sentence = message("Qt cannot be loaded; these libraries of the system are missing: {names}.", names=", ".join(absent))
    return Obstacle(sentence, apt_install(*(absent or libraries).values()))
