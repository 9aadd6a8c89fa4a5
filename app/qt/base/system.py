"""Settings of the system that the window follows: light or dark, more contrast, and whether pictures may travel.

On motion the user's own choice comes first.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QStyleHints

from kernels.base.messages import message


class Accessibility(Protocol):
    """Interface of a system's settings for those who see little."""

    def contrastPreference(self) -> Qt.ContrastPreference: ...


class Hints(Protocol):
    """Interface of a system's settings of style."""

    def colorScheme(self) -> Qt.ColorScheme: ...
    def accessibility(self) -> Accessibility: ...


def system_theme(hints: Hints) -> str:
    """The theme that fits: light where the system does not say."""
    contrast = hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
    return ("contrast-" if contrast else "") + ("dark" if hints.colorScheme() is Qt.ColorScheme.Dark else "light")


class SystemFollower(QObject):
    """Calls `changed` when the system asks for another theme, as long as its parent lives."""

    def __init__(self, parent: QObject, hints: QStyleHints, changed: Callable[[], object]) -> None:
        super().__init__(parent)
        self._changed = changed
        hints.colorSchemeChanged.connect(self._follow)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        self._changed()


MOTIONS = {"system": message("As the system"), "full": message("Full"), "reduced": message("Reduced: nothing travels")}
_CLIENT_AREA_ANIMATION = 0x1042
"""SPI_GETCLIENTAREAANIMATION of winuser.h: "Show animations in Windows"."""


def stands_still(choice: str) -> bool:
    """Whether motion is to be reduced, for a choice of MOTIONS."""
    return choice == "reduced" or (choice == "system" and system_reduces_motion())


def system_reduces_motion() -> bool:
    """Whether the system was told to animate nothing. Where it cannot be asked: no."""
    if sys.platform == "win32":
        animated = ctypes.c_int(1)
        asked = ctypes.windll.user32.SystemParametersInfoW(_CLIENT_AREA_ANIMATION, 0, ctypes.byref(animated), 0)
        return bool(asked) and not animated.value
    return False
