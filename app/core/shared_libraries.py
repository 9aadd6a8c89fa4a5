"""The libraries of the system that Qt's windows need on Linux, each with the package of Debian and Ubuntu that has it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

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
    """Those that cannot be loaded, with their packages."""
    absent = {}
    for name, package in libraries.items():
        try:
            load(name)
        except OSError:
            absent[name] = package
    return absent
