"""What every test of the window is held to besides: no Qt warning, and no Qt thread, active timer or window left behind."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeVar

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, QObject, QThread, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.core.workbench import assembly
from app.qt.base.style import palette, style_sheet
from app.qt.base.theme import theme
from app.qt.shell.application import qt_application

assembly.load_recorded = cache(assembly.load_recorded)  # type: ignore[attr-defined,assignment]  # once for all windows: a quarter of what one takes

T = TypeVar("T", bound=QObject)
PATIENCE_S = 20.0
"""How long something that a test has told to end may take to be gone."""
PATIENCE_MS = 120_000
"""How long a test waits for what must come: on a machine however busy, only what never comes takes so long."""
OFFSCREEN_LIMIT = "This plugin does not support propagateSizeHints()"
"""What the platform without a display says of any window with a smallest size: it has no window manager to tell it to."""


class PatientBot(QtBot):
    """Waits for all that must come equally long: no test says how fast the machine is.

    Its widgets are there until the test is over: one that only cycles held was collected while Qt painted it.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self._widgets: list[QWidget] = []
        request.addfinalizer(self._widgets.clear)

    def addWidget(self, widget: QWidget, *, before_close_func: Callable[[QWidget], None] | None = None) -> None:
        self._widgets.append(widget)
        super().addWidget(widget, before_close_func=before_close_func)

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE_MS))


def _living(kind: type[T], alive: Callable[[T], bool]) -> dict[int, str]:
    """The Qt objects of a kind that Python knows and that are alive, by address."""
    found = (wrapper for wrapper in shiboken6.getAllValidWrappers() if isinstance(wrapper, kind))
    return {shiboken6.getCppPointer(each)[0]: f"{type(each).__name__} {each.objectName()!r}" for each in found if alive(each)}


def _windows() -> dict[int, str]:
    shown = QApplication.topLevelWidgets()
    return {shiboken6.getCppPointer(each)[0]: f"window {type(each).__name__} {each.objectName()!r}" for each in shown}


def _alive() -> dict[int, str]:
    """Every running thread, active timer and window, by address."""
    return _living(QThread, QThread.isRunning) | _living(QTimer, QTimer.isActive) | _windows()


def _settle() -> None:
    """Let what was told to go be gone: posted deletions, queued signals, cycles of Python objects."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()
    gc.collect()
    time.sleep(0.02)


def _dress(app: QApplication) -> None:
    look = theme("light")
    app.setPalette(palette(look))
    app.setStyleSheet(style_sheet(look))
    app.setFont(look.font("body"))


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the program makes it: with its own fonts and style, widgets have the same sizes on every machine."""
    made = qt_application()
    _dress(made)
    return made


@pytest.fixture
def look_restored(qapp: QApplication) -> Iterator[None]:
    """Gives the application back the look of the other tests, once the window that had another is gone."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    _dress(qapp)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def nothing_of_qt_left(qapp: QApplication) -> Iterator[None]:
    """Fails a test after which a thread or timer of Qt still runs, or a window still exists.

    The collector passes over what earlier tests have kept, such as modules and catalogues: with it each look takes seconds at the end.
    """
    gc.collect()
    gc.freeze()
    before = _alive()
    yield
    deadline = time.monotonic() + PATIENCE_S
    while (left := _alive().keys() - before.keys()) and time.monotonic() < deadline:
        _settle()
    assert not left, f"left behind: {sorted(_alive()[each] for each in left)}"


@pytest.fixture(autouse=True)
def qt_warnings(qapp: QApplication) -> Iterator[list[str]]:
    """Fails a test during which Qt warned. A test that means to provoke a warning looks at this list and empties it."""
    warnings: list[str] = []

    def record(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and text != OFFSCREEN_LIMIT:
            warnings.append(text)
        if before is not None:
            before(kind, context, text)

    before = qInstallMessageHandler(record)
    yield warnings
    qInstallMessageHandler(before)
    assert not warnings, f"Qt warned: {warnings}"
