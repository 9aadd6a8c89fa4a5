"""What the system asks for: light or dark, and more contrast or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QStyleHints


class Accessibility(Protocol):
    """What is asked of a system's settings for those who see little."""

    def contrastPreference(self) -> Qt.ContrastPreference: ...


class Hints(Protocol):
    """What is asked of a system."""

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
