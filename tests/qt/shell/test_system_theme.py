"""The theme follows what the system asks for, until another one is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.core.workbench import window_arguments
from app.core.workbench.window_arguments import WindowArguments
from app.qt.base.settings import Settings
from app.qt.base.system import Hints, system_theme
from app.qt.shell import application
from app.qt.shell.application import Desktop

LIGHT, DARK, UNKNOWN = Qt.ColorScheme.Light, Qt.ColorScheme.Dark, Qt.ColorScheme.Unknown
PLAIN, HIGH = Qt.ContrastPreference.NoPreference, Qt.ContrastPreference.HighContrast


@dataclass
class System:
    """A system that asks for this."""

    scheme: Qt.ColorScheme
    contrast: Qt.ContrastPreference

    def colorScheme(self) -> Qt.ColorScheme:
        return self.scheme

    def accessibility(self) -> System:
        return self

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self.contrast


@pytest.mark.parametrize(
    ("scheme", "contrast", "name"),
    [
        (LIGHT, PLAIN, "light"), (DARK, PLAIN, "dark"), (UNKNOWN, PLAIN, "light"),
        (LIGHT, HIGH, "contrast-light"), (DARK, HIGH, "contrast-dark"), (UNKNOWN, HIGH, "contrast-light"),
    ],
)  # fmt: skip
def test_the_theme_is_what_the_system_asks_for(scheme: Qt.ColorScheme, contrast: Qt.ContrastPreference, name: str) -> None:
    assert system_theme(System(scheme, contrast)) == name
    assert name in window_arguments.THEMES


def test_the_window_follows_the_system_until_a_theme_is_chosen(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, hints = System(LIGHT, HIGH), QGuiApplication.styleHints()

    def asked(_hints: Hints) -> str:
        return system_theme(system)

    monkeypatch.setattr(application, "system_theme", asked)
    desktop = Desktop(WindowArguments(None, None, "cpu.naive", (1280, 720)), None, Settings(tmp_path / "settings.ini"))
    shown = [desktop.window._made_look.theme.name]
    system.scheme = DARK
    hints.colorSchemeChanged.emit(DARK)
    shown.append(desktop.window._made_look.theme.name)
    system.contrast = PLAIN
    hints.accessibility().contrastPreferenceChanged.emit(PLAIN)
    shown.append(desktop.window._made_look.theme.name)
    desktop.choose_theme("light")
    hints.colorSchemeChanged.emit(DARK)
    shown.append(desktop.window._made_look.theme.name)
    assert shown == ["contrast-light", "contrast-dark", "dark", "light"]
    desktop.window.close()
    desktop.window.deleteLater()
