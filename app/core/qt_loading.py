"""Whether Qt is installed and loads, and what to install where it does not."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from app.core.desktop import x11_plugin_problem
from app.core.doctor_remedies import apt_install, run_this
from app.core.shared_libraries import QT_LIBRARIES, WAYLAND_LIBRARIES, X11_LIBRARIES, missing
from kernels.messages import Message, message


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why there can be no window or picture, and what would help, where that is known."""

    sentence: Message
    next_step: Message | None

    @property
    def refusal(self) -> Message:
        """Both in one."""
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
